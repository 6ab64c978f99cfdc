"""People on the other side of the page: each action becomes an event that the webhook is called with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

if TYPE_CHECKING:
    from dialoom.testing.platforms.messenger_1.graph_api import Messenger
    from dialoom.testing.platforms.stand_in import Answer

LIKE_STICKER_ID = 369239263222822


class MessengerUser:
    """A person in a chat with the page, known to it by a page-scoped id."""

    def __init__(self, messenger: Messenger, id: str, profile: dict[str, Any]) -> None:
        self._messenger = messenger
        self.id = id
        self.profile = profile
        self.blocked = False
        self.wrote_at: float | None = None
        """When the last message came that opens the window of 24 hours."""
        self.messages: list[dict[str, Any]] = []
        """Those of both sides, in order: ``from``, ``mid`` and the platform's ``message``."""
        self.typing = False

    @property
    def received(self) -> list[dict[str, Any]]:
        """Return what the bot sent: the ``message`` of each call."""
        return [one["message"] for one in self.messages if one["from"] == "bot"]

    @property
    def quick_replies(self) -> list[dict[str, Any]]:
        """Return the quick replies that can be tapped: those of the last message of the chat."""
        last = self.messages[-1] if self.messages else None
        if last is None or last["from"] == "user":
            return []
        found: list[dict[str, Any]] = last["message"].get("quick_replies", [])
        return found

    async def say(self, text: str) -> Answer:
        """Send a text."""
        return await self._send({"text": text})

    async def send_attachment(self, kind: str, url: str) -> Answer:
        """Send an ``image``, ``audio``, ``video`` or ``file``."""
        return await self._send({"attachments": [{"type": kind, "payload": {"url": url}}]})

    async def send_sticker(self, sticker_id: int = LIKE_STICKER_ID) -> Answer:
        """Send a sticker: an image with an id."""
        payload = {"url": "https://scontent.example/like.png", "sticker_id": sticker_id}
        return await self._send({"sticker_id": sticker_id, "attachments": [{"type": "image", "payload": payload}]})

    async def edit(self, mid: str, text: str) -> Answer:
        """Change a text that was sent."""
        for one in self.messages:
            if one["mid"] == mid:
                one["message"]["text"] = text
        return await self._event({"message_edit": {"mid": mid, "text": text, "num_edit": 1}})

    async def tap(self, title: str) -> Answer:
        """Tap a quick reply, or a button of any message: of several, the newest."""
        for reply in self.quick_replies:
            if reply.get("title") == title:
                return await self._send({"text": title, "quick_reply": {"payload": reply["payload"]}})
        button = self._button(title)
        if button["type"] != "postback":
            raise LookupError(f"The button {title!r} is a {button['type']} and sends nothing.")
        return await self.post_back(title, button["payload"])

    async def post_back(self, title: str, payload: str, referral: dict[str, Any] | None = None) -> Answer:
        """Send a postback as a button does."""
        self.wrote_at = self._messenger.clock()
        postback = {"mid": self._messenger.next_mid(), "title": title, "payload": payload}
        self.messages.append({"from": "user", "mid": postback["mid"], "message": {"text": title}})
        return await self._event({"postback": {**postback, **({"referral": referral} if referral else {})}})

    async def get_started(self, ref: str = "") -> Answer:
        """Tap the button of a new chat, which exists once the page has one in its profile."""
        started = self._messenger.profile.get("get_started")
        if started is None:
            raise LookupError("The page has no get_started button.")
        return await self.post_back("Get Started", started["payload"], _referral(ref) if ref else None)

    async def open_link(self, ref: str) -> Answer:
        """Open ``m.me/<page>?ref=<ref>``: a chat that is new begins with the button, others send the reference."""
        if not self.messages and "get_started" in self._messenger.profile:
            return await self.get_started(ref)
        self.wrote_at = self._messenger.clock()
        return await self._event({"referral": _referral(ref)})

    def link(self, title: str) -> str:
        """Return the address that a button opens."""
        address = str(self._button(title)["url"])
        return self.linking_address(address) if self._button(title)["type"] == "account_link" else address

    def linking_address(self, address: str) -> str:
        """Return the address with what account linking adds: where to return to, and a token for five minutes."""
        parts = urlsplit(address)
        token = self._messenger.linking_token(self)
        back = f"{self._messenger.url}/account_linking?{urlencode({'account_linking_token': token})}"
        added = [*parse_qsl(parts.query), ("redirect_uri", back), ("account_linking_token", token)]
        return urlunsplit(parts._replace(query=urlencode(added)))

    async def link_account(self, authorization_code: str | None) -> Answer:
        """Send the end of account linking: with a code it is linked, without one it failed."""
        linking = {"status": "linked" if authorization_code else "unlinked"}
        if authorization_code:
            linking["authorization_code"] = authorization_code
        return await self._event({"account_linking": linking})

    async def read(self) -> Answer:
        """Open the chat, so that the bot's messages count as read."""
        return await self._event({"read": {"watermark": self._messenger.now()}})

    async def receive(self) -> Answer:
        """Tell that the bot's messages have arrived."""
        mids = [one["mid"] for one in self.messages if one["from"] == "bot"]
        return await self._event({"delivery": {"mids": mids, "watermark": self._messenger.now()}})

    def event(self, content: dict[str, Any]) -> dict[str, Any]:
        """Return an event of this person, for ``Messenger.deliver`` of several in one call."""
        ids = {"sender": {"id": self.id}, "recipient": {"id": self._messenger.page_id}}
        return {**ids, "timestamp": self._messenger.now(), **content}

    def message(self, content: dict[str, Any]) -> dict[str, Any]:
        """Add a message of this person to the chat and return its event."""
        self.wrote_at = self._messenger.clock()
        message = {"mid": self._messenger.next_mid(), **content}
        self.messages.append({"from": "user", "mid": message["mid"], "message": dict(message)})
        return self.event({"message": message})

    def _button(self, title: str) -> dict[str, Any]:
        for message in reversed(self.received):
            for button in buttons_of(message):
                if button.get("title", "Log In") == title:
                    return button
        raise LookupError(f"No message has a button {title!r}.")

    async def _send(self, content: dict[str, Any]) -> Answer:
        return await self._messenger.deliver([self.message(content)])

    async def _event(self, content: dict[str, Any]) -> Answer:
        return await self._messenger.deliver([self.event(content)])


def buttons_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all buttons of a message. The platform gives ``account_link`` its title: "Log In"."""
    payload = message.get("attachment", {}).get("payload", {})
    elements = [payload, *payload.get("elements", [])]
    return [button for element in elements for button in element.get("buttons", [])]


def _referral(ref: str) -> dict[str, Any]:
    return {"ref": ref, "source": "SHORTLINK", "type": "OPEN_THREAD"}
