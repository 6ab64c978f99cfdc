"""Collects the names that a bot's files define, for checks that look a name up, and compares names leniently.

Names in files that cannot be read are not known.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from dialoom.flow.channels import CHANNEL_ROWS, ChannelRow
from dialoom.flow.check.whole import Whole
from dialoom.flow.model import BUILT_IN_TYPES
from dialoom.flow.pieces import Piece
from dialoom.flow.variables import Variables

Finder = Callable[[str, Sequence[object]], Callable[[str, str, bool], bool]]
"""Of a language and the definitions of keywords and regex types: whether a text answers a question of a type, which may
take several values."""

Reads = Callable[[str, str, str], bool]
"""Of a language, a built-in type and a text: whether the whole text is a value as a ``range`` has it."""

Tests = Callable[[], Iterable[str]]
"""Returns the texts of a bot's conversation tests."""


class Known(NamedTuple):
    """``None`` stands where the file that defines the names could not be read: then nothing is dangling."""

    conversations: tuple[str, ...] | None
    runs: dict[str, frozenset[str]]
    """For each conversation those that it always runs in place, through others too."""
    definitions: dict[str, Piece] | None
    values: dict[str, list[Piece]]
    credentials: tuple[str, ...] | None
    live_agents: tuple[str, ...] | None
    channel_rows: tuple[ChannelRow, ...]
    has_authentication: bool
    has_labeller: bool
    """Also where bot.json cannot be read, since it may have one."""
    variables: Variables
    bot: str | None
    """Its id."""
    language: str
    names: Names
    whole: Whole
    reader: Reader
    tests: Tests
    """Called only where a check needs what the tests bring."""

    @property
    def is_only_spoken(self) -> bool:
        """Return whether the bot has channels, and all of them speak."""
        return bool(self.channel_rows) and all(row.is_spoken for row in self.channel_rows)

    @property
    def entity_types(self) -> tuple[str, ...] | None:
        """Return every legal ``entity-type``, the bot's own first; None where training.json could not be read."""
        return None if self.definitions is None else _once([*self.definitions, *sorted(BUILT_IN_TYPES)])

    def strategy(self, entity_type: str | None) -> str | None:
        """Return the ``lookup-strategy`` of a type that training.json defines, else None."""
        definition = (self.definitions or {}).get(entity_type or "")
        return definition.text("lookup-strategy") if definition else None


class Names:
    """What the user can say for the values of the keywords types; each type is gone through once."""

    def __init__(self, values: Mapping[str, list[Piece]]) -> None:
        self._values = values
        self._names: dict[str, dict[str, str]] = {}

    def of(self, entity_type: str) -> dict[str, str]:
        """Return the values and synonyms of a type by the form in which they are compared."""
        names = self._names.get(entity_type)
        if names is None:
            names = self._names[entity_type] = {}
            for value in self._values.get(entity_type, ()):
                for name in (value.text("value"), *value.list("synonyms")):
                    if isinstance(name, str):
                        names.setdefault(leniently(name), name)
        return names


class Reader:
    """Tells whether an option answers its question and a limit can be read, where a room above lends its
    understanding."""

    def __init__(
        self, finder: Finder | None, reads: Reads | None, language: str, definitions: Mapping[str, Piece]
    ) -> None:
        self._finder, self._reads, self._language, self._definitions = finder, reads, language, definitions

    def finds(self, step: Piece, text: str) -> bool | None:
        """Return whether the question is answered by choosing an option that says ``text``; None without a finder."""
        if self._finds is None:
            return None
        takes_many = step.value.get("capture-multiple-values") is True
        return self._finds(step.text("entity-type") or "", text, takes_many)

    def reads(self, entity_type: str, text: str) -> bool | None:
        """Return whether the whole text is a value of a built-in type; None where nobody lends the reading."""
        return None if self._reads is None else self._reads(self._language, entity_type, text)

    @cached_property
    def _finds(self) -> Callable[[str, str, bool], bool] | None:
        known = [
            one.value for one in self._definitions.values() if one.text("lookup-strategy") in ("keywords", "regex")
        ]
        return None if self._finder is None else self._finder(self._language, known)


