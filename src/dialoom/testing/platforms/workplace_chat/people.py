"""People who write to the bot in Teams: each action becomes a signed activity that the bot's endpoint gets."""

from __future__ import annotations

import base64
import json
import uuid
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from dialoom.testing.platforms.workplace_chat.activity_shapes import CARD
from dialoom.testing.platforms.workplace_chat.adaptive_cards import inputs_of, walk

if TYPE_CHECKING:
    from dialoom.testing.platforms.stand_in import Answer
    from dialoom.testing.platforms.workplace_chat.teams import Teams


class TeamsUser:
    """A person with a personal chat with the bot."""

    def __init__(self, teams: Teams, name: str, locale: str) -> None:
        self._teams = teams
        self.id = f"29:{uuid.uuid4().hex}"
        self.name = name
        self.locale = locale
        self.aad_object_id = str(uuid.uuid4())
        self.conversation: dict[str, Any] = {
            "id": f"a:{uuid.uuid4().hex}",
            "conversationType": "personal",
            "tenantId": teams.user_tenant,
        }
        self.has_installed = False
        self.messages: list[dict[str, Any]] = []
        """Those of both sides, in order, as activities, in their present state."""
        self.is_typing = False
        self.token: str | None = None
        """What the token service holds for this person once signed in."""
        self.sign_in_code: str | None = None

    @property
    def received(self) -> list[dict[str, Any]]:
        """Return the bot's messages, in their present state."""
        return [one for one in self.messages if one["from"]["id"] != self.id]

    @property
    def account(self) -> dict[str, Any]:
        """Return this person as activities name them."""
        return {"id": self.id, "name": self.name, "aadObjectId": self.aad_object_id}

    async def install(self) -> Answer:
        """Add the app: the bot is told of the installation and of its new conversation."""
        self.has_installed = True
        await self._post({"type": "installationUpdate", "action": "add"})
        members = [{"id": self._teams.bot_id}, {"id": self.id, "aadObjectId": self.aad_object_id}]
        return await self._post({"type": "conversationUpdate", "membersAdded": members})

    async def uninstall(self) -> Answer:
        """Remove the app: what the bot sends from here on is refused."""
        self.has_installed = False
        return await self._post({"type": "installationUpdate", "action": "remove"})

    async def say(self, text: str, conversation: dict[str, Any] | None = None, **more: Any) -> Answer:
        """Send a text; in a ``conversation`` that is a group or a channel, with a mention of the bot."""
        self.has_installed = True
        content: dict[str, Any] = {"text": text, "textFormat": "plain", **more}
        if conversation is not None:
            self._teams.groups[conversation["id"]] = self
            at = f"<at>{self._teams.bot_name}</at>"
            mentioned = {"id": self._teams.bot_id, "name": self._teams.bot_name}
            content |= {"text": f"{at} {text}", "conversation": conversation}
            content["entities"] = [self._client_info(), {"type": "mention", "mentioned": mentioned, "text": at}]
        return await self._post({"type": "message", **content}, shown=text)

    async def send_attachment(self, content_type: str, content_url: str) -> Answer:
        """Send a file or a picture without a text."""
        attachment = {"contentType": content_type, "contentUrl": content_url}
        return await self._post({"type": "message", "attachments": [attachment]}, shown=content_type)

    async def edit(self, activity_id: str, text: str) -> Answer:
        """Change a text that was sent."""
        channel_data = {"eventType": "editMessage"}
        return await self._post({"type": "messageUpdate", "id": activity_id, "text": text, "channelData": channel_data})

    async def delete(self, activity_id: str) -> Answer:
        """Delete a text that was sent."""
        channel_data = {"eventType": "softDeleteMessage"}
        return await self._post({"type": "messageDelete", "id": activity_id, "channelData": channel_data})

    async def submit(self, title: str, data: object = None, /, **inputs: str) -> Answer:
        """Press an action of a card, of several cards the newest, with the inputs filled in by their ids.

        ``data``: what the action carries, where cards of one message have actions of the same title.
        """
        message, card, action = self._action(title, data)
        known = {one["id"] for one in inputs_of(card)}
        if unknown := inputs.keys() - known:
            raise LookupError(f"The card has no inputs {sorted(unknown)}; it has {sorted(known)}.")
        return await self._press(message, action, inputs)

    async def press(self, title: str) -> Answer:
        """Press a button of a hero or sign-in card, or a suggested action."""
        for message in reversed(self.received):
            contents = [one.get("content", {}) for one in message.get("attachments", [])]
            buttons = [one for content in contents for one in content.get("buttons", [])]
            for button in [*buttons, *message.get("suggestedActions", {}).get("actions", [])]:
                if button["title"] != title:
                    continue
                if button["type"] == "imBack":
                    return await self.say(button["value"])
                if button["type"] == "messageBack":
                    content = {"text": button.get("text"), "value": button.get("value"), "replyToId": message["id"]}
                    return await self._post({"type": "message", **content}, shown=button.get("displayText"))
                raise LookupError(f"The button {title!r} is a {button['type']} and sends nothing.")
        raise LookupError(f"No message has a button {title!r}.")

    def link(self, title: str) -> str:
        """Return the address that a button of a card opens."""
        for message in reversed(self.received):
            for attachment in message.get("attachments", []):
                content = attachment.get("content", {})
                for button in [*content.get("buttons", []), *(one for one in walk(content) if "url" in one)]:
                    if button.get("title") == title:
                        return str(button.get("url") or button["value"])
        raise LookupError(f"No message has a button {title!r} that opens an address.")

    async def exchange_token(self, token: str = "stand-in-sso-token", id: str | None = None) -> Answer:  # noqa: S107  # no secret
        """Let Teams answer the last OAuth card without a click; status 412 or 404 makes it show the button."""
        card = self.oauth_card
        value = {"connectionName": card["connectionName"], "token": token}
        return await self._invoke("signin/tokenExchange", {"id": id or card["tokenExchangeResource"]["id"], **value})

    async def sign_in(self, provider_token: str = "stand-in-user-token") -> Answer:  # noqa: S107  # no secret
        """Sign in through the button of the last OAuth card, and let Teams tell the bot the code."""
        self.token = provider_token
        self.sign_in_code = str(100_000 + len(self.messages))
        return await self._invoke("signin/verifyState", {"state": self.sign_in_code})

    async def fail_to_sign_in(self, code: str = "resourcematchfailed") -> Answer:
        """Let Teams tell the bot that it could not exchange a token silently."""
        return await self._invoke("signin/failure", {"code": code, "message": "The exchange failed."})

    @property
    def oauth_card(self) -> dict[str, Any]:
        """Return the last OAuth card."""
        for message in reversed(self.received):
            for attachment in message.get("attachments", []):
                if attachment["contentType"] == CARD + "oauth":
                    found: dict[str, Any] = attachment["content"]
                    return found
        raise LookupError("The bot has sent no OAuth card.")

    def signed_in_state(self) -> dict[str, Any]:
        """Return the state that the service put into the link of the last OAuth card."""
        query = parse_qs(urlsplit(self.oauth_card["buttons"][0]["value"]).query)
        found: dict[str, Any] = json.loads(base64.b64decode(query["state"][0]))
        return found

    async def _press(self, message: dict[str, Any], action: dict[str, Any], inputs: dict[str, str]) -> Answer:
        data = action.get("data")
        teams = data.get("msteams") if isinstance(data, dict) else None
        reply = {"type": "message", "replyToId": message["id"]}
        if teams is None and isinstance(data, str) and not inputs:
            return await self._post({**reply, "text": data}, shown=action["title"])
        if teams is None:
            return await self._post({**reply, "value": {**(data if isinstance(data, dict) else {}), **inputs}})
        if teams["type"] == "imBack":
            return await self.say(teams["value"])
        value = teams.get("value", {})
        value = {**value, **inputs} if isinstance(value, dict) else value
        shown = teams.get("displayText")
        return await self._post({**reply, "text": teams.get("text"), "value": value}, shown=shown)

    def _action(self, title: str, data: object) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        for message in reversed(self.received):
            for attachment in message.get("attachments", []):
                for node in walk(attachment.get("content", {})):
                    is_named = node["type"] == "Action.Submit" and node.get("title") == title
                    if is_named and data in (None, node.get("data")):
                        return message, attachment["content"], node
        raise LookupError(f"No card has an action {title!r}.")

    async def _invoke(self, name: str, value: dict[str, Any]) -> Answer:
        return await self._post({"type": "invoke", "name": name, "value": value})

    async def _post(self, content: dict[str, Any], shown: str | None = None) -> Answer:
        activity = self._teams.activity(self, content)
        if shown is not None:
            self.messages.append({**activity, "text": shown})
        return await self._teams.post(activity)

    def _client_info(self) -> dict[str, Any]:
        return {
            "type": "clientInfo",
            "locale": self.locale,
            "country": "DE",
            "platform": "Web",
            "timezone": "Europe/Berlin",
        }
