"""Reads the pages of the flow reference: sections, tables, and examples that become a bot and a talk with it.

An example is a section with JSON blocks, each a file of a bot or a part of one, and a table of a talk behind them. What the
signs in it mean is told to readers in ``flow.md``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.authoring.play import channel_of, event_of, messages_of, whole_turn
from dialoom.authoring.scenarios import UserTurn
from dialoom.channels._contract import limits
from dialoom.engine import Flow, begin, compile_flow, dynamic
from dialoom.engine.events import Response
from dialoom.flow import read_files

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from dialoom.engine.effects import Request
    from dialoom.messages import Profile

DOCS = Path(__file__).parents[2] / "docs" / "look-up"
PAGES = ("flow", "steps", "displays", "data-source", "reactions", "training", "memory", "tests", "system-texts")
SCENARIO_KEYS = {"mocks", "now", "sender"}


# ---- pages -------------------------------------------------------------------------------------------------------


@dataclass
class Section:
    """What stands between two headings of a page."""

    page: str
    title: str
    text: str
    blocks: list[Any] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        """As GitHub makes it from a heading."""
        return re.sub(r"[^\w\- ]", "", self.title.lower()).replace(" ", "-")

    @property
    def id(self) -> str:
        return f"{self.page}#{self.anchor}"

    @property
    def talk(self) -> list[list[str]] | None:
        """The rows of its talk: (user, bot)."""
        return next((table[1:] for table in self.tables if table[0] == ["User", "Bot"]), None)


@cache
def sections() -> tuple[Section, ...]:
    found = []
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", _without_headings, (DOCS / f"{page}.md").read_text("utf-8"), flags=re.M | re.S)
        for part in re.split(r"^(?=#{1,5} )", text, flags=re.M)[1:]:
            title, _, rest = part.partition("\n")
            blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", rest, re.DOTALL)]
            outside = re.sub(r"```.*?```", "", rest, flags=re.S)
            found.append(Section(page, title.lstrip("# ").strip(), rest, blocks, list(_tables(outside))))
    return tuple(found)


def _without_headings(block: re.Match[str]) -> str:
    return re.sub(r"^#", " #", block[0], flags=re.M)


def _tables(text: str) -> Iterator[list[list[str]]]:
    for table in re.findall(r"(?:^\|.*\n?)+", text, re.M):
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.strip().splitlines()]
        yield [rows[0], *rows[2:]]


def section(id: str) -> Section:
    return next(one for one in sections() if one.id == id)


# ---- from blocks to a bot ----------------------------------------------------------------------------------------


@dataclass
class Example:
    files: dict[str, Any]
    scenario: dict[str, Any]
    suite: Any = None


def example(of: Section) -> Example:
    files: dict[str, Any] = {}
    scenario: dict[str, Any] = {}
    suite = None
    for block in of.blocks:
        if isinstance(block, list) or ("conversations" not in block and block.get("type")):
            steps = block if isinstance(block, list) else [block]
            files.setdefault("flow.json", {})["conversations"] = {"order": {"type": "goal", "steps": steps}}
        elif "scenarios" in block:
            suite = block
        elif "entity-definitions" in block:
            files["training.json"] = block
        elif "id" in block:
            files["bot.json"] = block
        elif block.keys() & SCENARIO_KEYS:
            scenario |= block
        else:
            files.setdefault("flow.json", {}).update(block)
    return Example(files, scenario, suite)


def whole(files: dict[str, Any]) -> dict[str, str]:
    """The files, and what a reader is told to add in thought: each conversation is started by its key."""
    conversations = files.get("flow.json", {}).get("conversations") or {"order": {"type": "goal", "steps": []}}
    flow = {"conversations": conversations} | files.get("flow.json", {})
    definitions = files.get("training.json", {}).get("entity-definitions", [])
    if not any(one["name"] == "Conversation" for one in definitions):
        keys = [key for key in conversations if key not in ("welcome", "help", "restart")]
        trait = {"value": "", "expressions": []}
        data = [trait | {"value": key, "expressions": [key]} for key in keys]
        definitions = [*definitions, {"name": "Conversation", "lookup-strategy": "trait", "data": data}]
    training = files.get("training.json", {}) | {"entity-definitions": definitions}
    made = {"bot.json": files.get("bot.json", {"id": "shop"}), "flow.json": flow, "training.json": training}
    return {name: json.dumps(value) for name, value in made.items()}


# ---- the talk ----------------------------------------------------------------------------------------------------

CODE = re.compile(r"`([^`]+)`")
LATER = re.compile(r"\*(\d+) minutes later\*\s*")
DIALOG = re.compile(r"\*(single-select|multi-select|carousel|date-picker|location-picker|login)\*")
CALL = re.compile(r"(GET|HEAD|POST|PUT|PATCH|DELETE) http")


def user_of(cell: str) -> UserTurn:
    if cell == "*opens the chat*":
        return msgspec.convert({"event": {"type": "opening"}}, UserTurn)
    code = CODE.fullmatch(cell)
    if code is None:
        return UserTurn(text=cell)
    if code[1].startswith("{"):
        return msgspec.convert(json.loads(code[1]), UserTurn)
    return UserTurn(option=code[1])


def expected(cell: str) -> tuple[list[list[dict[str, Any]]], list[list[str]]]:
    """What a cell of the bot's column says: the accepted lists of messages, and the calls."""
    calls, alternatives = [], []
    for alternative in cell.split(" *or* "):
        messages = []
        for piece in alternative.split("<br>"):
            codes = CODE.findall(piece)
            text = CODE.sub("", piece).strip()
            if codes and CALL.match(codes[0]):
                calls.append(codes)
            elif piece.strip() not in ("", "*nothing*"):
                messages.append(_message(text, codes))
        alternatives.append(messages)
    return alternatives, calls


