"""Plays conversation tests against the engine: no store, no network, a clock that moves a second a step."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from dialoom.authoring.compare import accepted, difference
from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.channels import rest
from dialoom.engine import begin, dynamic, turn
from dialoom.engine.effects import Failed, Heard, Refresh, Send
from dialoom.engine.events import (
    Attached,
    Attachment,
    Began,
    ContextGiven,
    Event,
    Fetched,
    Located,
    LoggedIn,
    LoginFailed,
    NoResponse,
    Picked,
    Response,
    Said,
)
from dialoom.errors import FlowError, RemoteError
from dialoom.messages import Profile
from dialoom.service.bots.masking import MASK, Masking

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from dialoom.authoring.scenarios import Scenario, TestStep, UserTurn
    from dialoom.engine import Flow, State, Turn
    from dialoom.engine.effects import Request
    from dialoom.flow.channels import Channel
    from dialoom.flow.model import Bot


class Played(msgspec.Struct, frozen=True):
    """Holds a step that was played: what came, and lines on what was expected instead; none where it is as expected."""

    came: tuple[dict[str, Any], ...]
    lines: tuple[str, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """Says how a scenario went, up to the first step that differs (all steps when it is played for an update)."""

    scenario: Scenario
    steps: tuple[Played, ...]
    seconds: float = 0.0

    @property
    def lines(self) -> tuple[str, ...]:
        """Return what was expected and what came at the first step that differs."""
        return next((step.lines for step in self.steps if step.lines), ())

    @property
    def is_passed(self) -> bool:
        return not self.lines


class Player:
    """Plays the scenarios of one bot, each a new user."""

    def __init__(self, bot: Bot, flow: Flow, *, goes_on: bool = False) -> None:
        """Play one scenario. ``goes_on``: past steps that differ, so that all of them are compared."""
        self._bot = bot
        self._flow = flow
        self._goes_on = goes_on
        authentication = bot.flow.settings.authentication
        self._masking = Masking(authentication.entity if authentication else None)
        self._filled: dict[bytes, Flow] = {}
        """Lists of dynamic data, as JSON, to the flow with their values: most scenarios of a file share one."""

    async def play(self, scenario: Scenario) -> Outcome:
        began = time.perf_counter()
        fetcher = MockFetcher(scenario.mocks)
        flow = await self._with_lists(scenario)
        now = time.time_ns() // 1_000_000 if scenario.now is None else scenario.now
        channel = channel_of(self._bot, scenario.channel)
        state, steps = begin(), []
        for index, step in enumerate(scenario.steps):
            event = event_of(step.user, channel, scenario.context, index, now + index * 1000, f"test-{index}")
            done = await whole_turn(flow, state, event, fetcher.fetch)
            state = done.state
            came = messages_of(done)
            lines = self._judge(step, index, came, done, fetcher)
            steps.append(Played(tuple(came), tuple(lines)))
            if fetcher.missing or (lines and not self._goes_on):
                break
        return Outcome(scenario, tuple(steps), time.perf_counter() - began)

    def _judge(
        self, step: TestStep, index: int, messages: list[dict[str, Any]], done: Turn, fetcher: MockFetcher
    ) -> list[str]:
        missing = [f"! no mock for {request}" for request in fetcher.missing]
        if not missing and accepted(step.bot, messages):
            return []
        mask = self._masking
        user = mask.value(msgspec.to_builtins(step.user))
        heard = next((effect for effect in done.effects if isinstance(effect, Heard)), None)
        is_hidden = heard is not None and heard.entity is not None and mask.hides(heard.entity)
        said = user["text"] if list(user) == ["text"] else msgspec.json.encode(user).decode()
        lines = [f"step {index + 1}, user: {MASK if is_hidden else said}", *missing, *difference(step.bot, messages)]
        if heard is not None:
            understanding = MASK if is_hidden else msgspec.json.encode(mask.value(heard.understanding)).decode()
            lines.append(f"understood: {understanding}")
        lines += [f"failed: {effect.step}: {effect.reason}" for effect in done.effects if isinstance(effect, Failed)]
        return [mask.text(line) for line in lines]

    async def _with_lists(self, scenario: Scenario) -> Flow:
        """Return the flow with the list elements that the scenario gives, or a mock of the endpoint; else as ``data``
        has it."""
        types = dynamic.dynamic_types(self._flow)
        for name in scenario.dynamic_data:
            if name not in types:
                known = f" Those are {', '.join(types)}." if types else ""
                raise FlowError([f'"{scenario.title}": "{name}" is no type that has dynamic-data.{known}'])
        lists: dict[str, Any] = {}
        for type in types:
            if type in scenario.dynamic_data:
                lists[type] = scenario.dynamic_data[type]
            elif (elements := await self._mocked(type, scenario)) is not None:
                lists[type] = elements
        key = msgspec.json.encode(lists)
        if key not in self._filled:
            self._filled[key] = dynamic.filled(self._flow, lists)
        return self._filled[key]

    async def _mocked(self, type: str, scenario: Scenario) -> list[Any] | None:
        """Return the list that a mock gives; one that cannot be read is None, and nothing fails by that
        (flow-language.md section 9)."""
        try:
            answer = await MockFetcher(scenario.mocks).fetch(dynamic.request(self._flow, type))
            return dynamic.elements(self._flow, type, answer) if isinstance(answer, Response) else None
        except RemoteError:
            return None


def messages_of(done: Turn) -> list[dict[str, Any]]:
    """Return what the bot said, in the form of the rest channel."""
    sent = [effect.message for effect in done.effects if isinstance(effect, Send)]
    return [form for message in sent for form in rest.forms(message)]


NO_PROVIDER = NoResponse("login", "No provider is asked outside of the service.")


async def whole_turn(
    flow: Flow,
    state: State,
    event: Event,
    call: Callable[[Request], Awaitable[Any]],
    *,
    is_traced: bool = False,
    run: Callable[..., Turn] = turn,
) -> Turn:
    """Run one event with its outside calls, which ``call`` makes: it returns a ``Response`` or ``NoResponse``. A login
    that has expired is not renewed: the user has to log in. ``run`` calls the engine."""
    done = run(flow, state, event, is_traced=is_traced)
    while (wanted := done.pending) is not None:
        began = time.perf_counter()
        answer = NO_PROVIDER if isinstance(wanted, Refresh) else await call(wanted.request)
        fetched = Fetched(
            key=wanted.key,
            response=answer if isinstance(answer, Response) else None,
            failure=answer if isinstance(answer, NoResponse) else None,
            milliseconds=round((time.perf_counter() - began) * 1000) if is_traced else None,
        )
        done = run(flow, done.state, fetched, is_traced=is_traced)
    return done


def channel_of(bot: Bot, name: str | None, usual: str = "rest") -> Channel:
    """Return a channel by id, else by label; without a name the first of the ``usual`` label, else the first that there
    is. Raises ``FlowError`` for an unknown name."""
    named = (channel for channel in bot.channels if name in (channel.id, channel.type))
    found = next(named, None)
    if found is None and name is not None:
        known = ", ".join(channel.id for channel in bot.channels)
        raise FlowError([f'"{name}" is no channel of the bot "{bot.id}". Its channels are {known}.'])
    return found or next((one for one in bot.channels if one.type == usual), bot.channels[0])


def event_of(user: UserTurn, channel: Channel, context: dict[str, Any], index: int, now: int, id: str) -> Event:
    """Return the event of a user's turn. ``index`` is its seed, so that a talk that is played again chooses the same
    texts. ``id`` is to be a turn's own wherever calls are made for real."""
    common: dict[str, Any] = {
        "id": id,
        "now": now,
        "seed": index,
        "profile": Profile(id="test-user", channel=channel.id, provider=channel.type),
        "context": context | user.context,
    }
    if user.text is not UNSET:
        return Said(**common, text=user.text)
    if user.option is not UNSET:
        return Picked(**common, value=user.option)
    if user.location is not UNSET:
        point = user.location
        return Located(**common, latitude=point.latitude, longitude=point.longitude, name=point.name)
    if user.attachments is not UNSET:
        files = [
            Attachment(url=file.payload.url, mime_type=file.mime_type, name=file.name, labels=file.labels)
            for file in user.attachments
        ]
        return Attached(**common, files=tuple(files))
    if user.login == "failed":
        return LoginFailed(**common, reason="The scenario lets the login fail.")
    if isinstance(user.login, dict):
        return LoggedIn(**common, value=user.login)
    if user.event is not UNSET and user.event.type == "opening":
        return Began(**common)
    return ContextGiven(**common)
