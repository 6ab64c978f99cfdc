"""A copy of a bot's folder whose channels speak with stand-ins: tokens and secrets are theirs, names are the bot's own.

A bot that names no channel of a platform gets one of each, so that any bot can be tried on all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from dialoom.errors import SettingError
from dialoom.flow.read import files_of
from dialoom.testing.platforms import Alexa, Messenger, StandIn, Teams, Telegram, Viber

if TYPE_CHECKING:
    from pathlib import Path

Keys = Mapping[str, Any]
"""The keys of a channel in ``bot.json``."""


class Place(NamedTuple):
    """One channel of the bot and the stand-in that it speaks with."""

    channel: str
    """The channel's id."""
    shown_as: str
    platform: StandIn


def _named(channel: Keys, **names: str) -> dict[str, Any]:
    """Return the arguments of a stand-in that the channel's keys give it; a key that is no text gives nothing."""
    return {name: channel[key] for name, key in names.items() if isinstance(channel.get(key), str)}


_MADE: Mapping[str, Callable[[Keys], StandIn]] = {
    "messenger-1": lambda channel: Messenger(**_named(channel, page_id="page-id")),
    "messenger-2": lambda channel: Viber(**_named(channel, uri="uri")),
    "messenger-3": lambda channel: Telegram(**_named(channel, bot_name="bot-name")),
    "workplace-chat": lambda channel: Teams(**_named(channel, app_id="app-id", tenant="tenant")),
    "voice-assistant": lambda channel: Alexa(**_named(channel, skill_id="skill-id")),
}
"""By type, what makes the stand-in of a channel, in the order of the page's columns."""


def _keys(platform: StandIn) -> dict[str, str]:
    """Return what ``bot.json`` has to say of a channel that speaks with a stand-in."""
    if isinstance(platform, Messenger):
        secrets = {"app-secret": platform.app_secret, "page-token": platform.page_token}
        return {"page-id": platform.page_id, "verify-token": platform.verify_token, **secrets}
    if isinstance(platform, Viber):
        return {"auth-token": platform.auth_token, "uri": platform.uri}
    if isinstance(platform, Telegram):
        token = {"bot-token": platform.bot_token, "webhook-secret": "stand-in-webhook-secret"}
        return {**token, "bot-name": platform.bot_name}
    if isinstance(platform, Teams):
        return {"app-id": platform.app_id, "app-password": platform.app_password}
    assert isinstance(platform, Alexa)
    return {"skill-id": platform.skill_id}


class BotCopy:
    """Copies a bot's folder. ``places`` are its channels of platforms, with the stand-ins that they speak with."""

    def __init__(self, folder: Path, copy: Path) -> None:
        self._folder = folder
        self.folder = copy
        self.places: list[Place] = []
        whole = self._read()
        self.bot = str(whole.get("id", ""))
        """The bot's id."""
        channels = self._channels(whole)
        for type, make in _MADE.items():
            found = [channel for channel in channels if channel["type"] == type]
            if len(found) > 1:
                ids = ", ".join(str(channel.get("id")) for channel in found)
                raise SettingError(f"The sandbox plays one channel of each type; {folder} has {type} as {ids}.")
            for channel in found:
                name = channel.get("name")
                self.places.append(Place(channel["id"], name if isinstance(name, str) else "", make(channel)))
        if not self.places:
            self.places = [Place(type, "", make({})) for type, make in _MADE.items()]
        self.write()

    def write(self) -> None:
        """Copy the folder's files as they are at this moment. Raises ``FlowError`` where one cannot be read."""
        self.folder.mkdir(exist_ok=True)
        for name, text in files_of(self._folder).items():
            copied = json.dumps(self._with_stand_ins(self._read()), indent=2) if name == "bot.json" else text
            (self.folder / name).write_text(copied, "utf-8")

    def _read(self) -> dict[str, Any]:
        """Return ``bot.json``; empty where it is wrong, which the service says with line and column."""
        try:
            whole = json.loads((self._folder / "bot.json").read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return whole if isinstance(whole, dict) else {}

    @staticmethod
    def _channels(whole: Keys) -> list[dict[str, Any]]:
        channels = whole.get("channels")
        listed = channels if isinstance(channels, list) else []
        return [one for one in listed if isinstance(one, dict) and isinstance(one.get("id"), str) and "type" in one]

    def _with_stand_ins(self, whole: dict[str, Any]) -> dict[str, Any]:
        if not whole:
            return whole
        own = {place.channel: place for place in self.places}
        channels = self._channels(whole) or [{"id": type, "type": type} for type in ("web", "rest")]
        changed = []
        for channel in channels:
            place = own.pop(channel["id"], None)
            changed.append({**channel, **_keys(place.platform)} if place is not None else channel)
        changed += [
            {"id": place.channel, "type": place.platform.platform, **_keys(place.platform)} for place in own.values()
        ]
        return {**whole, "channels": changed}
