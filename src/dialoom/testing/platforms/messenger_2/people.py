"""People on the other side of the bot: each action becomes a callback that the webhook is called with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dialoom.testing.platforms.messenger_2.bot_api import Viber
    from dialoom.testing.platforms.stand_in import Answer


class ViberUser:
    """A person who can open the bot's chat. Who writes is subscribed."""

    def __init__(self, viber: Viber, id: str, name: str, profile: dict[str, Any]) -> None:
        self._viber = viber
        self.id = id
        self.profile: dict[str, Any] = {"id": id, "name": name, "language": "en", "country": "GB", **profile}
        self.subscribed = False
        self.messages: list[dict[str, Any]] = []
        """Those of both sides, in order: ``from``, ``token`` and the platform's ``message``."""
        self.keyboard: dict[str, Any] | None = None
        """The last keyboard: it stays until a message brings another."""
        self.tracking_data: str | None = None
        self.sent_without_reply: list[float] = []
        """The times of the bot's messages since this person wrote last."""

    @property
    def received(self) -> list[dict[str, Any]]:
        """Return what the bot sent, the welcome message included."""
        return [one["message"] for one in self.messages if one["from"] == "bot"]

    @property
    def buttons(self) -> list[dict[str, Any]]:
        """Return the buttons of the keyboard."""
        found: list[dict[str, Any]] = (self.keyboard or {}).get("Buttons", [])
        return found

    async def open(self, context: str = "") -> Answer:
        """Open the chat, by a link ``viber://pa?chatURI=...&context=...`` where a context is given.

        The welcome message of the webhook's answer is shown, or kept in ``Viber.refused_welcomes``.
        """
        event: dict[str, Any] = {"type": "open", "user": self.profile, "subscribed": self.subscribed}
        if context:
            event["context"] = context
        answer = await self._viber.deliver("conversation_started", event)
        self._viber.welcome(self, answer)
        return answer

    async def say(self, text: str) -> Answer:
        """Send a text, which subscribes."""
        return await self.send({"type": "text", "text": text})

    async def send(self, message: dict[str, Any], silent: bool = False) -> Answer:
        """Send any message: ``picture``, ``sticker``, ``contact``, ``url`` with the fields of the platform."""
        if not self.subscribed:
            await self.subscribe()
        if self.tracking_data is not None:
            message = {**message, "tracking_data": self.tracking_data}
        self.sent_without_reply.clear()
        token = self._viber.next_token()
        if not silent:
            self.messages.append({"from": "user", "token": token, "message": message})
        event = {"sender": self.profile, "message": message, "silent": silent}
        return await self._viber.deliver("message", event, token)

    async def tap(self, text: str) -> Answer:
        """Tap a button of the keyboard. A button that opens an address sends the address as well."""
        for button in self.buttons:
            if button.get("Text") == text:
                break
        else:
            raise LookupError(f"The keyboard has no button {text!r}: {[one.get('Text') for one in self.buttons]}")
        action = button.get("ActionType", "reply")
        if action not in ("reply", "open-url"):
            raise LookupError(f"The button {text!r} is a {action} and sends no text.")
        return await self.send({"type": "text", "text": button["ActionBody"]}, button.get("Silent", False))

    def link(self, text: str) -> str:
        """Return the address that a button of the keyboard opens."""
        for button in self.buttons:
            if button.get("Text") == text and button.get("ActionType") == "open-url":
                return str(button["ActionBody"])
        raise LookupError(f"No button {text!r} opens an address.")

    async def share_location(self, latitude: float, longitude: float) -> Answer:
        """Send a place, as the native picker does."""
        return await self.send({"type": "location", "location": {"lat": latitude, "lon": longitude}})

    async def send_sticker(self, sticker_id: int = 46105) -> Answer:
        """Send a sticker."""
        return await self.send({"type": "sticker", "sticker_id": sticker_id})

    async def subscribe(self) -> Answer:
        """Subscribe to the bot, as the first message does."""
        self.subscribed = True
        return await self._viber.deliver("subscribed", {"user": self.profile})

    async def unsubscribe(self) -> Answer:
        """Stop the bot: it is told, and what it sends from here on is refused."""
        self.subscribed = False
        self.tracking_data = None
        return await self._viber.deliver("unsubscribed", {"user_id": self.id})

    async def receive(self) -> None:
        """Tell of each message of the bot that it has arrived."""
        await self._receipts("delivered")

    async def read(self) -> None:
        """Tell of each message of the bot that it was seen."""
        await self._receipts("seen")

    async def fail(self, token: int, description: str = "message validation failed") -> Answer:
        """Tell that the phone could not show a message that the platform had taken."""
        self.messages = [one for one in self.messages if one["token"] != token]
        return await self._viber.deliver("failed", {"user_id": self.id, "desc": description}, token)

    async def _receipts(self, event: str) -> None:
        for one in [one for one in self.messages if one["from"] == "bot"]:
            await self._viber.deliver(event, {"user_id": self.id}, one["token"])
