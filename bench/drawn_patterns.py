"""Drawn patterns of authors, searched in texts made to take long: ``python -m bench.drawn_patterns [--patterns 400]``.

Each pattern is searched as a validation and as a regex type, in 8,000 characters of every script and of its own pieces.
Shown are the patterns that load and take longest, and those that are refused and take least.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from functools import cache

from bench.machine import heading, table
from dialoom.errors import FlowError
from dialoom.flow import model, patterns
from dialoom.flow.patterns import AuthorPattern, PatternError
from dialoom.understanding.patterns import Pattern

CHARACTERS = 8_000
SETS = (
    r"\w",
    r"\d",
    ".",
    "[a-z]",
    "[A-Za-z0-9]",
    "[^x]",
    r"[\w.-]",
    r"\s",
    "a",
    "b",
    "[ab]",
    r"\W",
    "é",
    "[à-ÿ]",
    r"[\w\s.,'-]",
)
SIGNS = ("@", "-", " ", "!", "x", r"\.", "ab", "1")
ALPHABETS = ("a", "ab", "a1", "1", "é", "éß字", "1٣𝟘", "字", "😀", "a 1é", "ab ", "a-", "x!ab", "a@.", "_é")
SHOWN = 12


def drawn_pattern(chance: random.Random) -> str:
    """A pattern with large repetitions, as an author may write it who means well, or not."""
    source = "|".join(_row(chance, 0) for _ in range(chance.choice((1, 1, 1, 2))))
    match chance.randrange(6):
        case 0 | 1:
            return f"^(?:{source})$" if "|" in source else f"^{source}$"
        case 2:
            return rf"\b(?:{source})\b"
        case 3:
            return f"^(?:{source})"
    return source


def _row(chance: random.Random, depth: int) -> str:
    return "".join(_piece(chance, depth) for _ in range(chance.randint(1, 4)))


def _piece(chance: random.Random, depth: int) -> str:
    match chance.randrange(9 if depth < 2 else 6):
        case 0 | 1:
            return chance.choice(SIGNS)
        case 2:
            return chance.choice(SETS)
        case 3 | 4 | 5:
            return chance.choice(SETS) + _times(chance, 200)
        case 6:
            return f"(?:{_row(chance, depth + 1)}|{_row(chance, depth + 1)})"
        case 7:
            return f"(?:{_row(chance, depth + 1)})" + _times(chance, 30)
    return f"(?:{chance.choice(SETS)}?)" + _times(chance, 300)


def _times(chance: random.Random, most: int) -> str:
    count = max(int(most ** chance.random()), 2)
    return chance.choice(
        ("*", "+", "?", f"{{{count}}}", f"{{{count}}}", f"{{1,{count}}}", f"{{0,{count}}}", f"{{{count},}}")
    )


def texts(chance: random.Random, pattern: str) -> Iterator[str]:
    """Texts of one character, of several in turn, drawn ones, and runs of every length with a space between."""
    own = [one for one in pattern if one.isalnum()] or ["a"]
    letters = _letters()
    for alphabet in ALPHABETS:
        yield (alphabet * CHARACTERS)[:CHARACTERS]
    for pieces in (*ALPHABETS, own, letters, ["a", "ab", "ba", "b"], ["1", "a", "é", *own]):
        if len(pieces) > 1:
            yield "".join(chance.choices(pieces, k=CHARACTERS))[:CHARACTERS]
    for pieces in ("a", "1", "ab", "1٣𝟘", "aé字", letters):
        runs = ("".join(chance.choices(pieces, k=chance.choice((9, 29, 39, 99, 199)))) + " " for _ in range(900))
        yield "".join(runs)[:CHARACTERS]


@cache
def _letters() -> list[str]:
    return [chr(code) for code in range(0xC0, 0x20000) if chr(code).isalpha()]


def worst_ms(source: str, chance: random.Random) -> tuple[float, str]:
    """The longest of the searches that a turn makes, in milliseconds, and what the text begins with."""
    author = AuthorPattern(source)
    finder = Pattern(model.RegexType(name="Drawn", data=model.Pattern(pattern=source)))
    longest, of = 0.0, ""
    for text in texts(chance, source):
        searches: list[tuple[str, Callable[[str], object]]] = [("in", author.is_in), ("whole", author.is_whole)]
        searches.append(("type", lambda text: next(finder._spans(text), None)))
        for name, search in searches:
            began = time.process_time()
            search(text)
            taken = (time.process_time() - began) * 1000
            if taken > longest:
                longest, of = taken, f"{name} {text[:12]!r}"
    return longest, of


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.drawn_patterns", description=__doc__)
    parser.add_argument("--patterns", type=int, default=400, help="how many are drawn")
    parser.add_argument("--seed", type=int, default=1, help="of the drawing")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    allowed, patterns.MAX_COST = patterns.MAX_COST, 10**9  # type: ignore[misc]
    loaded: list[tuple[float, int, str, str]] = []
    refused: list[tuple[float, int, str, str]] = []
    too_large = 0
    for _ in range(options.patterns):
        source = drawn_pattern(chance)
        try:
            cost = Pattern(model.RegexType(name="Drawn", data=model.Pattern(pattern=source))).cost
            ms, of = worst_ms(source, chance)
        except (PatternError, FlowError):
            too_large += 1
            continue
        (refused if cost > allowed else loaded).append((ms, cost, source[:70], of))
    print(
        heading(
            f"{options.patterns:,} drawn patterns, seed {options.seed}; {CHARACTERS:,} characters; CPU of the worst"
        )
    )
    print(f"{len(loaded)} load, {len(refused)} cost too much, {too_large} RE2 itself finds too large.")
    slow = sum(1 for ms, *_ in loaded if ms > 50)
    harmless = sum(1 for ms, *_ in refused if ms <= 10)
    print(f"Above 50 ms: {slow} of those that load. Refused and below 10 ms: {harmless}.\n")
    head = ("ms", "cost", "pattern", "text")
    print(table(head, sorted(loaded, reverse=True)[:SHOWN]))
    print(table(head, sorted(refused)[:SHOWN]))


if __name__ == "__main__":
    main()
