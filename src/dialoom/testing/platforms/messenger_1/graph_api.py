"""The Graph API on loopback as far as the Messenger Platform needs it, and the events that it sends.

Sources: developers.facebook.com/documentation/business-messaging/messenger-platform. Unknown fields are refused as the
platform does; lengths, counts and addresses are in ``message_shapes``.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlencode

from dialoom.testing.platforms.messenger_1 import screen
from dialoom.testing.platforms.messenger_1.errors import GraphError, invalid, of_fault
from dialoom.testing.platforms.messenger_1.message_shapes import (
    ALL_FIELDS,
    PROFILE,
    SEND,
    SUBSCRIBED_FIELDS,
    elements_with_title_alone,
)
from dialoom.testing.platforms.messenger_1.people import MessengerUser
from dialoom.testing.platforms.shapes import faults
from dialoom.testing.platforms.stand_in import Answer, Call, StandIn

WINDOW_SECONDS = 24 * 3600
HUMAN_AGENT_SECONDS = 7 * 24 * 3600
LINKING_TOKEN_SECONDS = 5 * 60
VERSION = "v25.0"
NO_FIELDS = ("access_token", "appsecret_proof")
"""Parameters of any call; the second proves that the caller has the app's secret
(developers.facebook.com/docs/graph-api/guides/secure-requests)."""
PROFILE_FIELDS = ("id", "name", "first_name", "last_name", "profile_pic", "locale", "timezone", "gender")
APP_ID = "200000000000002"
APP_SECRET = "stand-in-app-secret"  # noqa: S105  # this stand-in's own, no secret
PAGE_TOKEN = "EAAB-stand-in-page-token"  # noqa: S105  # as above
VERIFY_TOKEN = "stand-in-verify-token"  # noqa: S105  # as above


class Messenger(StandIn):
    """One page of the platform, with the people who write to it."""

    platform: ClassVar[str] = "messenger-1"

    def __init__(
        self,
        page_id: str = "104000000000001",
        app_secret: str = APP_SECRET,
        page_token: str = PAGE_TOKEN,
        verify_token: str = VERIFY_TOKEN,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(clock=clock)
        self.page_id = page_id
        self.app_secret = app_secret
        self.page_token = page_token
        self.verify_token = verify_token
        self.webhook = ""
        self.subscribed_fields: frozenset[str] = ALL_FIELDS
        """Which events the page sends; the service may change it by ``subscribed_apps``."""
        self.webhook_fields: frozenset[str] = ALL_FIELDS
        """Which of these the app's webhook is called for."""
        self.profile: dict[str, Any] = {}
        """What ``messenger_profile`` set: the button of a new chat, the greeting, the menu."""
        self.users: dict[str, MessengerUser] = {}
        self.undelivered: list[bytes] = []
        """Calls that the webhook did not take; ``redeliver`` makes them again."""
        self._mids = itertools.count(1)
        self._linking: dict[str, tuple[MessengerUser, float]] = {}

    @property
    def api_url(self) -> str:
        """Return the address with the version, as the service has it in its settings."""
        return f"{self.url}/{VERSION}"

    def user(self, first_name: str = "Ada", last_name: str = "Lovelace", **profile: Any) -> MessengerUser:
        """Add a person; ``profile`` may have ``locale``, ``timezone``, ``profile_pic``."""
        id = str(9_000_000_000_000_000 + len(self.users))
        names = {"first_name": first_name, "last_name": last_name, "name": f"{first_name} {last_name}"}
        made = MessengerUser(self, id, {"id": id, **names, "locale": "en_US", "timezone": 1, **profile})
        self.users[id] = made
        return made

    def now(self) -> int:
        """Return the time in milliseconds, as events carry it."""
        return int(self.clock() * 1000)

    def next_mid(self) -> str:
        """Return the id of a new message."""
        return f"m_{next(self._mids):012d}stand-in"

    def linking_token(self, user: MessengerUser) -> str:
        """Return a token that account linking is finished with, for five minutes."""
        token = secrets.token_urlsafe(24)
        self._linking[token] = (user, self.clock())
        return token

    async def connect(self, webhook: str) -> bool:
        """Set the webhook as a developer does in the app's dashboard, and return whether it proved itself."""
        is_proven = await self._proven(webhook, self.verify_token)
        if is_proven:
            self.webhook = webhook
        return is_proven

    async def _proven(self, webhook: str, verify_token: str) -> bool:
        challenge = secrets.token_hex(8)
        query = {"hub.mode": "subscribe", "hub.verify_token": verify_token, "hub.challenge": challenge}
        answer = await self.send(f"{webhook}?{urlencode(query)}", None, method="GET")
        return answer.status == 200 and answer.content() == challenge.encode()

    async def deliver(self, *calls: Iterable[Mapping[str, Any]]) -> Answer:
        """Call the webhook once with an entry for each list of events. What it does not take is kept."""
        entries = []
        for events in calls:
            sent = self.subscribed_fields & self.webhook_fields
            wanted = [event for event in events if self._field(event) in sent]
            if wanted:
                entries.append({"id": self.page_id, "time": self.now(), "messaging": wanted})
        if not entries:
            return Answer(b"the page is not subscribed to such events", 0)
        return await self.post(json.dumps({"object": "page", "entry": entries}).encode())

    async def redeliver(self) -> None:
        """Make the calls again that the webhook did not take, as the platform does for 36 hours."""
        waiting, self.undelivered = self.undelivered, []
        for body in waiting:
            await self.post(body)

    def screen(self) -> dict[str, Any]:
        """Return what the first person sees."""
        return screen.of(self)

    async def act(self, action: Mapping[str, Any]) -> str | None:
        """Do what was done on the sandbox page."""
        return await screen.act(self, action)

    @staticmethod
    def _field(event: Mapping[str, Any]) -> str:
        return next(SUBSCRIBED_FIELDS[name] for name in event if name in SUBSCRIBED_FIELDS)

    async def post(self, body: bytes) -> Answer:
        """Post a body to the webhook, signed; what is not taken is kept for ``redeliver``."""
        if not self.webhook:
            self.undelivered.append(body)
            return Answer(b"no webhook is set", 0)
        key = self.app_secret.encode()
        signatures = {
            "X-Hub-Signature": f"sha1={hmac.new(key, body, hashlib.sha1).hexdigest()}",
            "X-Hub-Signature-256": f"sha256={hmac.new(key, body, hashlib.sha256).hexdigest()}",
        }
        answer = await self.send(self.webhook, body, signatures)
        if answer.status != 200:
            self.undelivered.append(body)
        return answer

    # What the service calls.

    async def answer(self, call: Call) -> Answer:
        """Carry out a call of the service, or say what is wrong with it."""
        if call.path == "/account_linking":
            return await self._finish_linking(call)
        path = re.sub(r"^/v\d+\.\d+", "", call.path)
        try:
            self._check_token(call)
            if path == f"/{APP_ID}/subscriptions":
                return Answer(await self._subscriptions(call))
            return Answer(self._carry_out(call, path))
        except GraphError as error:
            return Answer(error.body(), 400)

    def _carry_out(self, call: Call, path: str) -> Any:
        edge = re.fullmatch(rf"/(?:me|{self.page_id})(?:/(\w+))?", path)
        if path == "/debug_token":
            return self._debug_token(call)
        if edge is None:
            return self._user_profile(call, path)
        if edge[1] is None and call.method == "GET":
            return {"id": self.page_id, "name": "Stand-in"}
        if edge[1] == "messages" and call.method == "POST":
            return self._send_message(call)
        if edge[1] == "subscribed_apps":
            return self._subscribed_apps(call)
        if edge[1] == "messenger_profile":
            return self._messenger_profile(call)
        raise invalid(f"Unsupported {call.method.lower()} request.")

    def _check_token(self, call: Call) -> None:
        bearer = call.headers.get("authorization", "").removeprefix("Bearer ").strip()
        given = call.query.get("access_token") or bearer
        if not given:
            raise GraphError(104, "An access token is required to request this resource.")
        is_of_app = given == f"{APP_ID}|{self.app_secret}"
        if given != self.page_token and not (call.path.endswith(("/debug_token", "/subscriptions")) and is_of_app):
            raise GraphError(190)
        proof = call.query.get("appsecret_proof")
        if (
            proof is not None
            and proof != hmac.new(self.app_secret.encode(), given.encode(), hashlib.sha256).hexdigest()
        ):
            raise GraphError(100, "Invalid appsecret_proof provided in the API argument")

    async def _subscriptions(self, call: Call) -> Any:
        """Set the app's webhook, or tell it (developers.facebook.com/docs/graph-api/reference/app/subscriptions)."""
        if call.headers.get("authorization", "").endswith(self.page_token):
            raise GraphError(15, "(#15) This method must be called with an app access_token")
        if call.method == "GET":
            named = [{"name": name, "version": VERSION} for name in sorted(self.webhook_fields)]
            page = {"object": "page", "callback_url": self.webhook, "active": True, "fields": named}
            return {"data": [page] if self.webhook else []}
        given = _form(call)
        for name in ("object", "callback_url", "verify_token", "fields"):
            if not given.get(name):
                raise invalid(f"The parameter {name} is required.")
        fields = given["fields"].split(",") if isinstance(given["fields"], str) else given["fields"]
        if not set(fields) <= ALL_FIELDS:
            raise invalid(f"Param fields has an unknown one: {sorted(set(fields) - ALL_FIELDS)}")
        if not await self._proven(given["callback_url"], given["verify_token"]):
            raise GraphError(2200, "(#2200) Callback verification failed: the address does not echo the challenge")
        self.webhook, self.webhook_fields = given["callback_url"], frozenset(fields)
        return {"success": True}

    def _debug_token(self, call: Call) -> Any:
        given = call.query.get("input_token")
        if not given:
            raise invalid("The parameter input_token is required")
        if given != self.page_token:
            return {"data": {"is_valid": False, "scopes": [], "error": {"code": 190, "message": "Invalid OAuth token"}}}
        scopes = ["pages_messaging", "pages_manage_metadata", "pages_show_list"]
        token = {"app_id": APP_ID, "type": "PAGE", "is_valid": True, "expires_at": 0, "scopes": scopes}
        return {"data": {**token, "profile_id": self.page_id}}

    def _user_profile(self, call: Call, path: str) -> Any:
        user = self.users.get(path.strip("/"))
        if user is None or call.method != "GET":
            raise invalid(
                f"Unsupported {call.method.lower()} request. Object with ID '{path.strip('/')}' does not exist", 33
            )
        asked = [name for name in call.query.get("fields", "first_name,last_name,profile_pic").split(",") if name]
        for name in asked:
            if name not in PROFILE_FIELDS:
                raise invalid(f"Tried accessing nonexisting field ({name}) on node type (User)")
        return {name: user.profile[name] for name in dict.fromkeys([*asked, "id"]) if name in user.profile}

    def _subscribed_apps(self, call: Call) -> Any:
        if call.method == "GET":
            return {"data": [{"id": APP_ID, "subscribed_fields": sorted(self.subscribed_fields)}]}
        if call.method == "DELETE":
            self.subscribed_fields = frozenset()
            return {"success": True}
        given = _form(call).get("subscribed_fields")
        fields = given.split(",") if isinstance(given, str) else given
        if not fields:
            raise invalid("The parameter subscribed_fields is required.")
        for position, name in enumerate(fields):
            if name not in ALL_FIELDS:
                raise invalid(
                    f"Param subscribed_fields[{position}] must be one of {{{', '.join(sorted(ALL_FIELDS)).upper()}}}"
                )
        self.subscribed_fields = frozenset(fields)
        return {"success": True}

    def _messenger_profile(self, call: Call) -> Any:
        if call.method == "GET":
            asked = call.query.get("fields", "").split(",")
            return {"data": [{name: self.profile[name] for name in asked if name in self.profile}]}
        given = _form(call)
        if call.method == "DELETE":
            for name in given.get("fields", []):
                self.profile.pop(name, None)
            return {"result": "success"}
        for fault in faults(given, PROFILE):
            raise of_fault(fault)
        if "persistent_menu" in given and "get_started" not in {**self.profile, **given}:
            raise invalid("You must set a Get Started button if you also wish to use persistent menu", 2018145)
        self.profile |= given
        return {"result": "success"}

    def _send_message(self, call: Call) -> Any:
        body = _form(call)
        for fault in faults(body, SEND):
            raise of_fault(fault)
        message, sender_action = body.get("message"), body.get("sender_action")
        if (message is None) == (sender_action is None):
            raise invalid("Must send exactly one of message and sender_action")
        user = self.users.get(body["recipient"]["id"])
        if user is None or user.wrote_at is None:
            raise invalid("No matching user found", 2018001)
        if user.blocked:
            raise GraphError(551)
        self._check_window(body, user)
        answer = {"recipient_id": user.id}
        if message is None:
            user.typing = sender_action == "typing_on"
            return answer
        check_message(message)
        user.typing = False
        mid = self.next_mid()
        user.messages.append({"from": "bot", "mid": mid, "message": message})
        return {**answer, "message_id": mid}

    def _check_window(self, body: Mapping[str, Any], user: MessengerUser) -> None:
        age = self.clock() - (user.wrote_at or 0)
        kind = body.get("messaging_type")
        if kind is None and "message" in body:
            raise invalid("The parameter messaging_type is required")
        if kind == "MESSAGE_TAG":
            if "tag" not in body:
                raise invalid("The parameter tag is required")
            if body["tag"] == "HUMAN_AGENT" and age > HUMAN_AGENT_SECONDS:
                raise GraphError(10)
        elif "tag" in body:
            raise invalid("Param tag must be sent with messaging_type MESSAGE_TAG")
        elif age > WINDOW_SECONDS:
            raise GraphError(10)

    async def _finish_linking(self, call: Call) -> Answer:
        """The address that account linking ends at: the service sends the person's browser here."""
        user, since = self._linking.pop(call.query.get("account_linking_token", ""), (None, 0.0))
        if user is None or self.clock() - since > LINKING_TOKEN_SECONDS:
            return Answer(b"This link is no longer valid.", 400, {"Content-Type": "text/plain"})
        await user.link_account(call.query.get("authorization_code"))
        return Answer(b"You can close this page.", 200, {"Content-Type": "text/plain"})


