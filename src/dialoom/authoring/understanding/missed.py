"""Collects sentences of real users that were not understood, from the records, which are masked.

Sentences that read the same once they are normalised are one; those that are nearest to the same value are a group.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from dialoom.authoring.understanding.candidates import Sense, sense
from dialoom.engine import Flow
from dialoom.flow.model import Bot, QnAType, TraitType
from dialoom.messages.records import OfferedWish
from dialoom.query import Selection, parse_query, parse_sort
from dialoom.service.bots.masking import MASK
from dialoom.service.records.record_stream import walk
from dialoom.storage.store import Store
from dialoom.understanding.normalise import normalise

MAX_MESSAGES: Final = 5_000
"""Messages that were not understood and are looked at, the newest first."""
MAX_SENTENCES: Final = 300
"""Sentences that are shown, those that were said most often."""
MAX_CONVERSATIONS: Final = 20
"""Conversations that are named of each sentence, the newest."""
MAX_CHARS: Final = 300
"""Characters of a sentence; longer texts are no expressions."""
NEAR: Final = 0.15
"""Confidence of the likeliest value from which a sentence is in its group."""


class _Message(msgspec.Struct, rename="pascal"):
    conversation: str
    created_at: str
    type: Any = None
    text: Any = None
    understanding: Any = None
    offered: Any = None


class Said(msgspec.Struct, rename="camel"):
    """A sentence, as it was said last. ``senses``: of the types that it was understood as, though it did not help.
    ``offered``: types and values that users were offered for it, the likelier ones first."""

    text: str
    last_at: str
    count: int
    conversations: list[str]
    senses: set[str]
    offered: dict[tuple[str, str], None]


class Missed(msgspec.Struct, frozen=True):
    """Holds the sentences, the most frequent first. ``is_cut``: there are more messages than were looked at."""

    sentences: tuple[Said, ...]
    messages: int
    is_cut: bool


class Sentence(msgspec.Struct, frozen=True, rename="camel"):
    """Shows a sentence. ``understood``: what the draft understands it as, where users were not understood.
    ``offered``: what users were asked about, of what the draft still has."""

    text: str
    last_at: str
    count: int
    conversations: tuple[str, ...]
    nearest: Sense | None
    understood: Sense | None
    offered: tuple[OfferedWish, ...]


class Group(msgspec.Struct, frozen=True):
    """Holds sentences that are nearest to one value; ``type`` and ``value`` are None for those that are near none."""

    type: str | None
    value: str | None
    count: int
    sentences: tuple[Sentence, ...]


_decode = msgspec.json.Decoder(_Message).decode


async def missed_since(store: Store, bot: str, since: str, most: int = MAX_MESSAGES) -> Missed:
    """Return the sentences of users since a time (ISO 8601) that were not understood."""
    query = {"CreatedAt": {"$gte": since}, "Understood": False, "From": "user", "Type": "text"}
    selection = Selection(parse_query(msgspec.json.encode(query).decode()), parse_sort('{"CreatedAt":-1,"_id":-1}'))
    found: dict[str, Said] = {}
    looked = 0
    async for records in walk(store, "messages", bot, selection):
        given = records[: most - looked]
        looked += len(given)
        await asyncio.to_thread(_take, found, given)
        if len(given) < len(records):
            return Missed(_most(found), looked, True)
    return Missed(_most(found), looked, False)


def grouped(bot: Bot, flow: Flow, sentences: tuple[Said, ...], now: int) -> tuple[Group, ...]:
    """Group sentences by the value that they are nearest to, the largest group first."""
    groups: dict[tuple[str, str] | None, list[Sentence]] = {}
    types = [one for one in bot.training.entity_definitions if isinstance(one, TraitType | QnAType)]
    known = {(one.name, value.value) for one in types for value in one.data}
    for said in sentences:
        understood, nearest = sense(bot, flow, said.text, now)
        if understood is not None and understood.type in said.senses:
            understood = None
        key = (nearest.type, nearest.value) if nearest is not None and nearest.confidence >= NEAR else None
        offered = tuple(OfferedWish(*one) for one in said.offered if one in known)
        shown = Sentence(said.text, said.last_at, said.count, tuple(said.conversations), nearest, understood, offered)
        groups.setdefault(key, []).append(shown)
    listed = []
    for key, members in groups.items():
        type_, value = key or (None, None)
        listed.append(Group(type_, value, sum(one.count for one in members), tuple(members)))
    return tuple(sorted(listed, key=lambda group: (group.type is None, -group.count)))


def _most(found: dict[str, Said]) -> tuple[Said, ...]:
    return tuple(sorted(found.values(), key=lambda said: -said.count)[:MAX_SENTENCES])


def _take(found: dict[str, Said], records: list[bytes]) -> None:
    for record in records:
        message = _decode(record)
        text = message.text
        if not isinstance(text, str) or MASK in text or len(text) > MAX_CHARS:
            continue
        key = normalise(text)
        if not key:
            continue
        said = found.setdefault(key, Said(text.strip(), message.created_at, 0, [], set(), {}))
        said.count += 1
        if message.conversation not in said.conversations and len(said.conversations) < MAX_CONVERSATIONS:
            said.conversations.append(message.conversation)
        understanding = message.understanding
        said.senses.update(understanding if isinstance(understanding, dict) else ())
        said.offered.update(dict.fromkeys(_wishes(message.offered)))


def _wishes(offered: Any) -> Iterator[tuple[str, str]]:
    """Yield type and value of what a record says was offered; an imported one may hold anything."""
    for one in offered if isinstance(offered, list) else ():
        if isinstance(one, dict) and isinstance(one.get("type"), str) and isinstance(one.get("value"), str):
            yield one["type"], one["value"]
