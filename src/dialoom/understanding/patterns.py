"""Values of a regex type: what a pattern finds in the text, and the reading of a whole text by it.

The pattern is the author's, written for JavaScript or Python; whether it is a good one is left to the linter.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from dialoom.errors import FlowError
from dialoom.flow.patterns import AuthorPattern, PatternError, compiled
from dialoom.understanding.candidate import Stretch, longest

if TYPE_CHECKING:
    from dialoom.flow.model import RegexType

# A stretch of whole words begins after white space or an opening sign and ends before white space, with or without
# closing signs. A hyphen or a colon inside does not end it: ``^\d+$`` finds nothing in "12:30".
_BEGINS = r"(?<![^\s(\[{\"'“„‘«¿¡])"
_ENDS = r"(?=[)\]}\"'»”’.,;:!?…]*(?:\s|\Z))"

_LEADING_FLAGS = re.compile(r"\A\(\?([aimsx]+)\)")


class Pattern:
    """One regex type, compiled."""

    def __init__(self, definition: RegexType) -> None:
        try:
            pattern = AuthorPattern(definition.data.pattern)
            flags = _LEADING_FLAGS.match(pattern.source)
            prefix = flags[0] if flags else ""
            body = pattern.source[len(prefix) :]
            self._inside = compiled(prefix + "|".join(_in_a_stretch(branch) for branch in _branches(body)))
            self._whole = compiled(f"{prefix}(?:{body})")
        except PatternError as problem:
            message = (
                f'training.json: the pattern "{definition.data.pattern}" of the entity type "{definition.name}" is no '
                f"regular expression, it {problem}. Mend the pattern."
            )
            raise FlowError([message]) from None
        self._limit = pattern.limit

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
