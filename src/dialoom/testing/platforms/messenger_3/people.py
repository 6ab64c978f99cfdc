"""People and groups on the other side of the bot: each action becomes an update that the webhook is called with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.testing.platforms.shapes import count

if TYPE_CHECKING:
    from dialoom.testing.platforms.messenger_3.bot_api import Telegram
    from dialoom.testing.platforms.stand_in import Answer

MAX_START_CHARS = 64


class TelegramUser:
    """A person in a private chat with the bot."""

    def __init__(self, telegram: Telegram, id: int, first_name: str, **profile: str) -> None:
        self._telegram = telegram
        self.id = id
        self.profile: dict[str, Any] = {"id": id, "is_bot": False, "first_name": first_name, **profile}
        self.blocked = False
        self.keyboard: dict[str, Any] | None = None
        """The reply keyboard that stands in place of the phone's."""

    @property
    def chat(self) -> dict[str, Any]:
        """Return the private chat as updates name it."""
        shown = ("first_name", "last_name", "username")
        names = {name: value for name, value in self.profile.items() if name in shown}
        return {"id": self.id, "type": "private", **names}

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return all messages of the chat, in their present state."""
        return self._telegram.messages_of(self.id)

    @property
    def received(self) -> list[dict[str, Any]]:
        """Return the bot's messages, in their present state."""
        return [one for one in self.messages if one["from"]["is_bot"]]

    async def start(self, payload: str = "") -> Answer:
        """Open the bot, by a link ``t.me/<bot>?start=<payload>`` where a payload is given."""
        allowed = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
        if len(payload) > MAX_START_CHARS or set(payload) - allowed:
            raise ValueError(f"The platform opens no link with the start parameter {payload!r}.")
        return await self.say(f"/start {payload}".rstrip())

    async def say(self, text: str, chat: dict[str, Any] | None = None, **more: Any) -> Answer:
        """Send a text."""
        entities = []
        if text.startswith("/"):
            command = text.split(maxsplit=1)[0]
            entities.append({"type": "bot_command", "offset": 0, "length": count(command, "utf-16 units")})
        more = {"text": text, **({"entities": entities} if entities else {}), **more}
        return await self._telegram.deliver("message", self._telegram.keep(chat or self.chat, self.profile, more))

    async def edit(self, message_id: int, text: str) -> Answer:
        """Change a text that was sent."""
        message = self._telegram.message(self.id, message_id)
        message |= {"text": text, "edit_date": self._telegram.now()}
        return await self._telegram.deliver("edited_message", message)

    async def send(self, **content: Any) -> Answer:
        """Send anything else: ``sticker``, ``voice``, ``photo``, ``document`` with the fields of the platform."""
        return await self._telegram.deliver("message", self._telegram.keep(self.chat, self.profile, content))

    async def send_sticker(self, emoji: str = "👍") -> Answer:
        """Send a sticker."""
        sticker = {"file_id": "CAACAgI", "file_unique_id": "AgAD", "type": "regular", "width": 512, "height": 512}
        return await self.send(sticker={**sticker, "is_animated": False, "is_video": False, "emoji": emoji})

    async def send_voice(self, content: bytes = b"OggS the voice") -> Answer:
        """Send a voice note."""
        return await self.send(voice={**self._telegram.upload(content), "duration": 3, "mime_type": "audio/ogg"})

    async def send_photo(self, content: bytes, caption: str = "") -> Answer:
        """Send a picture, which the platform offers in two sizes."""
        sizes = [{**self._telegram.upload(content[: 10 * side]), "width": side, "height": side} for side in (90, 800)]
        sizes[-1] |= self._telegram.upload(content)
        return await self.send(photo=sizes, **({"caption": caption} if caption else {}))

    async def send_document(self, content: bytes, file_name: str) -> Answer:
        """Send a file as it is."""
        return await self.send(document={**self._telegram.upload(content), "file_name": file_name})

    async def send_venue(self, latitude: float, longitude: float, title: str) -> Answer:
        """Send a place with a name, which updates carry as a location too."""
        location = {"latitude": latitude, "longitude": longitude}
        return await self.send(
            location=location, venue={"location": location, "title": title, "address": "Main Street"}
        )

    async def share_location(self, latitude: float, longitude: float) -> Answer:
        """Send a place."""
        self._put_keyboard_away()
        return await self.send(location={"latitude": latitude, "longitude": longitude})

    async def share_contact(self, phone_number: str) -> Answer:
        """Send one's own contact."""
        self._put_keyboard_away()
        contact = {"phone_number": phone_number, "first_name": self.profile["first_name"], "user_id": self.id}
        return await self.send(contact=contact)

    async def press(self, title: str) -> Answer:
        """Press a button of the reply keyboard, which sends its text."""
        titles = [button for row in (self.keyboard or {}).get("keyboard", []) for button in row]
        if title not in [one if isinstance(one, str) else one["text"] for one in titles]:
            raise LookupError(f"The keyboard has no button {title!r}: {titles}")
        self._put_keyboard_away()
        return await self.say(title)

    async def tap(self, title: str, message_id: int | None = None) -> Answer:
        """Tap an inline button of a message; without one, of the last message that has such a button."""
        message, button = self._button(title, message_id)
        if "callback_data" not in button:
            raise LookupError(f"The button {title!r} opens {button} and calls nothing back.")
        return await self._telegram.call_back(self.profile, message, button["callback_data"])

    def link(self, title: str) -> str:
        """Return the address that an inline button opens."""
        button = self._button(title, None)[1]
        address = button.get("url") or button["web_app"]["url"]
        return str(address)

    async def block(self) -> Answer:
        """Stop the bot: it is told, and what it sends from here on is refused."""
        self.blocked = True
        return await self._telegram.member_changed(self, "member", "kicked")

    async def unblock(self) -> Answer:
        """Let the bot write again."""
        self.blocked = False
        return await self._telegram.member_changed(self, "kicked", "member")

    def _button(self, title: str, message_id: int | None) -> tuple[dict[str, Any], dict[str, Any]]:
        for message in reversed(self.received):
            if message_id in (None, message["message_id"]):
                for row in message.get("reply_markup", {}).get("inline_keyboard", []):
                    for button in row:
                        if button["text"] == title:
                            return message, button
        raise LookupError(f"No message has an inline button {title!r}.")

    def _put_keyboard_away(self) -> None:
        if self.keyboard is not None and self.keyboard.get("one_time_keyboard"):
            self.keyboard = None


class TelegramGroup:
    """A group chat that the bot is a member of."""

    def __init__(self, telegram: Telegram, id: int, title: str) -> None:
        self._telegram = telegram
        self.chat: dict[str, Any] = {"id": id, "type": "supergroup", "title": title}

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return all messages of the group, in their present state."""
        return self._telegram.messages_of(self.chat["id"])

    async def say(self, user: TelegramUser, text: str, reply_to: dict[str, Any] | None = None) -> Answer:
        """Let a member write; ``@<bot>`` in the text becomes a mention."""
        name = f"@{self._telegram.bot_name}"
        more: dict[str, Any] = {}
        if name in text:
            offset = count(text[: text.index(name)], "utf-16 units")
            more["entities"] = [{"type": "mention", "offset": offset, "length": len(name)}]
        if reply_to is not None:
            more["reply_to_message"] = reply_to
        return await user.say(text, self.chat, **more)
