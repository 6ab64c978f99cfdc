"""The talks of docs/why/talks.md, had again: each line that the bot says must stand there as it comes."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import re
import threading
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dialoom.auth.vault import Vault
from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.authoring.play import channel_of
from dialoom.authoring.scenarios import UserTurn
from dialoom.authoring.talk import Talk
from dialoom.data.egress import Egress
from dialoom.data.fetcher import HttpFetcher
from dialoom.engine import compile_flow
from dialoom.engine.effects import Failed, Send
from dialoom.flow import read_files
from dialoom.messages.plain import plain_title
from dialoom.service.bots.bots import Bots
from dialoom.service.bots.outbound_calls import OutboundCalls
from dialoom.service.clock import SystemClock
from dialoom.template import prepare
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from dialoom.engine import Flow, Turn
    from dialoom.engine.effects import Request
    from dialoom.engine.events import NoResponse, Response
    from dialoom.flow import Bot

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "why" / "talks.md").read_text("utf-8")
BACK_ENDS = {"clinic": ("Clinic", 8089), "shop": ("Shop", 8090)}
MONDAY = datetime(2027, 3, 1, 8, 0, tzinfo=UTC)

JUDGED = re.findall(r"^```talk (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
JUDGEMENT = re.compile(r"^= (\w+)\n", re.MULTILINE)
TALKS = [(folder, JUDGEMENT.sub("", talk)) for folder, talk in JUDGED]


@contextmanager
def back_end(folder: Path, data: Path) -> Iterator[dict[str, str]]:
    """The bot's files, calling its back end, on whose clock it is that Monday too."""
    files = {name: (folder / name).read_text("utf-8") for name in ("bot.json", "flow.json", "training.json")}
    if (folder / "mocks.json").exists():
        files["mocks.json"] = (folder / "mocks.json").read_text("utf-8")
    if folder.name not in BACK_ENDS:
        yield files
        return
    kind, port = BACK_ENDS[folder.name]
    spec = importlib.util.spec_from_file_location(f"{folder.name}_of_talks", folder / "backend.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    server = module.Server(getattr(module, kind)(data, now=lambda: MONDAY), 0)
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    try:
        yield {
            name: text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{server.server_port}") for name, text in files.items()
        }
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def shown(turn: Turn) -> list[str]:
    lines: list[str] = []
    for effect in turn.effects:
        assert not isinstance(effect, Failed), effect
        if isinstance(effect, Send):
            message = effect.message
            lines += [f"  {line}".rstrip() for line in message.text.splitlines()]
            options = message.replies
            if message.dialog is not None:
                options = message.dialog.options
                lines.append(f"  <{message.dialog.type}: {plain_title(message.dialog.title)}>")
            if options:
                lines.append("  " + " ".join(f"[{plain_title(option.title)}]" for option in options[:8]))
    return lines


def have(files: dict[str, str], said: list[str]) -> str:
    """The talk as it is now, in the form of the page."""
    mocked = MockFetcher(json.loads(files["mocks.json"])) if "mocks.json" in files else None
    bot = read_files({name: text for name, text in files.items() if name != "mocks.json"})
    prepare(bot.file.language, bot.flow.settings.timezone)
    return asyncio.run(_have(bot, compile_flow(bot), said, mocked))


async def _have(bot: Bot, flow: Flow, said: list[str], mocked: MockFetcher | None) -> str:
    fetcher = HttpFetcher(Egress(True, frozenset(), frozenset()))
    outside = OutboundCalls(fetcher, Bots(TemporaryStore(), Vault.from_keys([bytes(32)]), SystemClock()), 60)

    def calls() -> Callable[[Request], Awaitable[Response | NoResponse]]:
        if mocked is not None:
            return mocked.fetch
        deadline = outside.deadline()
        return lambda request: outside.call(bot, request, deadline)

    clock = iter(range(int(MONDAY.timestamp()) * 1000, 2**62, 1000))
    talk = Talk(flow, channel_of(bot, "web"), calls, lambda: next(clock))
    lines: list[str] = []
    try:
        for text in said:
            lines += [f"> {text}".rstrip(), *shown(await talk.hear(UserTurn(text=text)))]
    finally:
        await fetcher.close()
    return "\n".join(lines) + "\n"


def lines_of_user(talk: str) -> list[str]:
    return [line[1:].strip() for line in talk.splitlines() if line.startswith(">")]


def test_the_page_has_six_talks() -> None:
    halls = [f"tests/docs/town_hall/{language}" for language in ("en", "de", "fr")]
    assert [folder for folder, _ in TALKS] == ["examples/clinic", "examples/shop", "tests/docs/salon", *halls]


def test_each_exchange_has_a_judgement_and_the_page_counts_them() -> None:
    judgements: list[str] = []
    for _, talk in JUDGED:
        judgements += (found := JUDGEMENT.findall(talk))
        assert len(found) == len(lines_of_user(talk))
    assert set(judgements) == {"right", "acceptable"}
    counted = [judgements.count(one) for one in ("right", "acceptable")]
    told = re.search(r"Of the (\d+) exchanges\s+(\d+) are right, (\d+) acceptable, none wrong, none harmful", PAGE)
    assert told is not None
    assert [int(one) for one in told.groups()] == [len(judgements), *counted]


@pytest.mark.parametrize(("folder", "talk"), TALKS, ids=[folder for folder, _ in TALKS])
def test_the_bot_answers_as_the_page_says(folder: str, talk: str, tmp_path: Path) -> None:
    with back_end(ROOT / folder, tmp_path) as files:
        assert have(files, lines_of_user(talk)) == talk