def _message(text: str, codes: list[str]) -> dict[str, Any]:
    """As a rest client gets it, whole: what a cell leaves out must not be there."""
    dialog = DIALOG.search(text)
    text = DIALOG.sub("", text).strip()
    message: dict[str, Any] = {"text": text} if text else {}
    buttons = [{"title": code[1:-1]} for code in codes if code.startswith("[")]
    options = [_option(code) for code in codes if not code.startswith("[")]
    if dialog is None and options:
        message["quickReplies"] = [option["title"] for option in options]
        message["richQuickReplies"] = options
    elif dialog is not None and dialog[1] == "location-picker":
        message["template"] = {"type": dialog[1], "buttons": buttons}
    elif dialog is not None:
        if dialog[1] == "login":
            options = [{key: value for key, value in option.items() if key != "value"} for option in options]
        items = {"items": [_as_item(option) for option in options]} if dialog[1] != "date-picker" else {}
        message["v2template"] = {"type": dialog[1], **items, "buttons": buttons}
    return message


def _option(code: str) -> dict[str, Any]:
    """``title = value / subtitle / image``; all but the title may be left out."""
    named, *more = code.split(" / ")
    title, _, value = named.partition(" = ")
    option = {"title": title, "value": value or title}
    for one in more:
        option["image" if one.startswith("http") else "subtitle"] = one
    return option


def _as_item(option: dict[str, Any]) -> dict[str, Any]:
    return {"imageUrl" if key == "image" else key: value for key, value in option.items()}


def is_as_said(came: dict[str, Any], wanted: dict[str, Any]) -> bool:
    told = {key: value for key, value in came.items() if key != "template" or "v2template" not in came}
    return told == wanted


def is_call(request: Request, codes: list[str]) -> bool:
    said = {f"{request.method} {request.url}", *(f"{name}: {value}" for name, value in request.headers)}
    said |= {f"{name}: ${variable}" for name, variable in request.secret_headers}
    said |= {f"{request.timeout:g} s", f"with {request.credential}"}
    body = (request.body or b"").decode()
    return all(code in said or code == body or _json(code) == _json(body) is not None for code in codes)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


async def with_lists(flow: Flow, fetcher: MockFetcher) -> Flow:
    """With the values of its dynamic data, as the service reads them when it starts."""
    lists = {}
    for type in dynamic.dynamic_types(flow):
        answer = await fetcher.fetch(dynamic.request(flow, type))
        assert isinstance(answer, Response), answer
        lists[type] = dynamic.elements(flow, type, answer)
    return dynamic.filled(flow, lists)


def at_once(waiting: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine gives that waits for nothing: with mocks a turn never does."""
    try:
        waiting.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waits for something")


def play(of: Section) -> Iterator[tuple[str, list[dict[str, Any]], list[Request]]]:
    """What the user does in each row, with what came and the calls that were made."""
    made = example(of)
    bot = read_files(whole(made.files))
    channel = channel_of(bot, None)
    fetcher = MockFetcher(made.scenario.get("mocks", {}))
    flow = at_once(with_lists(compile_flow(bot), fetcher))
    moment = datetime.fromisoformat(made.scenario.get("now", "2027-03-01T09:00:00Z"))
    now, state = round(moment.timestamp() * 1000), begin()
    for index, (user, _) in enumerate(of.talk or ()):
        later = LATER.match(user)
        now += 1000 if later is None else int(later[1]) * 60_000
        said = user_of(LATER.sub("", user))
        event = event_of(said, channel, {}, index, now, f"test-{index}")
        event = msgspec.structs.replace(event, profile=_profile(event.profile, made.scenario.get("sender", {})))
        before = len(fetcher.requests)
        done = at_once(whole_turn(flow, state, event, fetcher.fetch))
        assert not fetcher.missing, fetcher.missing
        state = done.state
        yield user, messages_of(done), fetcher.requests[before:]


def _profile(plain: Profile, sender: dict[str, Any]) -> Profile:
    """The user as the rest channel learns of them from ``sender`` of a message."""
    first, last = limits.names(sender.get("name"), "")
    zone, locale = sender.get("timezone"), sender.get("locale")
    changed = {"id": sender.get("id", plain.id), "first_name": first, "last_name": last}
    return msgspec.structs.replace(plain, **changed, timezone=zone, locale=locale)
