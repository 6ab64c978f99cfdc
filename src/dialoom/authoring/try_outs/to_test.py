"""Makes a conversation test of a try-out, and plays it: what stands in the way of its passing is told with it."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dialoom.authoring.as_test import SeenTurn, as_test, call_obstacles, without_token
from dialoom.authoring.play import Player
from dialoom.authoring.scenarios import FOLDER, suite_of
from dialoom.authoring.try_outs import options
from dialoom.authoring.update import json_text
from dialoom.errors import FlowError, RequestError

if TYPE_CHECKING:
    from dialoom.authoring.try_outs.kept import KeptTryOut, KeptTurn
    from dialoom.authoring.try_outs.tried_bots import Tried
    from dialoom.flow.channels import Channel

_NAME = re.compile(r"[\w .-]{1,100}\.json", re.ASCII)


class WrittenTest(NamedTuple):
    """Holds a test file. ``obstacles``: a sentence for each reason why the test will not pass as it stands."""

    file: str
    text: str
    obstacles: list[str]


async def to_test(kept: KeptTryOut, tried: Tried, channel: Channel, title: str, file: str | None) -> WrittenTest:
    """Return the test. ``file``: its path in the bot's folder; by default made from the title."""
    if not kept.turns:
        raise RequestError("try-out-empty", "This try-out has no turn, so there is nothing to test. Say something.")
    path = f"{FOLDER}/{_name(title, file)}"
    calls = [(call.request, call.answer) for turn in kept.turns for call in turn.calls]
    seen = [SeenTurn(_user(turn), turn.said) for turn in kept.turns]
    written = as_test(title, channel.id, kept.turns[0].at, seen, calls, tried.lists, kept.context)
    if kept.conversation is not None:
        # An erasure of its user finds it by this.
        written["scenarios"][0]["note"] = f"From the conversation {kept.conversation}."
    text = json_text(written) + "\n"
    obstacles = call_obstacles(calls) + _obstacles(kept, tried)
    return WrittenTest(path, text, obstacles or await asyncio.to_thread(asyncio.run, _failures(path, text, tried)))


def _name(title: str, file: str | None) -> str:
    if file is None:
        plain = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60]
        return f"{plain or 'try-out'}.json"
    name = file.removeprefix(f"{FOLDER}/")
    if not _NAME.fullmatch(name) or name.startswith("."):
        detail = f'A test is a file of letters, digits, ".", "-" and "_" in {FOLDER}/ that ends in .json.'
        raise RequestError("bad-body", detail, pointer="/file")
    return name


def _user(turn: KeptTurn) -> dict[str, Any]:
    """Return what the user did. Options stand there by value: keys are other ones at each run."""
    done: dict[str, Any] = msgspec.to_builtins(turn.user)
    keys = options.keys_of(done.get("option"))
    if keys == ():
        done["option"] = done["option"]["value"]
    elif keys and turn.picked:
        values = [one.value for one in turn.picked]
        done["option"] = values[0] if len(values) == 1 else values
    return without_token(done)


def _obstacles(kept: KeptTryOut, tried: Tried) -> list[str]:
    found = []
    for index, turn in enumerate(kept.turns, 1):
        keys = options.keys_of(turn.user.option)
        if keys and not turn.picked:
            found.append(
                f"Turn {index} chose an option that the bot had not offered, and a test names options by value."
            )
    zone = tried.deployed.bot.flow.settings.timezone
    if kept.timezone is not None and kept.timezone != zone:
        found.append(f"The try-out was in the time zone {kept.timezone}, and tests are in the bot's, {zone}.")
    return found


async def _failures(path: str, text: str, tried: Tried) -> list[str]:
    """Return a sentence with what differs where the test does not pass."""
    try:
        suite = suite_of(path.removeprefix(f"{FOLDER}/"), text.encode())
        outcome = await Player(tried.deployed.bot, tried.deployed.flow).play(suite.scenarios[0])
    except (FlowError, msgspec.ValidationError) as error:
        return [f"The test cannot be played: {error}"]
    if outcome.is_passed:
        return []
    return [
        "Played at once, the test differs from what was seen: " + json.dumps(outcome.lines[:10], ensure_ascii=False)
    ]
