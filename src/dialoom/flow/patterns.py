"""A regular expression that an author wrote, for JavaScript or Python: reading it, and how much text it may look at.

What it is searched for is left to understanding and to the validations; whether it is a good one to the linter.
"""

from __future__ import annotations

import itertools
import re
import warnings

LONGEST_TEXT = (500, 500, 200, 60)
"""Characters of a message that a pattern looks at, by how many of its parts take nearly anything and any number of it
(``.*``): its time grows with that power of the text."""
LONGEST_RISKY = 20
"""The same for a pattern whose time may double with each character (``^(a+)+$``: 20 ms), and for any worse."""

_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_OPEN_ENDED = re.compile(r"[*+]|\{\d*,\d*\}")
_PARTING = re.compile(r"[\s,;:.'/_#@|&=-]|\\[s.\-/]|\[(?:\\[s.\-/]|[\s,;:.'/_-])+\]")
"""An atom that what it parts does not contain, as a rule: a space, a comma, ``[\\s-]``."""
_OF_JAVASCRIPT = re.compile(r"\(\?<(?=[A-Za-z_])|(?<!\\)\\k<(\w+)>")


class PatternError(ValueError):
    """A pattern cannot be read. ``offset`` counts characters of the author's text."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


class AuthorPattern:
    """A pattern and the text it may look at. ``source`` is what the author wrote as Python writes it."""

    __slots__ = ("_compiled", "limit", "source")

    def __init__(self, text: str) -> None:
        """Raises ``PatternError``."""
        self.source = as_python(text)
        try:
            self._compiled = compiled(self.source)
        except PatternError as error:
            longer = sum(1 for one in _OF_JAVASCRIPT.finditer(text) if one.start() < error.offset)
            raise PatternError(str(error), max(error.offset - longer, 0)) from None
        self.limit = limit(self.source)

    def is_in(self, text: str) -> bool:
        """Whether the pattern is found in a text. Of a long one only the beginning is looked at, and what reaches the
        end of that does not count: ``$`` would hold there where the text does not end."""
        found = self._compiled.search(text[: self.limit])
        return found is not None and (len(text) <= self.limit or found.end() < self.limit - 1)


def compiled(source: str) -> re.Pattern[str]:
    """The one place where an author's pattern is compiled. Raises ``PatternError``."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "possible nested set" and the like are no mistakes of a flow's author
            return re.compile(source)
    except re.error as error:
        raise PatternError(f"cannot be read: {error.msg}", error.pos or 0) from None
    except (OverflowError, RecursionError):
        raise PatternError("is too large") from None


def as_python(pattern: str) -> str:
    """The few things that JavaScript writes in another way."""
    return _OF_JAVASCRIPT.sub(lambda one: "(?P<" if one[1] is None else f"(?P={one[1]})", pattern)


def limit(pattern: str) -> int:
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