def _form(call: Call) -> Any:
    """Return the parameters of a call, from its query, and from its body as JSON or a form."""
    query = {name: value for name, value in call.query.items() if name not in NO_FIELDS}
    if call.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return {**query, **dict(parse_qsl(call.body.decode("utf-8", "replace")))}
    body = call.json()
    if call.body and not isinstance(body, dict):
        raise invalid("The body must be a JSON object")
    return {**query, **(body or {})}


def check_message(message: dict[str, Any]) -> None:
    """Raise what the shapes cannot say: fields that need or exclude each other."""
    if ("text" in message) == ("attachment" in message):
        raise invalid("Message cannot be empty, must provide valid attachment or text", 2018034)
    payload = message.get("attachment", {}).get("payload", {})
    fault = elements_with_title_alone(payload)
    if fault is not None:
        raise invalid(f"Param {fault.place} {fault.detail}")
    if message.get("attachment", {}).get("type") not in (None, "template"):
        if ("url" in payload) == ("attachment_id" in payload):
            raise invalid("Must upload exactly one attachment", 2018047)
        if "quick_replies" in message and message["attachment"]["type"] == "file":
            raise invalid("Quick replies cannot be sent with a file")
    for button in [one for element in [payload, *payload.get("elements", [])] for one in element.get("buttons", [])]:
        if button.get("messenger_extensions") and not button["url"].startswith("https://"):
            raise invalid("Param url must be HTTPS where messenger_extensions is true")
        if button["type"] == "phone_number" and not re.fullmatch(r"\+\d{5,15}", button["payload"]):
            raise invalid("Param payload must be a phone number that begins with +")
