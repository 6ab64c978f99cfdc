"""Checks that what a text, a condition, a request or a list of names reads is set by something.

Set are entities of steps, that of the login, what memory holds by itself, and context. A page or an application brings
context, which no file names but the conversation tests: what these bring, and ``persist-entities``, count as set.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from dialoom.flow.check.known import Known
from dialoom.flow.finding import Fault
from dialoom.flow.fixes.derive import sure_name
from dialoom.flow.pieces import Piece
from dialoom.flow.positions import Path
from dialoom.template.formats.numbers import is_currency

_OF_MEMORY = frozenset(
    {"user", "conversation", "conversationDisplayName", "item", "this", "event", "_system", "_response"}
)
"""Names that stand in memory without any step."""


def unset_names(file: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each name that ``file`` reads and that nothing sets."""
    whole = known.whole
    written = {*whole.writers, *((whole.login_entity,) if whole.login_entity else ())}
    slips = Slips(written)
    kept = {name for name in _kept(known) if slips.meant(name) is None}
    doubtful = [one for one in _read_by(file, known) if one[1] not in written | kept | _OF_MEMORY]
    brought = _context_names(known.tests()) if doubtful else frozenset[str]()
    near: dict[str, tuple[str, ...]] = {}
    for path, name, offset in doubtful:
        if name in brought:
            continue
        if name not in near:
            near[name] = slips.near(name)
        meant = sure_name(name, near[name])
        shown = meant or next(iter(near[name]), None)
        advice = "Ask for it or set it in a step" if shown is None else f'Did you mean "{shown}"'
        end = "." if shown is None else "?"
        message = f'Nothing sets "{name[:80]}". {advice}{end} If context brings it, name it in the context of a test.'
        yield Fault(path=path, message=message, characters=offset, slip=(name, meant))


def _read_by(file: Piece, known: Known) -> Iterator[tuple[Path, str, int | None]]:
    """Yield every name of an entity that the file reads, with its path and its offset in the text there."""
    for written in known.whole.texts:
        if written.piece.file == file.file:
            for name, offset in written.sure.items():
                # A code of a currency without quotes is told by bad-currency.
                if not ("$currency" in written.text and is_currency(name)):
                    yield written.path, name, offset
    if file.kind == "flow":
        yield from _listed(known)


def _listed(known: Known) -> Iterator[tuple[Path, str, int | None]]:
    """Yield the names that stand in flow.json outside of templates."""
    for settings in known.whole.of_kind("settings"):
        for index, name in enumerate(settings.list("persist-entities")):
            yield settings.at("persist-entities", index), name, None
    for source in known.whole.of_kind("data-source"):
        if source.file == "flow.json" and (read := source.text("entity")):
            yield source.at("entity"), read, None
    for step in known.whole.of_kind("step"):
        for index, name in enumerate(step.list("entities")):
            yield step.at("entities", index), name, None
        words = (step.text("command") or "").split(maxsplit=1)
        if len(words) == 2 and words[0] == "invalidate-entity":
            yield step.at("command"), words[1].strip(), None


def _kept(known: Known) -> set[str]:
    return {name for settings in known.whole.of_kind("settings") for name in settings.list("persist-entities")}


def _context_names(tests: Iterable[str]) -> frozenset[str]:
    """Return the names of the context that conversation tests bring; what has another form is passed over."""
    names: set[str] = set()
    for text in tests:
        try:
            test = json.loads(text)
        except (ValueError, RecursionError):
            continue
        scenarios = _dicts(_get(test, "scenarios"))
        steps = [step for scenario in scenarios for step in _dicts(_get(scenario, "steps"))]
        for one in (test, *scenarios, *(_get(step, "user") for step in steps)):
            context = _get(one, "context")
            names.update(context if isinstance(context, dict) else ())
    return frozenset(names)


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


_MIN_NAME_CHARS = 5
"""Letters of a name that is surely mistyped: in shorter ones one letter makes another word, as in date and data."""
_MIN_NEAR_CHARS = 3
"""Letters of names that may be near each other at all."""
_MAX_NEAR = 20
"""Names that are compared with one; more make a family, of which none is meant more than the others."""


class Slips:
    """Names that are set, findable by a name in which one slip of the keyboard was made."""

    def __init__(self, names: Iterable[str]) -> None:
        # Two names that differ by one slip have a text in common that comes of each by taking out at most one letter:
        # the time of a search does not depend on how many names there are.
        self._near: dict[str, list[str]] = {}
        for name in sorted(names):
            for text in _shortened(_plain(name)):
                self._near.setdefault(text, []).append(name)

    def near(self, name: str) -> tuple[str, ...]:
        """Return the names that may have been meant by one that nothing sets, the likeliest first."""
        plain = _plain(name)
        found = dict.fromkeys(other for text in _shortened(plain) for other in self._near.get(text, ())[:_MAX_NEAR])
        near = [other for other in found if min(len(plain), len(_plain(other))) >= _MIN_NEAR_CHARS]
        return tuple(sorted(near, key=lambda other: (_plain(other) != plain, other))) if len(near) <= _MAX_NEAR else ()

    def meant(self, name: str) -> str | None:
        """Return the name that was surely mistyped, or None. Names that only go on, or differ in a number, are names of
        their own."""
        plain = _plain(name)
        for text in sorted(_shortened(plain), reverse=True):
            for other in self._near.get(text, ())[:_MAX_NEAR]:
                likely = _plain(other)
                if plain == likely:
                    return other
                goes_on = plain.startswith(likely) or likely.startswith(plain)
                is_long = min(len(plain), len(likely)) >= _MIN_NAME_CHARS
                if is_long and not goes_on and _letters(plain) != _letters(likely) and _is_slip(plain, likely):
                    return other
        return None


def _shortened(text: str) -> set[str]:
    return {text, *(text[:at] + text[at + 1 :] for at in range(len(text)))}


def _is_slip(one: str, other: str) -> bool:
    """Return whether one letter is wrong (but the last, as in ``roomA``), missing or too many, or two are swapped."""
    if len(one) > len(other):
        one, other = other, one
    start = next((at for at, sign in enumerate(one) if sign != other[at]), len(one))
    if len(one) < len(other):
        return one[start:] == other[start + 1 :]
    if start + 1 >= len(one):
        return False
    swapped = one[:start] + one[start + 1] + one[start] + one[start + 2 :]
    return swapped == other or one[start + 1 :] == other[start + 1 :]


def _plain(name: str) -> str:
    return name[:_MAX_NAME_CHARS].casefold().replace("-", "").replace("_", "")


_MAX_NAME_CHARS = 100
"""Of a name that is looked at: the texts that come of it by taking out a letter take the square of it."""


def _letters(name: str) -> str:
    return re.sub(r"\d+", "#", name)
