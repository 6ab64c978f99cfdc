"""Plays conversation tests against the engine: no store, no network, a clock that moves a second a step."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.channels import rest
from dialoom.engine import begin, turn
from dialoom.engine.effects import Failed, Heard, Send
from dialoom.engine.events import (
    Attached,
    Attachment,
    Began,
    Event,
    Fetched,
    Located,
    NoResponse,
    Picked,
    Response,
    Said,
    Told,
)
from dialoom.messages import Profile
from dialoom.testing.compare import accepted, difference
from dialoom.testing.fetcher import MockFetcher

if TYPE_CHECKING:
    from dialoom.engine import Flow, State, Turn
    from dialoom.flow.model import Bot, Channel
    from dialoom.testing.scenarios import Scenario, TestStep, UserTurn


class Outcome(msgspec.Struct, frozen=True):
    """How a scenario went. ``lines`` say what was expected and what came; empty when it passed."""

    scenario: Scenario
    lines: tuple[str, ...] = ()
    seconds: float = 0.0
    came: tuple[tuple[dict[str, Any], ...], ...] = ()
    """The bot's messages of each step that was played."""

    @property
    def is_passed(self) -> bool:
        return not self.lines


async def play(bot: Bot, flow: Flow, scenario: Scenario) -> Outcome:
    """One scenario, from a new user on; stops at the first step that differs."""
    began = time.perf_counter()
    fetcher = MockFetcher(scenario.mocks)
    now = _now(scenario)
    state, came = begin(), []
    for index, step in enumerate(scenario.steps):
        event = _event(step.user, scenario, bot, index, now + index * 1000)
        done = await _turn(flow, state, event, fetcher)
        state = done.state
        messages = [rest.form(effect.message) for effect in done.effects if isinstance(effect, Send)]
        came.append(tuple(messages))
        lines = _judge(step, index, messages, done, fetcher)
        if lines:
            return Outcome(scenario, tuple(lines), time.perf_counter() - began, tuple(came))
    return Outcome(scenario, (), time.perf_counter() - began, tuple(came))


def _judge(step: TestStep, index: int, messages: list[dict[str, Any]], done: Turn, fetcher: MockFetcher) -> list[str]:
    missing = [f"! no mock for {request}" for request in fetcher.missing]
    if not missing and accepted(step.bot, messages):
        return []
    said = msgspec.json.encode(msgspec.structs.asdict(step.user)).decode()
    if step.user.text is not None:
        said = step.user.text
    lines = [f"step {index + 1}, user: {said}", *missing, *difference(step.bot, messages)]
    heard = next((effect for effect in done.effects if isinstance(effect, Heard)), None)
    if heard is not None:
        lines.append(f"understood: {msgspec.json.encode(heard.understanding).decode()}")
    lines += [f"failed: {effect.step}: {effect.reason}" for effect in done.effects if isinstance(effect, Failed)]
    return lines


async def _turn(flow: Flow, state: State, event: Event, fetcher: MockFetcher) -> Turn:
    done = turn(flow, state, event)
    while (fetch := done.pending) is not None:
        answer = await fetcher.fetch(fetch.request)
        fetched = Fetched(
            key=fetch.key,
            response=answer if isinstance(answer, Response) else None,
            failure=answer if isinstance(answer, NoResponse) else None,
        )
        done = turn(flow, done.state, fetched)
    return done


def _now(scenario: Scenario) -> int:
    if scenario.now is None:
        return time.time_ns() // 1_000_000
    moment = datetime.fromisoformat(scenario.now)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def _channel(bot: Bot, name: str | None) -> Channel:
    """By id, else by label; without a name the first rest channel, else the first."""
    for wanted in (name, "rest"):
        for channel in bot.channels:
            if wanted in (channel.id, channel.type):
                return channel
    return bot.channels[0]


def _event(user: UserTurn, scenario: Scenario, bot: Bot, index: int, now: int) -> Event:
    channel = _channel(bot, scenario.channel)
    common: dict[str, Any] = {
        "id": f"test-{index}",
        "now": now,
        "seed": index,
        "profile": Profile(id="test-user", channel=channel.id, provider=channel.type),
        "context": scenario.context | user.context,
    }
    if user.text is not None:
        return Said(**common, text=user.text)
    if user.option is not None:
        return Picked(**common, value=user.option)
    if user.location is not None:
        return Located(**common, **user.location)
    if user.attachments is not None:
        files = [
            Attachment(url=file["payload"]["url"], mime_type=file.get("mimeType"), name=file.get("name"))
            for file in user.attachments
        ]
        return Attached(**common, files=tuple(files))
    if user.event is not None and user.event.get("type") == "opening":
        return Began(**common)
    return Told(**common)
