"""Names that are read in a text and stand for nothing there: mistyped ones, and a response that is not there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dialoom.flow.report import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dialoom.flow.check.known import Known
    from dialoom.flow.check.whole import Written
    from dialoom.flow.pieces import Piece

_OF_MEMORY = frozenset({"user", "conversation", "conversationDisplayName", "item", "this"})
"""Names that stand in memory without any step."""


def unset_names(_: Piece, known: Known) -> Iterator[Fault]:
    """A name that no step sets, and that one which is set looks like. Context may bring any other name."""
    whole = known.whole
    written = {*whole.writers, *((whole.login_entity,) if whole.login_entity else ())}
    slips = Slips(written)
    meant_by: dict[str, str | None] = {}
    for path, name, offset in _named(known):
        if name in written or name in _OF_MEMORY or name.startswith("_"):
            continue
        if name not in meant_by:
            meant_by[name] = slips.meant(name)
        if (meant := meant_by[name]) is not None:
            message = f'Nothing sets "{name}". Did you mean "{meant}"? If the context brings it, give it another name.'
            yield Fault(path=path, message=message, characters=offset)


def _named(known: Known) -> Iterator[tuple[tuple[str | int, ...], str, int | None]]:
    """Every name of an entity in flow.json that is read, with its place."""
    for written in known.whole.texts:
        if written.piece.file == "flow.json":
            for name in sorted(written.names):
                yield written.path, name, _offset(written, name)
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


def _offset(written: Written, name: str) -> int:
    found = re.search(rf"(?<![\w$-]){re.escape(name)}(?![\w-])", written.text)
    return found.start() if found else 0


_MIN_NAME_CHARS = 5
"""Letters of a name that is looked at: in shorter ones one letter makes another word, as in date and data."""


class Slips:
    """Names that are set, findable by a name in which one slip of the keyboard was made."""

    def __init__(self, names: Iterable[str]) -> None:
        # Two names that differ by one slip have a text in common that comes of each by taking out at most one letter:
        # the time of a search does not depend on how many names there are.
        self._near: dict[str, list[str]] = {}
        for name in sorted(names):
            for text in _shortened(_plain(name)):
                self._near.setdefault(text, []).append(name)

    def meant(self, name: str) -> str | None:
        """The name that was mistyped. Names that only go on, or differ in a number, are names of their own."""
        plain = _plain(name)
        for text in _shortened(plain):
            for other in self._near.get(text, ()):
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
    """Whether one letter is wrong (but the last, as in ``roomA``), missing or too many, or two have changed places."""
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
    return name.casefold().replace("-", "").replace("_", "")


def _letters(name: str) -> str:
    return re.sub(r"\d+", "#", name)


def lost_responses(flow: Piece, known: Known) -> Iterator[Fault]:
    """``_response`` is there in a custom validation that has a data-source, and nowhere else."""
    for written in known.whole.texts:
        if "_response" not in written.names or written.piece.file != flow.file:
            continue
        validation: Piece | None = written.piece
        while validation is not None and validation.kind != "validation":
            validation = validation.owner
        parameters = validation.value.get("parameters") if validation is not None else None
        if not isinstance(parameters, dict) or parameters.get("data-source") is None:
            message = (
                "_response is what the data-source of a custom validation answered, and nothing here. Give the "
                "validation a data-source, or read the entity of a webhook."
            )
            yield Fault(path=written.path, message=message, characters=_offset(written, "_response"))
