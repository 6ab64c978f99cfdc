"""Sets of characters: PCRE2's named ones without UCP, so that all but the spaces are ASCII, and folding of case."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from dialoom.regex.tree import LAST, NEWLINE, Set, Span

DIGITS: Final = ((0x30, 0x39),)
UPPER: Final = ((0x41, 0x5A),)
LOWER: Final = ((0x61, 0x7A),)
LETTERS: Final = UPPER + LOWER
WORDS: Final = DIGITS + UPPER + ((0x5F, 0x5F),) + LOWER
SPACES: Final = ((0x09, 0x0D), (0x20, 0x20))
HORIZONTAL: Final = (
    (0x09, 0x09), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x180E, 0x180E), (0x2000, 0x200A), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip
VERTICAL: Final = ((0x0A, 0x0D), (0x85, 0x85), (0x2028, 0x2029))

ESCAPES: Final[Mapping[str, tuple[Span, ...]]] = {
    "d": DIGITS,
    "h": HORIZONTAL,
    "s": SPACES,
    "v": VERTICAL,
    "w": WORDS,
}
"""The letters of the sets; a capital letter is the complement."""

POSIX: Final[Mapping[str, tuple[Span, ...]]] = {
    "alnum": DIGITS + LETTERS,
    "alpha": LETTERS,
    "ascii": ((0x00, 0x7F),),
    "blank": ((0x09, 0x09), (0x20, 0x20)),
    "cntrl": ((0x00, 0x1F), (0x7F, 0x7F)),
    "digit": DIGITS,
    "graph": ((0x21, 0x7E),),
    "lower": LOWER,
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": SPACES,
    "upper": UPPER,
    "word": WORDS,
    "xdigit": (*DIGITS, (0x41, 0x46), (0x61, 0x66)),
}

_KINDS: Final[Mapping[str, str]] = {"L": "lmotu", "M": "cen", "N": "dlo", "P": "cdefios", "S": "ckmo", "Z": "lps"}
_CATEGORIES: Final = ("Cc", "Cf", "Co", *_KINDS, *(kind + letter for kind in _KINDS for letter in _KINDS[kind]))
"""Unicode's general categories, but for those of characters that are none (yet): RE2's C is without them."""
_PROPERTIES: Final[Mapping[str, tuple[str, ...]]] = {
    **{name: (rf"\p{{{name}}}",) for name in _CATEGORIES},
    "Any": (r"\p{Any}",),
    "L&": (r"\p{Ll}", r"\p{Lu}", r"\p{Lt}"),
    "Lc": (r"\p{Ll}", r"\p{Lu}", r"\p{Lt}"),
    "Xan": (r"\p{L}", r"\p{N}"),
}
_COMPLEMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "C": tuple(rf"\p{{{kind}}}" for kind in _KINDS),
    **{name: (rf"\P{{{name}}}",) for name in (*_CATEGORIES, "Any")},
}
_HOLDING_NEWLINE: Final = frozenset(("Cc", "Any"))

# Beyond the script Adlam no character has another case; to look at all up to here takes 20 ms, once.
_UNCASED: Final = 0x1E944
_FEW: Final = 64


def property_set(name: str, negated: bool) -> Set | None:
    """Return the set of a Unicode property; None if RE2 has none with the same meaning."""
    words = (_COMPLEMENTS if negated else _PROPERTIES).get(name)
    if words is None:
        return None
    return Set((), words, newline=(name in _HOLDING_NEWLINE) != negated)


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the same characters as spans in order, none touching another."""
    result: list[Span] = []
    for first, last in sorted(spans):
        if result and first <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(result[-1][1], last))
        else:
            result.append((first, last))
    return tuple(result)


def others(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the characters that are in none of the spans."""
    result = []
    start = 0
    for first, last in merged(spans):
        if first > start:
            result.append((start, first - 1))
        start = last + 1
    return (*result, (start, LAST)) if start <= LAST else tuple(result)


def united(spans: Iterable[Span], properties: Iterable[Set] = (), *, negated: bool = False) -> Set:
    """Return the union of the spans and of sets of properties, or its complement."""
    each = merged(spans)
    added = [*properties]
    words = dict.fromkeys(word for one in added for word in one.properties)
    holds = any(first <= NEWLINE <= last for first, last in each) or any(one.newline for one in added)
    return Set(each, tuple(words), negated, holds != negated)


def folded(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans with all characters that differ from theirs only in case, by Unicode's simple folding: ``k`` is
    also the Kelvin sign, as in PCRE2."""
    each = merged(spans)
    return merged([*each, *(other for first, last in each for other in _other_cases(first, last))])


def _other_cases(first: int, last: int) -> Iterable[Span]:
    cases = _cases()
    if last - first < _FEW:
        return [(other, other) for code in range(first, last + 1) for other in cases.get(code, ())]
    # Of a wide span nearly all cases are in it: to name those again would take a millisecond.
    cased = _cased()
    within = cased[bisect_left(cased, first) : bisect_right(cased, last)]
    return [(other, other) for code in within for other in cases[code] if not first <= other <= last]


@cache
def _cased() -> Sequence[int]:
    return sorted(_cases())


@cache
def _cases() -> Mapping[int, tuple[int, ...]]:
    """Return, for each character that has another case, all that fold to the same."""
    texts = [chr(code) for code in range(_UNCASED)]
    groups: dict[str, set[str]] = {}
    for text, full in zip(texts, map(str.casefold, texts), strict=True):
        if text != full:
            # Where full folding gives several characters, the simple one is to lower case, if to anything.
            fold = full if len(full) == 1 else text.lower()
            if len(fold) == 1 and fold != text:
                groups.setdefault(fold, {fold}).add(text)
    return {ord(one): tuple(map(ord, sorted(group))) for group in groups.values() for one in group}
