"""Values of a regex type: what a pattern finds in the text, and the reading of a whole text by it.

The pattern is the author's, written for JavaScript or Python; whether it is a good one is left to the linter.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from dialoom.errors import FlowError
from dialoom.understanding.candidate import Stretch, longest

if TYPE_CHECKING:
    from dialoom.flow.model import RegexType

LONGEST_TEXT = (500, 500, 200, 60)
"""Characters of a message that a pattern looks at, by how many of its parts take nearly anything and any number of it
(``.*``): its time grows with that power of the text."""
LONGEST_RISKY = 24
"""The same for a pattern whose time may double with each character (``^(a+)+$``: half a second), and for any worse."""

# A stretch of whole words begins after white space or an opening sign and ends before white space, with or without
# closing signs. A hyphen or a colon inside does not end it: ``^\d+$`` finds nothing in "12:30".
_BEGINS = r"(?<![^\s(\[{\"'“„‘«¿¡])"
_ENDS = r"(?=[)\]}\"'»”’.,;:!?…]*(?:\s|\Z))"

_LEADING_FLAGS = re.compile(r"\A\(\?([aimsx]+)\)")
_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_OPEN_ENDED = re.compile(r"[*+]|\{\d*,\d*\}")
_PARTING = re.compile(r"[\s,;:.'/_#@|&=-]|\\[s.\-/]|\[(?:\\[s.\-/]|[\s,;:.'/_-])+\]")
"""An atom that what it parts does not contain, as a rule: a space, a comma, ``[\\s-]``."""


class Pattern:
    """One regex type, compiled."""

    def __init__(self, definition: RegexType) -> None:
        self._name = definition.name
        self._pattern = definition.data.pattern
        source = _as_python(self._pattern)
        flags = _LEADING_FLAGS.match(source)
        body = source[flags.end() :] if flags else source
        prefix = flags[0] if flags else ""
        self._inside = self._compile(prefix + "|".join(_in_a_stretch(branch) for branch in _branches(body)))
        self._whole = self._compile(f"{prefix}(?:{body})")
        self._limit = _limit(body)

    def find(self, text: str) -> list[Stretch]:
        """What the pattern finds in a text, in its order; a long text is looked at only at its beginning."""
        if len(text) > self._limit:
            text = text[: self._limit].rpartition(" ")[0]
        found = self._inside.finditer(text)
        return longest(Stretch(one.start(), one.end(), {"value": one[0]}) for one in found if one.end() > one.start())

    def reads(self, text: str) -> dict[str, str] | None:
        """A whole text as a value."""
        if len(text) > self._limit or self._whole.fullmatch(text) is None:
            return None
        return {"value": text}

    def _compile(self, source: str) -> re.Pattern[str]:
        try:
            return re.compile(source)
        except (re.error, OverflowError, RecursionError) as problem:
            message = (
                f'training.json: the pattern "{self._pattern}" of the entity type "{self._name}" is no regular '
                f"expression: {problem}. Mend the pattern."
            )
            raise FlowError([message]) from None


def _limit(pattern: str) -> int:
    """The characters of a text that a pattern may look at."""
    if is_risky(pattern):
        return LONGEST_RISKY
    atoms = _ATOM.findall(pattern)
    wide = sum(1 for atom, after in itertools.pairwise(atoms) if _is_wide(atom) and after in ("*", "+", "{"))
    return LONGEST_TEXT[wide] if wide < len(LONGEST_TEXT) else LONGEST_RISKY


def _is_wide(atom: str) -> bool:
    return atom in (".", r"\S", r"\W", r"\D") or atom.startswith("[^")


def is_risky(pattern: str) -> bool:
    """Whether a pattern may take time that doubles with each character: a group repeated without end, of which one
    text has several readings, as ``(a+)+`` and ``(a|aa)*``. A group that begins or ends with a sign that parts its
    rounds, as in ``[a-z]+( [a-z]+)*``, has one. A rule of thumb: it errs towards risky."""
    atoms = _ATOM.findall(pattern)
    opened: list[int] = []
    for position, atom in enumerate(atoms):
        if atom == "(":
            opened.append(position)
        elif atom == ")" and opened:
            body = atoms[opened.pop() + 1 : position]
            if body[:2] == ["?", ":"]:
                body = body[2:]
            rest = "".join(atoms[position + 1 : position + 8])
            if _OPEN_ENDED.match(rest) and body and _is_ambiguous(body):
                return True
    return False


def _is_ambiguous(body: list[str]) -> bool:
    begins = _PARTING.fullmatch(body[0]) and body[1:2] not in (["*"], ["?"], ["{"])
    is_open = "|" in body or any(map(_is_wide, body))
    if not is_open and (begins or _PARTING.fullmatch(body[-1])):
        return False
    if "|" in body:
        starts = [body[0], *(after for bar, after in itertools.pairwise(body) if bar == "|")]
        if len(set(starts)) < len(starts) or any(len(start) > 1 for start in starts) or "." in starts:
            return True
    return any(atom in ("*", "+", "?") for atom in body) or "," in "".join(body).partition("{")[2].partition("}")[0]


def _as_python(pattern: str) -> str:
    """The few things that JavaScript writes in another way."""
    pattern = re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", pattern)
    return re.sub(r"(?<!\\)\\k<(\w+)>", r"(?P=\1)", pattern)


def _branches(pattern: str) -> list[str]:
    """A pattern cut at the bars that stand in no group and no class."""
    cuts = [-1]
    depth, in_class, position = 0, False, 0
    while position < len(pattern):
        sign = pattern[position]
        if sign == "\\":
            position += 1
        elif in_class:
            in_class = sign != "]"
        elif sign == "[":
            in_class = True
            position += pattern[position + 1 : position + 2] == "^"
            position += pattern[position + 1 : position + 2] == "]"
        elif sign in "()":
            depth += 1 if sign == "(" else -1
        elif sign == "|" and depth == 0:
            cuts.append(position)
        position += 1
    cuts.append(len(pattern))
    return [pattern[start + 1 : end] for start, end in itertools.pairwise(cuts)]


def _in_a_stretch(branch: str) -> str:
    """A branch whose outer ``^`` and ``$`` hold at the ends of a stretch of whole words."""
    begins = branch.startswith("^")
    backslashes = len(branch[:-1]) - len(branch[:-1].rstrip("\\"))
    ends = branch.endswith("$") and backslashes % 2 == 0
    body = branch[1 if begins else 0 : -1 if ends else None]
    return f"{_BEGINS if begins else ''}(?:{body}){_ENDS if ends else ''}"
