"""The Viber bot API on loopback: ``/pa/<method>``, strict in what it takes, and the callbacks that it makes.

Source: creators.viber.com/docs/bots-api (github.com/Viber/creators-hub).
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import time
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from dialoom.testing.platforms.messenger_2 import screen
from dialoom.testing.platforms.messenger_2.errors import ViberError, of_fault
from dialoom.testing.platforms.messenger_2.message_shapes import (
    KEYBOARD_ALONE,
    MAX_MESSAGE_BYTES,
    MESSAGE,
    NEWEST_API_VERSION,
    button_faults,
    needed_level,
    with_action_types,
)
from dialoom.testing.platforms.messenger_2.people import ViberUser
from dialoom.testing.platforms.shapes import Address, Fault, Fields, Flag, ListOf, OneOf, Text, faults
from dialoom.testing.platforms.stand_in import Answer, Call, StandIn

AUTH_TOKEN = "445da6az1s345z78-dazcczb2542zv51a-e0vc5fva17480im9"  # noqa: S105  # this stand-in's own, no secret
MAX_MESSAGES_WITHOUT_REPLY = 100
"""To one person within an hour; the next is answered with status 12."""
OPTIONAL_EVENTS = ("delivered", "seen", "failed", "subscribed", "unsubscribed", "conversation_started")
_SET_WEBHOOK = Fields(
    {"url": Text(None, 0)},
    {"event_types": ListOf(OneOf((*OPTIONAL_EVENTS, "message"))), "send_name": Flag(), "send_photo": Flag()},
)


class Viber(StandIn):
    """One bot account of the platform, with the people who write to it."""

    platform: ClassVar[str] = "messenger-2"

    def __init__(
        self,
        auth_token: str = AUTH_TOKEN,
        uri: str = "standin",
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(clock=clock)
        self.auth_token = auth_token
        self.uri = uri
        self.webhook = ""
        self.event_types: tuple[str, ...] = OPTIONAL_EVENTS
        self.users: dict[str, ViberUser] = {}
        self.refused_welcomes: list[tuple[Any, str]] = []
        """Answers to ``conversation_started`` that are no message, each with what is wrong."""
        self.undelivered: list[bytes] = []
        """Callbacks that the webhook did not take; ``redeliver`` makes them again."""
        self._tokens = itertools.count(4912661846655238145)

    @property
    def api_url(self) -> str:
        """Return the address as the service has it in its settings."""
        return f"{self.url}/pa"

    def user(self, name: str = "Ada Lovelace", api_version: int = NEWEST_API_VERSION, **profile: Any) -> ViberUser:
        """Add a person; ``api_version`` is what the phone's app can show."""
        id = f"{len(self.users):010d}Abcdefghij=="
        made = ViberUser(self, id, name, {"api_version": api_version, **profile})
        self.users[id] = made
        return made

    def next_token(self) -> int:
        """Return the token of a new message or event."""
        return next(self._tokens)

    async def deliver(self, event: str, content: Mapping[str, Any], token: int | None = None) -> Answer:
        """Call the webhook with an event. What it does not take is kept."""
        if event in OPTIONAL_EVENTS and event not in self.event_types:
            return Answer(b"the bot did not ask for such events", 0)
        head = {"event": event, "timestamp": int(self.clock() * 1000), "chat_hostname": "SN-CHAT-01_"}
        return await self._post(json.dumps({**head, "message_token": token or self.next_token(), **content}).encode())

    async def redeliver(self) -> None:
        """Make the callbacks again that the webhook did not take."""
        waiting, self.undelivered = self.undelivered, []
        for body in waiting:
            await self._post(body)

    def welcome(self, user: ViberUser, answer: Answer) -> None:
        """Show the welcome message of an answer to ``conversation_started``; an empty one is none."""
        if answer.status != 200 or answer.content().strip() in (b"", b"{}"):
            return
        message = answer.json()
        try:
            self._check(message, user)
        except ViberError as error:
            self.refused_welcomes.append((message, error.message))
        else:
            self._show(user, message)

    def screen(self) -> dict[str, Any]:
        """Return what the first person sees."""
        return screen.of(self)

    async def act(self, action: Mapping[str, Any]) -> str | None:
        """Do what was done on the sandbox page."""
        return await screen.act(self, action)

    async def _post(self, body: bytes) -> Answer:
        if not self.webhook:
            self.undelivered.append(body)
            return Answer(b"no webhook is set", 0)
        signature = hmac.new(self.auth_token.encode(), body, hashlib.sha256).hexdigest()
        answer = await self.send(self.webhook, body, {"X-Viber-Content-Signature": signature})
        if answer.status != 200:
            self.undelivered.append(body)
        return answer

    # What the service calls.

    async def answer(self, call: Call) -> Answer:
        """Carry out a call of the service, or say what is wrong with it. The HTTP status is always 200."""
        method = call.path.removeprefix("/pa/")
        try:
            body = call.json() if call.body else {}
            if not isinstance(body, dict):
                raise ViberError(3, "the body must be a JSON object")
            token = call.headers.get("x-viber-auth-token") or body.pop("auth_token", None)
            if token != self.auth_token:
                raise ViberError(2)
            result = await self._carry_out(method, body, len(call.body))
        except ViberError as error:
            return Answer(error.body())
        if result is None:
            return Answer({"status": 404}, 404)
        return Answer({"status": 0, "status_message": "ok", "chat_hostname": "SN-CHAT-01_", **result})

    async def _carry_out(self, method: str, body: dict[str, Any], size: int) -> dict[str, Any] | None:
        if method == "set_webhook":
            return await self._set_webhook(body)
        if method == "get_account_info":
            return self._account_info()
        if method == "send_message":
            return self._send_message(body, size)
        return None

    async def _set_webhook(self, body: dict[str, Any]) -> dict[str, Any]:
        for fault in faults(body, _SET_WEBHOOK):
            raise of_fault(fault)
        url = body["url"]
        if not url:
            self.webhook = ""
            return {"event_types": []}
        if next(faults(url, Address()), None) is not None:
            raise ViberError(1, "the address must begin with https")
        self.event_types = tuple(body.get("event_types", OPTIONAL_EVENTS))
        before, self.webhook = self.webhook, url
        answer = await self.deliver("webhook", {})
        if answer.status != 200:
            self.webhook = before
            self.undelivered.clear()
            raise ViberError(1, f"the webhook answered {answer.status}")
        return {"event_types": ["message", *self.event_types]}

    def _account_info(self) -> dict[str, Any]:
        subscribed = sum(user.subscribed for user in self.users.values())
        account = {"id": "pa:75346594275468546724", "name": "Stand-in", "uri": self.uri, "webhook": self.webhook}
        return {**account, "event_types": list(self.event_types), "subscribers_count": subscribed}

    def _send_message(self, body: dict[str, Any], size: int) -> dict[str, Any]:
        if not self.webhook:
            raise ViberError(10)
        if size > MAX_MESSAGE_BYTES:
            raise ViberError(3, f"the message has {size} bytes and may have {MAX_MESSAGE_BYTES}")
        if "receiver" not in body:
            raise ViberError(4, "receiver must be there")
        user = self.users.get(body["receiver"])
        if user is None:
            raise ViberError(5)
        if not user.subscribed:
            raise ViberError(6)
        self._check(body, user)
        now = self.clock()
        recent = [since for since in user.sent_without_reply if now - since < 3600]
        if len(recent) >= MAX_MESSAGES_WITHOUT_REPLY:
            raise ViberError(12)
        user.sent_without_reply = [*recent, now]
        return {"message_token": self._show(user, body), "billing_status": 1}

    def _check(self, body: Any, user: ViberUser) -> None:
        """Raise ``ViberError`` where a message is none, or the phone cannot show it."""
        whole = with_action_types(body)
        alone = isinstance(whole, dict) and "type" not in whole and "keyboard" in whole
        for fault in faults(whole, KEYBOARD_ALONE if alone else MESSAGE):
            raise of_fault(fault)
        if whole.get("type") == "text" and not whole["text"].strip():
            raise of_fault(Fault(("text",), "short", "has no characters"))
        for fault in button_faults(whole):
            raise of_fault(fault)
        level, part = needed_level(whole)
        given = whole.get("min_api_version", 1)
        if level > given:
            raise ViberError(14, f"{part} needs min_api_version {level}, given is {given}")
        if given > user.profile["api_version"]:
            raise ViberError(13, f"the receiver has {user.profile['api_version']}")

    def _show(self, user: ViberUser, message: dict[str, Any]) -> int:
        token = self.next_token()
        user.messages.append({"from": "bot", "token": token, "message": message})
        if "keyboard" in message:
            user.keyboard = message["keyboard"]
        user.tracking_data = message.get("tracking_data")
        return token
