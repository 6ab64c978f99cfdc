"""Says what a change of a bot's files would do: the tests that it turns, and what it makes of missed sentences."""

from __future__ import annotations

import msgspec

from dialoom.authoring.run_tests import Played
from dialoom.authoring.scenarios import FOLDER
from dialoom.authoring.understanding.candidates import Sense, sense
from dialoom.authoring.understanding.missed import Said
from dialoom.engine import Flow
from dialoom.flow.model import Bot


class TurnedTest(msgspec.Struct, frozen=True):
    file: str
    title: str
    lines: tuple[str, ...] = ()


class TurnedSentence(msgspec.Struct, frozen=True):
    """Shows a sentence that is understood otherwise. None: it is not understood."""

    text: str
    count: int
    before: Sense | None
    after: Sense | None


class Effect(msgspec.Struct, frozen=True):
    """``red``: tests that would fail and do not now; ``green``: those that would pass and do not now."""

    red: tuple[TurnedTest, ...]
    green: tuple[TurnedTest, ...]
    passed: int
    failed: int
    sentences: tuple[TurnedSentence, ...]


def turned_tests(before: Played, after: Played) -> tuple[tuple[TurnedTest, ...], tuple[TurnedTest, ...], int, int]:
    """Return the tests that turn red, those that turn green, and how many pass and fail after the change."""
    was, is_now = _outcomes(before), _outcomes(after)
    red = tuple(TurnedTest(*key, lines) for key, (ok, lines) in is_now.items() if not ok and was.get(key, (True,))[0])
    green = tuple(TurnedTest(*key) for key, (ok, _) in is_now.items() if ok and not was.get(key, (True,))[0])
    passed = sum(ok for ok, _ in is_now.values())
    return red, green, passed, len(is_now) - passed


def turned_sentences(
    before: tuple[Bot, Flow], after: tuple[Bot, Flow], sentences: tuple[Said, ...], now: int
) -> tuple[TurnedSentence, ...]:
    found = []
    for said in sentences:
        was, _ = sense(*before, said.text, now)
        becomes, _ = sense(*after, said.text, now)
        if _name(was) != _name(becomes):
            found.append(TurnedSentence(said.text, said.count, was, becomes))
    return tuple(found)


def _name(one: Sense | None) -> tuple[str, str] | None:
    return None if one is None else (one.type, one.value)


def _outcomes(played: Played) -> dict[tuple[str, str], tuple[bool, tuple[str, ...]]]:
    return {
        (f"{FOLDER}/{suite.file}", scenario.title): (outcome.is_passed, outcome.lines)
        for suite, outcomes in played
        for scenario, outcome in zip(suite.scenarios, outcomes, strict=True)
        if outcome is not None
    }
