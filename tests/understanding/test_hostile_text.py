"""Messages made to take long: the work for twice the text is at most a little more than twice the work.

Work of Python code is counted in lines that run. Regular expressions run in C, where no line is counted; of them is
shown that an attempt to match looks at a bounded stretch of the text.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
import re._constants as kinds  # type: ignore[import-not-found]  # how the standard library reads patterns
import re._parser as regex  # type: ignore[import-not-found]
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from bench.drawn_texts import MAX_CHARACTERS, READ_LANGUAGES, draw
from bench.hostile_text import TYPES, answer, numbers_talk
from hypothesis import given
from hypothesis import strategies as st

import dialoom.understanding.values
from dialoom.understanding import Recogniser
from dialoom.understanding.candidate import Stretch, longest
from dialoom.understanding.normalise import (
    MAX_FOLDED_CHARACTERS,
    MAX_MARKS_IN_A_ROW,
    MAX_SPACES_IN_A_ROW,
    fold,
    fold_with_places,
    normalise,
)
from dialoom.understanding.recogniser import MAX_TEXT_CHARS, MAX_VALUES
from dialoom.understanding.values import READ_TYPES, readers_for
from tests.understanding.conftest import trait
from tests.work import lines_run

NOW = datetime(2027, 2, 24, 10, tzinfo=UTC)
DRAWN = 2
"""Texts of each language; ``python -m bench.hostile_text`` draws more."""
GROWTH = 1.35
"""How much more than four times the work four times the text may take: n log n from 500 to 2,000 is 1.22."""
SETTLING = 3_000
"""Lines that any text may take, whatever its length."""


# ---- the work of Python code ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", READ_LANGUAGES)
def test_reading_takes_work_in_proportion_to_the_text(language: str) -> None:
    recogniser = Recogniser((), language)
    recogniser.recognise("5 pm", TYPES, NOW)
    for seed in range(DRAWN):
        short, whole = (draw(random.Random(seed), language, size) for size in (MAX_TEXT_CHARS // 4, MAX_TEXT_CHARS))
        few, many = (lines_run(partial(recogniser.recognise, one.text, TYPES, NOW)) for one in (short, whole))
        assert many <= 4 * GROWTH * few + SETTLING, f"{few} and {many} lines for {whole.shown} ({whole.shape})"


@pytest.mark.parametrize(
    "piece", ["7 ", "1/1 ", "5pm ", "1/1 5pm ", "$5 50 ", "a@b.de ", "(www.a)", "+12345678 ", "3h "]
)
def test_reading_many_values_takes_work_in_proportion_to_the_text(piece: str) -> None:
    recogniser = Recogniser((trait("Conversation", book=("book it now",)),), "en")
    recogniser.recognise("5 pm", TYPES, NOW)
    few, many = (
        lines_run(partial(recogniser.recognise, (piece * size)[:size], [*TYPES, "Conversation"], NOW))
        for size in (MAX_TEXT_CHARS // 4, MAX_TEXT_CHARS)
    )
    assert many <= 4 * GROWTH * few + SETTLING


@pytest.mark.parametrize("piece", ["7 ", "x 7 ", "5 guests ", "not 5, ", "one ", "from 3 to 4 ", "n3 2 and "])
def test_sharing_numbers_out_among_sixteen_questions_takes_work_in_proportion_to_the_text(piece: str) -> None:
    talk = numbers_talk("en")
    answer(talk, piece)
    few, many = (
        lines_run(partial(answer, talk, (piece * size)[:size])) for size in (MAX_CHARACTERS // 4, MAX_CHARACTERS)
    )
    assert many <= 4 * GROWTH * few + SETTLING
    assert many < 60 * MAX_CHARACTERS


def test_a_date_is_paired_with_the_times_beside_it_only() -> None:
    recogniser = Recogniser((), "en")
    text = "1/1 " * 200 + "\ufdfa" * 400 + " 5pm" * 200
    assert lines_run(lambda: recogniser.recognise(text, ["Datetime"], NOW)) < 40 * MAX_TEXT_CHARS


def test_a_date_with_several_times_takes_the_first_that_joins_it() -> None:
    recogniser = Recogniser((), "en")
    [found] = recogniser.recognise("on Friday at 9:00 or 10:00", ["Datetime"], NOW)["Datetime"]
    assert found.value == "2027-02-26T09:00:00+00:00"


# ---- what is bounded -----------------------------------------------------------------------------------------------


def test_values_of_one_type_are_read_at_a_hundred_places() -> None:
    recogniser = Recogniser((), "en")
    found = recogniser.recognise("7, " * 500, ["Number", "Date"], NOW)
    assert [one.start for one in found["Number"]] == list(range(0, 3 * MAX_VALUES, 3))


@pytest.mark.parametrize("language", READ_LANGUAGES)
@pytest.mark.parametrize("text", ["1" + " million" * 60, "9" * 15 + " million", "trillion " * 90, "1 million billion"])
def test_what_is_too_large_is_no_number(language: str, text: str) -> None:
    found = Recogniser((), language).recognise(text, ["Number", "Amount"], NOW)
    assert all(abs(one.value) < 10**15 for one in found["Number"])
    if language == "en":
        assert found == {"Number": [], "Amount": []}


def test_a_run_of_combining_marks_is_cut() -> None:
    text = "e" + "\u0316\u0301" * 4_000 + " e\u0301"
    spread = unicodedata.normalize("NFD", fold(text))
    assert max(len(run) for run in re.findall("[\u0300-\u036f]+", spread) or [""]) <= MAX_MARKS_IN_A_ROW
    assert normalise(text) == "e e"
    hindi = "क" + "\u093c" * 8_000
    assert len(fold(hindi)) <= MAX_MARKS_IN_A_ROW + 1


def test_thirty_marks_and_ordinary_words_stay_as_they_are() -> None:
    for text in ("Zażółć gęślą jaźń", "नमस्ते दुनिया", "สวัสดีครับ", "한국어", "e" + "\u0323" * MAX_MARKS_IN_A_ROW):
        plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
        assert fold(text).replace("ł", "l") == fold(unicodedata.normalize("NFC", plain)).replace("ł", "l")


def test_characters_that_expand_are_cut() -> None:
    folded = fold_with_places("\ufdfa" * MAX_CHARACTERS)
    assert len(folded.text) < MAX_FOLDED_CHARACTERS + 20
    assert len(fold("\ufdfa" * MAX_CHARACTERS)) < 3 * MAX_CHARACTERS
    assert len(fold("\ufdfa" * 5)) == 90


@pytest.mark.parametrize(
    "text", ["at 5" + " " * 500 + "pm  tomorrow", "в 5" + "\n " * 250 + "часа  утре", "\u00a8" * 300 + "5"]
)
def test_white_space_is_cut_and_places_stay_right(text: str) -> None:
    folded = fold_with_places(text)
    assert re.search(rf"\s{{{MAX_SPACES_IN_A_ROW + 1}}}", folded.text) is None
    word = re.search(r"(pm|часа|5)  ?(tomorrow|утре|$)|5$", folded.text)
    assert word is not None
    start, end = folded.span(*word.span())
    assert fold(text[start:end]) == word[0]


def test_a_time_across_much_white_space_is_read() -> None:
    found = Recogniser((), "en").recognise("tomorrow" + " " * 30 + "at\n\n\n\n5 pm", ["Datetime", "Time"], NOW)
    assert [one.value for one in found["Datetime"]] == ["2027-02-25T17:00:00+00:00"]
    assert [one.value for one in found["Time"]] == ["17:00"]


_spans = st.builds(
    lambda start, length, value, sure: Stretch(start, start + length, value, sure),
    *(st.integers(0, 12), st.integers(1, 6), st.sampled_from([None, 1, 2]), st.sampled_from([0.5, 1.0])),
)


@given(st.lists(_spans, max_size=12))
def test_the_longest_are_those_that_comparing_each_with_each_gives(stretches: list[Stretch]) -> None:
    assert longest(stretches) == _compared(stretches)


def _compared(stretches: list[Stretch]) -> list[Stretch]:
    def may_stand_beside(one: Stretch, other: Stretch) -> bool:
        if one.end <= other.start or one.start >= other.end:
            return True
        if (one.start, one.end, one.confidence) != (other.start, other.end, other.confidence):
            return False
        return None not in (one.value, other.value) and one.value != other.value

    kept: list[Stretch] = []
    for one in sorted(stretches, key=lambda s: (s.start - s.end, s.value is not None, -s.confidence, s.start)):
        if all(may_stand_beside(one, other) for other in kept):
            kept.append(one)
    return [one for one in sorted(kept, key=lambda s: s.start) if one.value is not None]


# ---- regular expressions -------------------------------------------------------------------------------------------

LINEAR = {
    # A group of digits and a sign before it: neither can stand for the other, and at most one group is given back.
    "number._DIGITS",
    "number._DIGITS_UNSPACED",
    # Nothing follows that could fail.
    "number._PART",
    "addresses._URL",
    # Tried at one place of the text, and what the possessive repeats take is not given back.
    *("Date._now", "Time._now", "Time._bare_number", "Time._bare_words", "Time._lasting", "Datetime._now"),
    *("Confirmation._start", "Confirmation._next", "time._BARE_CLOCK"),
}
"""Patterns with another unbounded repeat than white space, each with the reason why their time is linear all the same."""


@pytest.mark.parametrize("language", READ_LANGUAGES)
def test_an_attempt_to_match_looks_at_a_bounded_stretch(language: str) -> None:
    """Of white space ``fold_with_places`` leaves two in a row; every other repeat of a reader has an end."""
    found = dict(_patterns_of(language))
    assert len(found) > 40
    for name, pattern in found.items():
        if name not in LINEAR:
            assert list(_unbounded(regex.parse(pattern.pattern, pattern.flags))) == [], (
                f"{name}: {pattern.pattern[:200]}"
            )


def test_every_pattern_that_is_excused_is_there() -> None:
    assert {name for language in ("en", "es") for name, _ in _patterns_of(language)} >= LINEAR


def test_nothing_but_the_end_of_a_pattern_repeats_without_end_where_words_are_cut() -> None:
    from dialoom.understanding import normalise as cutting

    for pattern in (value for value in vars(cutting).values() if isinstance(value, re.Pattern)):
        for branch in _branches(regex.parse(pattern.pattern, pattern.flags)):
            assert list(_unbounded(branch[:-1])) == [], pattern.pattern[:80]


def _patterns_of(language: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    for module in pkgutil.iter_modules(dialoom.understanding.values.__path__):
        names = vars(importlib.import_module(f"dialoom.understanding.values.{module.name}"))
        yield from ((f"{module.name}.{name}", one) for name, one in names.items() if isinstance(one, re.Pattern))
    for type in READ_TYPES:
        yield from _held(type, readers_for(language)[type], set())


def _held(name: str, owner: object, seen: set[int]) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(owner, re.Pattern):
        yield name, owner
        return
    if id(owner) in seen:
        return
    seen.add(id(owner))
    if isinstance(owner, list | tuple):
        for index, one in enumerate(owner):
            yield from _held(f"{name}[{index}]", one, seen)
    elif type(owner).__module__.startswith("dialoom.understanding.values"):
        for attribute, one in vars(owner).items():
            held_by = type(one).__name__.removesuffix("Reader") if hasattr(one, "find") else ""
            yield from _held(held_by or f"{name}.{attribute}", one, seen)


def _unbounded(parsed: Any) -> Iterator[str]:
    """The repeats without end, but of white space."""
    for kind, argument in parsed:
        match kind:
            case kinds.MAX_REPEAT | kinds.MIN_REPEAT | kinds.POSSESSIVE_REPEAT:
                _, most, repeated = argument
                if most is kinds.MAXREPEAT and list(repeated) != [(kinds.IN, [(kinds.CATEGORY, kinds.CATEGORY_SPACE)])]:
                    yield str(repeated)
                yield from _unbounded(repeated)
            case kinds.SUBPATTERN:
                yield from _unbounded(argument[3])
            case kinds.ATOMIC_GROUP:
                yield from _unbounded(argument)
            case kinds.BRANCH:
                for branch in argument[1]:
                    yield from _unbounded(branch)
            case kinds.ASSERT | kinds.ASSERT_NOT:
                yield from _unbounded(argument[1])


def _branches(parsed: Any) -> Iterator[Any]:
    for kind, argument in parsed:
        if kind is kinds.BRANCH:
            yield from argument[1]
            return
    yield parsed
