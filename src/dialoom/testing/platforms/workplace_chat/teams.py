"""The Bot Framework on loopback: metadata and keys, sign-in of the bot, the connector, the token service.

Sources below learn.microsoft.com: azure/bot-service/rest-api (connector authentication, API reference), and
microsoftteams/platform/bots (rate limits, size of a message, single sign-on).
"""

from __future__ import annotations

import base64
import datetime as dt
import json
import re
import secrets
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import parse_qs

from dialoom.testing.platforms.stand_in import Answer, Call, StandIn
from dialoom.testing.platforms.workplace_chat import screen, tokens
from dialoom.testing.platforms.workplace_chat.activity_shapes import MAX_ACTIVITY_BYTES, activity_faults
from dialoom.testing.platforms.workplace_chat.errors import ConnectorError
from dialoom.testing.platforms.workplace_chat.people import TeamsUser

APP_PASSWORD = "stand-in-app-password"  # noqa: S105  # this stand-in's own, no secret
SCOPE = "https://api.botframework.com/.default"
TOKEN_SECONDS = 3600
RATES = ((7, 1), (8, 2), (60, 30), (1800, 3600))
"""Messages in so many seconds that one conversation takes."""


class Teams(StandIn):
    """One bot of the platform, with the people who write to it."""

    platform: ClassVar[str] = "workplace-chat"

    def __init__(
        self,
        app_id: str = "00000000-0000-4000-8000-000000000005",
        app_password: str = APP_PASSWORD,
        tenant: str | None = None,
        *,
        clock: Callable[[], float] = time.time,
        limits_rate: bool = False,
    ) -> None:
        super().__init__(clock=clock)
        self.app_id = app_id
        self.app_password = app_password
        self.tenant = tenant
        """The tenant that the bot signs in at; without one it is ``botframework.com``."""
        self.user_tenant = tenant or "00000000-0000-4000-8000-0000000000aa"
        self.limits_rate = limits_rate
        self.bot_name = "Stand-in"
        self.endpoint = ""
        """The bot's messaging endpoint, which its developer sets in Azure."""
        self.users: dict[str, TeamsUser] = {}
        self.groups: dict[str, TeamsUser] = {}
        """Of each group chat, by its id, who wrote there last and sees the answers."""
        self.exchanges_of_tokens = True
        """True if the token service exchanges a token of Teams; else it answers 412 and the person has to consent."""
        self._tokens: dict[str, float] = {}
        self._sent: dict[str, deque[float]] = {}

    @property
    def bot_id(self) -> str:
        """Return the bot's id as activities name it."""
        return f"28:{self.app_id}"

    @property
    def metadata_url(self) -> str:
        """Return the value of ``DIALOOM_WORKPLACE_CHAT_METADATA_URL``."""
        return f"{self.url}/v1/.well-known/openidconfiguration"

    @property
    def service_url(self) -> str:
        """Return the address that activities name for answers."""
        return f"{self.url}/emea/"

    def user(self, name: str = "Ada Lovelace", locale: str = "en-US") -> TeamsUser:
        """Add a person."""
        made = TeamsUser(self, name, locale)
        self.users[made.id] = made
        return made

    def activity(self, user: TeamsUser, content: Mapping[str, Any]) -> dict[str, Any]:
        """Return a whole activity of a person, for ``post``."""
        stamp = (
            dt.datetime.fromtimestamp(self.clock(), dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        )
        channel_data = {"tenant": {"id": self.user_tenant}, **content.get("channelData", {})}
        info = {"type": "clientInfo", "locale": user.locale, "country": "DE", "timezone": "Europe/Berlin"}
        head = {
            "id": str(uuid.uuid4().int)[:13],
            "timestamp": stamp,
            "channelId": "msteams",
            "serviceUrl": self.service_url,
            "from": user.account,
            "recipient": {"id": self.bot_id, "name": self.bot_name},
            "conversation": user.conversation,
            "locale": user.locale,
            "entities": [info],
        }
        return {**head, **content, "channelData": channel_data}

    def claims(self, activity: Mapping[str, Any]) -> dict[str, Any]:
        """Return the claims of an activity's token."""
        now = int(self.clock())
        times = {"nbf": now - 300, "exp": now + TOKEN_SECONDS}
        return {"iss": tokens.ISSUER, "aud": self.app_id, "serviceurl": activity.get("serviceUrl"), **times}

    async def post(
        self,
        activity: Mapping[str, Any],
        *,
        claims: Mapping[str, Any] | None = None,
        key: tokens.KeyName = "right",
        authorization: str | None = None,
        algorithm: str = "RS256",
    ) -> Answer:
        """Send a signed activity. ``claims`` replace the right ones, or leave out those that are None."""
        merged = {**self.claims(activity), **(claims or {})}
        token = tokens.sign({name: value for name, value in merged.items() if value is not None}, key, algorithm)
        headers = {"Authorization": f"Bearer {token}" if authorization is None else authorization}
        return await self.send(
            self.endpoint, json.dumps(activity).encode(), headers if headers["Authorization"] else {}
        )

    def withdraw_tokens(self) -> None:
        """Take no token of the bot any more that was given out up to now."""
        self._tokens.clear()

    def screen(self) -> dict[str, Any]:
        """Return what the first person sees."""
        return screen.of(self)

    async def act(self, action: Mapping[str, Any]) -> str | None:
        """Do what was done on the sandbox page."""
        return await screen.act(self, action)

    # What the service calls.

    async def answer(self, call: Call) -> Answer:
        """Carry out a call of the service, or say what is wrong with it."""
        if call.path == "/v1/.well-known/openidconfiguration":
            keys = {"jwks_uri": f"{self.url}/v1/.well-known/keys", "id_token_signing_alg_values_supported": ["RS256"]}
            return Answer(
                {"issuer": tokens.ISSUER, "authorization_endpoint": "https://invalid.botframework.com", **keys}
            )
        if call.path == "/v1/.well-known/keys":
            return Answer(tokens.published())
        sign_in = re.fullmatch(r"/([^/]+)/oauth2/v2\.0/token", call.path)
        if sign_in is not None:
            return self._sign_in(call, sign_in[1])
        if call.path == "/signin":
            return Answer(b"Signed in. The code is told to the bot.", headers={"Content-Type": "text/plain"})
        try:
            self._check_token(call)
            if call.path.startswith("/api/"):
                return self._token_service(call)
            return self._connector(call)
        except ConnectorError as error:
            return error.answer()

    def _sign_in(self, call: Call, tenant: str) -> Answer:
        given = {name: values[0] for name, values in parse_qs(call.body.decode("utf-8", "replace")).items()}
        wrong = None
        if tenant != (self.tenant or "botframework.com"):
            wrong = (400, "invalid_request", f"AADSTS90002: Tenant '{tenant}' not found.")
        elif given.get("grant_type") != "client_credentials":
            wrong = (400, "unsupported_grant_type", "AADSTS70003: The app requested an unsupported grant type.")
        elif given.get("client_id") != self.app_id:
            wrong = (400, "unauthorized_client", "AADSTS700016: Application was not found in the directory.")
        elif given.get("client_secret") != self.app_password:
            wrong = (401, "invalid_client", "AADSTS7000215: Invalid client secret provided.")
        elif given.get("scope") != SCOPE:
            wrong = (
                400,
                "invalid_scope",
                "AADSTS70011: The provided value for the input parameter 'scope' is not valid.",
            )
        if wrong is not None:
            return Answer({"error": wrong[1], "error_description": wrong[2]}, wrong[0])
        token = secrets.token_urlsafe(32)
        self._tokens[token] = self.clock() + TOKEN_SECONDS
        return Answer({"token_type": "Bearer", "expires_in": TOKEN_SECONDS, "access_token": token})

    def _check_token(self, call: Call) -> None:
        kind, _, token = call.headers.get("authorization", "").partition(" ")
        if kind != "Bearer" or self._tokens.get(token, 0.0) <= self.clock():
            raise ConnectorError(401, "Unauthorized", "Authorization has been denied for this request.")

    # The connector.

    def _connector(self, call: Call) -> Answer:
        found = re.fullmatch(r"/emea/v3/conversations/([^/]+)/(activities|members)(?:/([^/]+))?", call.path)
        if found is None:
            raise ConnectorError(404, "NotFound", f"There is no {call.method} {call.path}.")
        user = self._user_in(found[1])
        if found[2] == "members":
            return self._member(user, found[3])
        if not user.has_installed:
            raise ConnectorError(403, "ConversationBlockedByUser", "User blocked the conversation with the bot.")
        if call.method == "POST":
            return self._send(call, user, found[3])
        if call.method == "PUT" and found[3]:
            return self._update(call, user, found[3])
        if call.method == "DELETE" and found[3]:
            user.messages = [one for one in user.messages if one["id"] != found[3]]
            return Answer({})
        raise ConnectorError(405, "MethodNotAllowed")

    def _user_in(self, conversation: str) -> TeamsUser:
        for user in self.users.values():
            if conversation == user.conversation["id"]:
                return user
        if conversation in self.groups:
            return self.groups[conversation]
        raise ConnectorError(404, "ConversationNotFound", "Conversation not found.")

    def _member(self, user: TeamsUser, id: str | None) -> Answer:
        first, _, last = user.name.partition(" ")
        names = {"name": user.name, "givenName": first, "surname": last, "tenantId": self.user_tenant}
        member = {**user.account, **names, "email": f"{first.lower()}@example.com"}
        if id is None:
            return Answer([member])
        if id != user.id:
            raise ConnectorError(404, "MemberNotFoundInConversation")
        return Answer(member)

    def _send(self, call: Call, user: TeamsUser, reply_to: str | None) -> Answer:
        activity = self._checked(call)
        if self.limits_rate:
            self._count_towards_rate(user.conversation["id"])
        if activity["type"] == "typing":
            user.is_typing = True
            return Answer({"id": secrets.token_hex(7)}, 201)
        user.is_typing = False
        id = str(int(self.clock() * 1000)) + secrets.token_hex(2)
        sent = {"from": {"id": self.bot_id}, **activity, "id": id} | ({"replyToId": reply_to} if reply_to else {})
        user.messages.append(sent)
        return Answer({"id": id}, 201)

    def _update(self, call: Call, user: TeamsUser, id: str) -> Answer:
        activity = self._checked(call)
        for position, one in enumerate(user.messages):
            if one["id"] == id and one in user.received:
                user.messages[position] = {"from": {"id": self.bot_id}, **activity, "id": id}
                return Answer({"id": id})
        raise ConnectorError(404, "ActivityNotFoundInConversation")

    def _checked(self, call: Call) -> dict[str, Any]:
        if len(call.body.decode("utf-8", "replace").encode("utf-16-le")) > MAX_ACTIVITY_BYTES:
            raise ConnectorError(413, "MessageSizeTooBig", "Message size too large.")
        activity = call.json()
        for fault in activity_faults(activity):
            raise ConnectorError(400, "BadSyntax", f"{'.'.join(map(str, fault.path))} {fault.detail}")
        checked: dict[str, Any] = activity
        return checked

    def _count_towards_rate(self, conversation: str) -> None:
        now = self.clock()
        sent = self._sent.setdefault(conversation, deque(maxlen=RATES[-1][0]))
        for most, seconds in RATES:
            if sum(now - since < seconds for since in sent) >= most:
                raise ConnectorError(429, "TooManyRequests", "API calls quota exceeded.")
        sent.append(now)

    # The token service.

    def _token_service(self, call: Call) -> Answer:
        path = call.path.removeprefix("/api")
        if path == "/botsignin/GetSignInResource" and call.method == "GET":
            return self._sign_in_resource(call)
        user = self.users.get(call.query.get("userId", ""))
        connection = call.query.get("connectionName")
        if user is None or not connection:
            raise ConnectorError(
                400, "BadArgument", "userId and connectionName must be those of a person's connection."
            )
        if path == "/usertoken/exchange" and call.method == "POST":
            return self._exchange(call, user, connection)
        if path == "/usertoken/GetToken" and call.method == "GET":
            if call.query.get("code") not in (None, "", user.sign_in_code) or user.token is None:
                raise ConnectorError(404, "NotFound", "The person has no token.")
            return self._token(user, connection)
        if path == "/usertoken/SignOut" and call.method == "DELETE":
            user.token = user.sign_in_code = None
            return Answer({})
        raise ConnectorError(404, "NotFound", f"There is no {call.method} {call.path}.")

    def _sign_in_resource(self, call: Call) -> Answer:
        try:
            state = json.loads(base64.b64decode(call.query["state"], validate=True))
            missing = {"connectionName", "conversation", "msAppId"} - state.keys()
        except (KeyError, ValueError, AttributeError) as error:
            raise ConnectorError(400, "BadArgument", "state must be JSON in base64.") from error
        if missing or state["msAppId"] != self.app_id:
            raise ConnectorError(400, "BadArgument", f"state lacks {', '.join(sorted(missing)) or 'the app id'}.")
        exchange = {
            "id": str(uuid.uuid4()),
            "uri": f"api://{self.app_id}",
            "providerId": "30dd229c-58e3-4a48-bdfd-91ec48eb906c",
        }
        link = f"{self.url}/signin?state={call.query['state']}"
        post = {"sasUrl": f"{self.url}/signin/post"}
        return Answer({"signInLink": link, "tokenExchangeResource": exchange, "tokenPostResource": post})

    def _exchange(self, call: Call, user: TeamsUser, connection: str) -> Answer:
        body = call.json()
        if not isinstance(body, dict) or not (body.get("token") or body.get("uri")):
            raise ConnectorError(400, "BadArgument", "Either uri or token must be there.")
        if not self.exchanges_of_tokens:
            raise ConnectorError(412, "PreconditionFailed", "The person has to consent.")
        user.token = user.token or "stand-in-user-token"
        return self._token(user, connection)

    def _token(self, user: TeamsUser, connection: str) -> Answer:
        expires = dt.datetime.fromtimestamp(self.clock() + TOKEN_SECONDS, dt.UTC).isoformat().replace("+00:00", "Z")
        return Answer(
            {"channelId": "msteams", "connectionName": connection, "token": user.token, "expiration": expires}
        )
