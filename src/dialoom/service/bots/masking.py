"""Masks secrets before a record is written (the masking rule of history-api.md): values under hidden names, and the
same values wherever else a turn says them.

``Masking`` decides by name. ``MaskedValues`` finds what stands under such names in other texts: a bot may say it, and
a user brings it with a correction or among several values in one message.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

import msgspec

from dialoom.strict_json import is_number

MASK = "***"
MAX_VALUE_BYTES = 4096
"""Bytes of JSON of one value of memory in a record; above it only its size is kept (flow-language.md section 7)."""
MAX_CONTEXT_BYTES = 64 * 1024
"""Bytes of JSON of the whole context in a record, long values replaced; above it only its size is kept."""
_MIN_MEMBER_CHARS = 5
"""Bytes of JSON that a name and its value have at least: ``"":1,``."""

# A name is cut into words at case changes and at anything that is no letter or digit: apiKey, api-key, api_key alike.
# Letters of other alphabets count as small ones.
_WORD = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_SECRET_WORDS = frozenset({"secret", "token", "password", "pin", "authorization", "apikey"})
# A quarter of the time of cutting a name into words, and nearly every name has none of these.
_may_be_secret = re.compile(r"secret|token|password|pin|authorization|api", re.IGNORECASE).search
# Three or five base64url parts with points between them (RFC 7515 and 7516, section 7.1), wherever they stand among
# others: all that could belong to one is matched at once, so that a text of many beginnings costs no more than another.
_DOTTED = re.compile(r"(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{12,}+")
# The first part is a JSON object: a brace, and behind it a quotation mark, a space or the end of a line.
_HEADER = re.compile(r"(?<![A-Za-z0-9])e(?:y[A-DIJ]|w[k-r0-3])")
_MIN_HEADER_CHARS = 10


def _without_jwt(dotted: re.Match[str]) -> str:
    parts = dotted[0].split(".")
    for number, part in enumerate(parts[:-2]):
        found = _HEADER.search(part)
        if found is not None and len(part) - found.start() >= _MIN_HEADER_CHARS:
            # The point that ends a sentence is not the one behind an unsigned token's second part.
            end = [""] if not parts[-1] and len(parts) - number > 3 else []
            return ".".join([*parts[:number], part[: found.start()] + MASK, *end])
    return dotted[0]


def is_secret_name(name: str) -> bool:
    if _may_be_secret(name) is None:
        return False
    words = [word.lower() for word in _WORD.findall(name)]
    if not _SECRET_WORDS.isdisjoint(words):
        return True
    return any(pair == ("api", "key") for pair in pairwise(words))


_NEVER_MASKED: Final = frozenset({int, float, bool, type(None)})
"""Types of values in which no secret is looked for."""


class Masking:
    """Masks by the rule of one bot; ``authentication_entity`` is masked whatever its name."""

    def __init__(self, authentication_entity: str | None = None) -> None:
        self._authentication_entity = authentication_entity
        self._names: dict[str, bool] = {}

    @property
    def authentication_entity(self) -> str | None:
        return self._authentication_entity

    def hides(self, name: str) -> bool:
        """Return whether a value under this name is masked. The memo is bounded, since clients give names."""
        known = self._names.get(name)
        if known is None:
            known = name == self._authentication_entity or is_secret_name(name)
            if len(self._names) < 4096:
                self._names[name] = known
        return known

    def text(self, text: str) -> str:
        if "." in text and ("ey" in text or "ew" in text):
            return _DOTTED.sub(_without_jwt, text)
        return text

    def value(self, value: Any) -> Any:
        """Return ``value`` with every secret in it masked; the same object where it holds none."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            known = self._names.get
            shown = {}
            for key, item in value.items():
                # A call for each of these took a tenth of writing a turn down.
                is_hidden = known(key)
                if is_hidden is None:
                    is_hidden = self.hides(key)
                if is_hidden and item is not None:
                    masked: Any = MASK
                elif type(item) is str:
                    masked = self.text(item) if "." in item else item
                else:
                    masked = item if type(item) in _NEVER_MASKED else self.value(item)
                shown[self.text(key) if "." in key else key] = masked
            return shown
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        return value

    def memory(
        self, memory: dict[str, Any], before: dict[str, Any] | None = None, shown: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return memory as records show it: masked, and long values replaced by ``{"truncated": bytes}``.

        ``shown`` is what this returned for ``before``, an earlier state of the memory: objects that are in both are
        taken from there, so that a value that does not change costs nothing.
        """
        if before is None or shown is None:
            return {self.text(name): self._shown(name, value) for name, value in memory.items()}
        if memory is before:
            return shown
        if len(before) != len(shown):  # two names became one, or all of it is replaced by its size
            before = {}
        return {
            self.text(name): shown[name]
            if name in shown and before.get(name, before) is value
            else self._shown(name, value)
            for name, value in memory.items()
        }

    def context(
        self, context: dict[str, Any], before: dict[str, Any] | None = None, shown: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the context as records show it: as ``memory`` does, but ``{"truncated": bytes}`` in place of all of it
        when the record would hold more than ``MAX_CONTEXT_BYTES``, for a client can make it as large as memory."""
        if context is before and shown is not None:
            return shown
        if len(context) * _MIN_MEMBER_CHARS <= MAX_CONTEXT_BYTES:
            masked = self.memory(context, before, shown)
            if _size(masked) <= MAX_CONTEXT_BYTES:
                return masked
        return {"truncated": _size(context)}

    def _shown(self, name: str, value: Any) -> Any:
        if value is not None and self.hides(name):
            return MASK
        if isinstance(value, dict | list) or (isinstance(value, str) and len(value) >= MAX_VALUE_BYTES // 4):
            # Measured before it is masked: of a long value nothing but its size is needed.
            size = _size(value)
            if size > MAX_VALUE_BYTES:
                return {"truncated": size}
        return self.value(value)


def _size(value: Any) -> int:
    return len(msgspec.json.encode(value))


MIN_HIDDEN_CHARS = 4
"""Characters of a masked value that is looked for in all texts: a shorter one stands in any of them. What this very
message brought is looked for in it however short it is."""
PREFIX_CHARS = 4
"""Characters by which it is told whether a value may stand in a text at all."""
MAX_VALUES_PER_TEXT = 200
"""Values that are looked for in one text; one in which more may stand is masked as a whole."""
MAX_MATCHES = 10_000
"""Places of one text at which they stand or might; one with more is masked as a whole."""
_JOINING_BEFORE = frozenset("_.-")
_JOINING_BEHIND = frozenset("_-")


class Secrets(msgspec.Struct, frozen=True):
    """Holds the values under hidden names in one dictionary of a memory."""

    memory: dict[str, Any] = {}
    found: dict[str, frozenset[str | float]] = {}
    """By name in the memory; names under which there are none are left out."""
    masking: Masking | None = None
    """The rule that hides them."""

    def values(self) -> set[str | float]:
        return set().union(*self.found.values())


NO_SECRETS = Secrets()


class MaskedValues:
    """Masks the secrets of a turn in what was said. ``values``: those of the turn's memory. ``new``: those that it
    did not have before."""

    def __init__(self, values: Iterable[str | float], new: Iterable[str | float]) -> None:
        self._known = _Words(text for text in map(_text, values) if len(text) >= MIN_HIDDEN_CHARS)
        self._new = frozenset(new)

    def said(self, said: Any) -> Any:
        """Return a message of the bot without the secrets: a flow may put them into its own texts and options."""
        return _without(said, self._known) if self._known else said

    def heard(self, text: str | None, payload: Any, understanding: Any) -> tuple[str | None, Any, Any]:
        """Return the user's message without the secrets, also as they were worded ("one two three four" for 1234)."""
        text, payload, understanding = self.said(text), self._numbers(self.said(payload)), self.said(understanding)
        if not self._new:
            return text, payload, understanding
        texts = {_text(value) for value in self._new} | set(self._worded(understanding))
        words = _Words(texts - {"", MASK}, is_whole=True)
        if words:
            text, payload, understanding = (_without(one, words) for one in (text, payload, understanding))
        return text, self._numbers(payload), self._numbers(understanding)

    def _worded(self, understanding: Any) -> Iterator[str]:
        """Return the user's words for the secrets that this message brought."""
        found = understanding.values() if isinstance(understanding, dict) else ()
        for item in (item for items in found if isinstance(items, list) for item in items):
            if isinstance(item, dict) and any(
                value in self._new or value == MASK for value in _scalars(item.get("value"))
            ):
                yield str(item.get("text", ""))

    def _numbers(self, said: Any) -> Any:
        """Return a value with hidden numbers masked: they are no texts, and 4711 and 4711.0 are the same."""
        if isinstance(said, dict):
            return {key: self._numbers(item) for key, item in said.items()}
        if isinstance(said, list):
            return [self._numbers(item) for item in said]
        return MASK if is_number(said) and said in self._new else said


def secrets_in(memory: dict[str, Any], masking: Masking, before: Secrets = NO_SECRETS) -> Secrets:
    """Return the secrets of a memory. ``before``: those of an earlier state, whose objects are not searched again."""
    if before.masking is not masking:
        before = NO_SECRETS
    elif memory is before.memory:
        return before
    old, known, found = before.memory, before.found, {}
    for name, value in memory.items():
        if old.get(name, old) is value:
            secrets = known.get(name)
        elif isinstance(value, dict | list) or masking.hides(name):
            secrets = frozenset(_secrets({name: value}, masking))
        else:
            continue
        if secrets:
            found[name] = secrets
    return Secrets(memory, found, masking)


def hidden_in(after: Iterable[Secrets], before: Iterable[Secrets]) -> MaskedValues:
    """Return the secrets to mask in a turn's messages. ``after`` and ``before``: the memories at its ends."""
    values = set().union(*(secrets.values() for secrets in after if secrets.found))
    if not values:
        return NOTHING
    return MaskedValues(values, values.difference(*(secrets.values() for secrets in before)))


def _secrets(memory: Any, masking: Masking) -> Iterator[str | float]:
    """Return the values under hidden names, without recursion: a memory may have hundreds of thousands."""
    left = [memory]
    hides = masking.hides
    while left:
        held = left.pop()
        if isinstance(held, dict):
            for name, value in held.items():
                if hides(name):
                    yield from _scalars(value)
                if isinstance(value, dict | list):
                    left.append(value)
        else:
            left += [value for value in held if isinstance(value, dict | list)]


def _scalars(value: Any) -> Iterator[str | float]:
    """Return the texts and numbers of an entity's value, of an option's or of a list of them. Of other objects (the
    result of a login) only members with a hidden name count: a person's first name stands in many texts."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _scalars(item)
    elif isinstance(value, dict) and "value" in value:
        yield from _scalars(value["value"])


def _text(value: str | float) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


class _Words:
    """Looks for secrets in texts. A number is no part of a longer one, or of a date; with ``is_whole`` nothing is part
    of a longer word.

    Anybody can bring thousands of them with the context of a page. Then only those are looked for whose beginning
    stands in the text.
    """

    def __init__(self, words: Iterable[str], *, is_whole: bool = False) -> None:
        self._is_whole = is_whole
        self._words = set(words)
        self._by_beginning: dict[str, list[str]] = {}
        if len(self._words) > MAX_VALUES_PER_TEXT:
            for word in self._words:
                self._by_beginning.setdefault(word[:PREFIX_CHARS], []).append(word)

    def __bool__(self) -> bool:
        return bool(self._words)

    def masked(self, text: str) -> str:
        """Return the text without the secrets; mask all of it where the search would take too long."""
        candidates = self._candidates(text)
        if len(candidates) > MAX_VALUES_PER_TEXT:
            return MASK
        spans: list[tuple[int, int]] = []
        left = MAX_MATCHES
        for word in candidates:
            is_whole = self._is_whole or word.isdecimal()
            start = text.find(word)
            while start >= 0:
                left -= 1
                if left < 0:
                    return MASK
                end = start + len(word)
                if not is_whole or _is_word(text, start, end):
                    spans.append((start, end))
                    start = text.find(word, end)
                else:
                    start = text.find(word, start + 1)
        return _masked(text, sorted(spans)) if spans else text

    def _candidates(self, text: str) -> Collection[str]:
        """Return the secrets that may stand in the text, at most one more than ``MAX_VALUES_PER_TEXT``."""
        if not self._by_beginning:
            return self._words
        candidates: list[str] = []
        for length in {len(beginning) for beginning in self._by_beginning}:
            for beginning in {text[start : start + length] for start in range(len(text) - length + 1)}:
                candidates += self._by_beginning.get(beginning, ())
                if len(candidates) > MAX_VALUES_PER_TEXT:
                    return candidates
        return candidates


def _is_word(text: str, start: int, end: int) -> bool:
    """Return whether a part of a text is no part of a longer word or number."""
    before, behind = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or behind.isalnum() or before in _JOINING_BEFORE or behind in _JOINING_BEHIND)


def _masked(text: str, spans: list[tuple[int, int]]) -> str:
    """Return the text with these parts masked. ``spans`` are in order; those that overlap become one."""
    parts, last = [], 0
    for start, end in spans:
        if start >= last:
            parts += [text[last:start], MASK]
        last = max(last, end)
    return "".join((*parts, text[last:]))


def _without(said: Any, words: _Words) -> Any:
    if isinstance(said, str):
        return words.masked(said)
    if isinstance(said, dict):
        return {key: _without(item, words) for key, item in said.items()}
    return [_without(item, words) for item in said] if isinstance(said, list) else said


NOTHING = MaskedValues((), ())


def login_in(held: Iterable[Secrets]) -> MaskedValues:
    """Return what a login brought: the secrets that not even the user of the chat is shown."""
    values = set[str | float]()
    for secrets in held:
        if secrets.masking is not None and secrets.masking.authentication_entity is not None:
            values |= secrets.found.get(secrets.masking.authentication_entity, frozenset())
    return MaskedValues(values, ()) if values else NOTHING