def known_from(
    found: Sequence[Piece],
    unread: Collection[str],
    variables: Variables,
    finder: Finder | None = None,
    reads: Reads | None = None,
    tests: Tests = tuple,
) -> Known:
    """Collect the names out of ``found``; ``unread`` are the files that are missing or no JSON."""
    credentials: list[str] = []
    live_agents: list[str] = []
    conversations: list[str] = []
    runs: dict[str, set[str]] = {}
    definitions: dict[str, Piece] = {}
    values: dict[str, list[Piece]] = {}
    channel_types = set()
    language, bot = "en", None
    has_authentication, has_labeller = False, "bot.json" in unread
    for piece in found:
        if piece.kind == "bot":
            language, bot = piece.text("language") or language, piece.text("id")
            credentials += _keys(piece, "credentials")
            live_agents += _keys(piece, "live-agents")
            has_labeller |= bool(piece.text("image-labeller"))
        elif piece.kind == "flow":
            conversations += _keys(piece, "conversations")
        elif piece.kind == "step" and (name := always_run(piece)):
            runs.setdefault(str(piece.path[1]), set()).add(name)
        elif piece.kind == "channel":
            channel_types.add(piece.text("type") or "")
        elif piece.kind == "authentication":
            has_authentication = True
        elif piece.kind == "definition" and (name := piece.text("name")):
            definitions.setdefault(name, piece)
        elif piece.kind == "value" and piece.owner and (name := piece.owner.text("name")):
            values.setdefault(name, []).append(piece)
    return Known(
        conversations=None if "flow.json" in unread else _once(conversations),
        runs={name: _reached(name, runs) for name in runs},
        definitions=None if "training.json" in unread else definitions,
        values=values,
        credentials=None if "bot.json" in unread else _once(credentials),
        live_agents=None if "bot.json" in unread else _once(live_agents),
        channel_rows=tuple(row for row in CHANNEL_ROWS.values() if row.type in channel_types),
        has_authentication=has_authentication,
        has_labeller=has_labeller,
        variables=variables,
        bot=bot,
        language=language,
        names=Names(values),
        whole=Whole(found),
        reader=Reader(finder, reads, language, definitions),
        tests=tests,
    )


def always_run(step: Piece) -> str | None:
    """Return the conversation that this step always runs in place; None where it has conditions or runs none."""
    if step.text("type") != "conversation" or step.list("conditions"):
        return None
    return step.text("conversation")


def _reached(start: str, runs: dict[str, set[str]]) -> frozenset[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        new = runs.get(waiting.pop(), set()) - reached
        reached |= new
        waiting.extend(new)
    return frozenset(reached)


def _keys(piece: Piece, key: str) -> tuple[str, ...]:
    found = piece.value.get(key)
    return tuple(found) if isinstance(found, dict) else ()


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


_has_host = re.compile(
    r"(?:https?://[\w*.-]{1,80}|(?:\*\.|[a-z0-9-]{1,20}\.){1,3}[a-z]{2,12}|\*)(?::\d{1,5})?/?(?![\w*.-])"
).match
_ACCENTS = ("\u0300", "\u036f")


def plain(text: str) -> str:
    """Return the words of a text without case, accents and punctuation; a text without words is only trimmed."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if not folded.isascii():
        spread = unicodedata.normalize("NFD", folded)
        folded = "".join(sign for sign in spread if not _ACCENTS[0] <= sign <= _ACCENTS[1])
    words = "".join(sign if _is_of_a_word(sign) else " " for sign in folded).split()
    return " ".join(words) or folded.strip()


def _is_of_a_word(sign: str) -> bool:
    return sign.isalnum() or (not sign.isascii() and unicodedata.category(sign) in ("Mn", "Mc", "So"))


def leniently(text: str) -> str:
    """Return the letters and digits of a text without accents and case: as lenient as the understanding that will read
    the option."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in spread if character.isalnum())


def shown_address(address: str) -> str:
    """Return an address for a finding, up to its host. What has not the form of an address is not shown,
    nor one with ``@`` in it, since a password may stand before it."""
    found = None if "@" in address else _has_host(address)
    if found is None:
        return "This address"
    return f'"{address}"' if found.end() == len(address) else f'"{found[0]}…"'
