"""Shows all that a text may mean to a bot, taken or not, and what each reading lost against."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

from dialoom.engine import Flow
from dialoom.flow.model import Bot, QnAType, TraitType
from dialoom.understanding.candidate import Candidate
from dialoom.understanding.values import READ_TYPES

Standing = Literal["understood", "covered", "unsure", "too-close", "behind"]
"""What became of a reading. ``covered``: a longer reading has its place; ``unsure``: below the threshold;
``too-close``: the next likeliest is too near; ``behind``: another value of the competing types is likelier."""


class Seen(msgspec.Struct, frozen=True, rename="camel"):
    """Shows a reading. ``lost_to``: the type and value that it lost against. ``is_asked``: a question of the flow asks
    for the type, or it is a wish or a question that the user may have at any time."""

    type: str
    value: Any
    confidence: float
    start: int
    end: int
    text: str
    standing: Standing
    lost_to: tuple[str, Any] | None
    is_asked: bool


class Readings(msgspec.Struct, frozen=True, rename="camel"):
    """Shows what was read. ``seen_as``: the text with slots in place of values, as it is compared with expressions;
    empty where it has none."""

    candidates: tuple[Seen, ...]
    threshold: float
    margin: float
    seen_as: str = ""


class Sense(msgspec.Struct, frozen=True):
    """Names a value that a whole sentence means, or may mean."""

    type: str
    value: str
    confidence: float


def sense_types(bot: Bot) -> tuple[str, ...]:
    """Return the types that the whole of a sentence decides."""
    return tuple(one.name for one in bot.training.entity_definitions if isinstance(one, TraitType | QnAType))


def asked_types(bot: Bot) -> frozenset[str]:
    """Return the types that some question of the flow asks for."""
    asked = (getattr(step, "entity_type", None) for one in bot.flow.conversations.values() for step in one.steps)
    return frozenset(type_ for type_ in asked if isinstance(type_, str))


def moment(flow: Flow, now: int) -> datetime:
    return datetime.fromtimestamp(now / 1000, UTC).astimezone(flow.zones[flow.timezone])


def readings(bot: Bot, flow: Flow, text: str, now: int) -> Readings:
    """Return the readings of a text, those that are understood first. ``now``: milliseconds since 1970."""
    settings = bot.flow.settings.understanding
    at = moment(flow, now)
    senses = sense_types(bot)
    asked = asked_types(bot)
    others = [one.name for one in bot.training.entity_definitions if one.name not in senses]
    others += [type_ for type_ in sorted(READ_TYPES) if type_ != "Text"]
    read = flow.recogniser.recognise(text, (*senses, *others), at)
    meant = [one for type_ in senses for one in read[type_]]
    seen = [_seen(one, "understood", None, asked) for one in meant]
    seen += _senses(flow.recogniser.likeliest(text, senses, at) if text.strip() else [], meant, asked, settings)
    inside = [one for type_ in others for one in read[type_]]
    seen += [_inside(one, inside, asked) for one in inside]
    order = sorted(seen, key=lambda one: (one.standing != "understood", not one.is_asked, -one.confidence, one.start))
    compared = flow.recogniser.with_types(text, at)
    return Readings(tuple(order), settings.threshold, settings.margin, compared if compared != text else "")


def sense(bot: Bot, flow: Flow, text: str, now: int) -> tuple[Sense | None, Sense | None]:
    """Return what a whole sentence is understood as, and what is likeliest."""
    types, at = sense_types(bot), moment(flow, now)
    if not types or not text.strip():
        return None, None
    understood = [one for found in flow.recogniser.recognise(text, types, at).values() for one in found]
    likely = flow.recogniser.likeliest(text, types, at)
    best = max(understood, key=lambda one: one.confidence, default=None)
    nearest = best or (likely[0] if likely else None)
    return _sense(best), _sense(nearest)


def _sense(one: Candidate | None) -> Sense | None:
    return None if one is None else Sense(one.type, one.value["value"], round(one.confidence, 3))


def _senses(likely: list[Candidate], meant: list[Candidate], asked: frozenset[str], settings: Any) -> list[Seen]:
    taken = {(one.type, one.value["value"]) for one in meant}
    rest = [one for one in likely if (one.type, one.value["value"]) not in taken]
    found: list[Seen] = []
    for index, one in enumerate(rest):
        better = max([*meant, *rest[:index]], key=lambda other: other.confidence, default=None)
        if one.confidence < settings.threshold:
            standing: Standing = "unsure"
        elif better is None:
            standing, better = "too-close", rest[1] if len(rest) > 1 else None
        else:
            standing = "behind"
        found.append(_seen(one, standing, better, asked))
    return found


def _inside(one: Candidate, others: list[Candidate], asked: frozenset[str]) -> Seen:
    """Return how a value inside the text stands against longer ones of other types at the same place."""
    longer = [
        other
        for other in others
        if other.start < one.end and one.start < other.end and other.end - other.start > one.end - one.start
    ]
    lost = max(longer, key=lambda other: other.end - other.start, default=None)
    return _seen(one, "understood" if lost is None else "covered", lost, asked)


def _seen(one: Candidate, standing: Standing, lost_to: Candidate | None, asked: frozenset[str]) -> Seen:
    return Seen(
        type=one.type,
        value=_plain(one.value),
        confidence=round(one.confidence, 3),
        start=one.start,
        end=one.end,
        text=one.text,
        standing=standing,
        lost_to=None if lost_to is None else (lost_to.type, _plain(lost_to.value)),
        is_asked=one.type in asked or one.type == "Conversation",
    )


def _plain(value: Any) -> Any:
    return value["value"] if isinstance(value, dict) and "value" in value else value
