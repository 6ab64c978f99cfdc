"""The search for names in a message: it finds what comparing every name with every place finds, with bounded work."""

from __future__ import annotations

import itertools
import random
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.flow.model import KeywordsType, KeywordValue
from dialoom.understanding.candidate import Stretch
from dialoom.understanding.keywords import MAX_ALIKE, MAX_FOUND, SLIPPED, UNLIKELY, Keywords, is_one_slip
from dialoom.understanding.name_tree import MAX_STEPS, MAX_WORDS, NameTree
from dialoom.understanding.normalise import words_of
from dialoom.understanding.slips import MAX_COMPARED, MAX_LETTERS, MAX_SHARING, MIN_TOLERANT_CHARS, Slips
from tests.work import lines_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dialoom.understanding.normalise import Word

ONE_SLIP_APART = ("bound", "count", "found", "hound", "mound", "pound", "round", "sound", "wound")
BETWEEN_THEM = "cound"
"""One slip from nearly all of them, and none of them."""
MAX_WORK = 400_000
"""Lines for one message of 2,000 characters, whatever it says."""
GROWTH = 2.3
"""How much more work twice the size may be: n log n from some hundreds on is less than 2.25."""


def keywords(values: Iterable[KeywordValue]) -> Keywords:
    return Keywords(KeywordsType(name="Title", data=tuple(values)))


def titles(names: Iterable[str]) -> Keywords:
    return keywords(KeywordValue(value=name) for name in names)


def drawn_titles(count: int, words: int) -> list[str]:
    draw = random.Random(count)
    return sorted({" ".join(draw.choices(ONE_SLIP_APART, k=words)) for _ in range(count)})


def found(known: Keywords, text: str) -> list[tuple[str, str, float]]:
    stretches = known.find(text, words_of(text))
    return [(one.value["value"], text[one.start : one.end], one.confidence) for one in stretches]


# ---- the same as a plain search ----------------------------------------------------------------------------------

LETTERS = st.text("abc", min_size=1, max_size=3)
WORDS = st.one_of(
    st.sampled_from(("the", "abcab", "abcac", "abcaa", "bbcab", "abca", "abcabc", "bacab", "cabab", "abab", "x1234")),
    LETTERS.map(lambda text: f"abc{text}"),
)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)


@given(st.lists(NAMES, max_size=8), st.lists(NAMES, max_size=4), TEXTS)
def test_the_search_finds_what_comparing_each_name_with_each_place_finds(
    names: list[str], synonyms: list[str], text: str
) -> None:
    values = [KeywordValue(value=name) for name in dict.fromkeys(names)]
    values += [KeywordValue(value=f"value {index}", synonyms=(name,)) for index, name in enumerate(synonyms)]
    words = words_of(text)
    assert sorted(map(_told, keywords(values).find(text, words))) == sorted(map(_told, _plain_search(values, words)))


def _told(one: Stretch) -> tuple[int, int, str, float]:
    return one.start, one.end, one.value["value"], one.confidence


def _plain_search(values: list[KeywordValue], words: list[Word]) -> list[Stretch]:
    """Every name at every place, then of overlapping stretches the longest, the surest, the first."""
    known = {word for value in values for name in (value.value, *value.synonyms) for word in name.split()}
    every = []
    for value in values:
        for name in (value.value, *value.synonyms):
            is_synonym = name != value.value and any(name == other.value for other in values)
            parts = name.split()
            for first in range(len(words) - len(parts) + 1):
                said = words[first : first + len(parts)]
                sure = _sureness([word.folded for word in said], parts, known)
                if sure and not is_synonym:
                    every.append(Stretch(said[0].start, said[-1].end, {"value": value.value}, sure))
    every.sort(key=lambda one: (one.start - one.end, -one.confidence, one.start))
    kept: list[Stretch] = []
    for one in every:
        others = [other for other in kept if one.start < other.end and other.start < one.end]
        is_rival = all(
            (one.start, one.end, one.confidence) == (other.start, other.end, other.confidence)
            and one.value != other.value
            for other in others
        )
        if is_rival:
            kept.append(one)
    return kept


def _sureness(said: list[str], name: list[str], known: set[str]) -> float:
    if said == name:
        return 1.0
    for typed, word in zip(said, name, strict=True):
        if typed != word and (typed in known or not _may_be_slip(typed, word)):
            return 0.0
    is_likely = len(said) > 1 or (said[0][0] == name[0][0] and len(said[0]) >= MIN_TOLERANT_CHARS)
    return SLIPPED if is_likely else UNLIKELY


def _may_be_slip(typed: str, word: str) -> bool:
    is_of_letters = typed.isalpha() and word.isalpha() and len(typed) >= MIN_TOLERANT_CHARS - 1
    return is_of_letters and len(word) >= MIN_TOLERANT_CHARS and is_one_slip(typed, word)


# ---- work --------------------------------------------------------------------------------------------------------


def _work(known: Keywords, text: str) -> int:
    words = words_of(text)
    return lines_run(lambda: known.find(text, words))


def _grows_evenly(work: Sequence[int]) -> bool:
    return all(more <= less * GROWTH for less, more in itertools.pairwise(work))


@pytest.mark.parametrize(
    ("known", "piece"),
    [
        (titles(["The " + name for name in drawn_titles(1000, 11)]), "the " + f"{BETWEEN_THEM} " * 11),
        (titles(drawn_titles(2000, 3)), f"{BETWEEN_THEM} "),
        (titles([*ONE_SLIP_APART, *drawn_titles(60, 2)]), f"{BETWEEN_THEM} the "),
        (titles(" ".join(["a"] * count) for count in range(1, 13)), "a "),
        (titles(f"{one}-{other}" for one in "abcdefgh" for other in "abcdefgh"), "a-b-"),
        (keywords(KeywordValue(value=f"Town {n}", synonyms=("springfield",)) for n in range(300)), "springfield "),
        (titles(f"ab{chr(0xAC00 + n)}cde" for n in range(3000)), "ab힐cde "),
        (titles(["C", "C++", "C#", *(f"C{'+' * n}" for n in range(3, 60))]), "c+ "),
    ],
    ids=["long titles", "short titles", "words", "one word again and again", "hyphens", "synonym", "alphabet", "signs"],
)
def test_twice_the_text_is_at_most_twice_the_work(known: Keywords, piece: str) -> None:
    texts = [(piece * (length // len(piece) + 1))[:length] for length in (500, 1000, 2000)]
    work = [_work(known, text) for text in texts]
    assert _grows_evenly(work)
    assert work[-1] <= MAX_WORK


def test_the_number_of_titles_does_not_multiply_the_work() -> None:
    text = "the " + f"{BETWEEN_THEM} " * 11
    few, many = (titles(["The " + name for name in drawn_titles(count, 11)]) for count in (500, 2000))
    assert _work(many, text) <= _work(few, text) * GROWTH + MAX_STEPS


@pytest.mark.parametrize("shared", [False, True])
def test_twice_the_names_are_learned_with_at_most_twice_the_work(shared: bool) -> None:
    synonyms = ("Springfield",) if shared else ()
    work = []
    for count in (250, 500, 1000):
        values = [KeywordValue(value=name, synonyms=synonyms) for name in drawn_titles(count, 8)]
        work.append(lines_run(partial(keywords, values)))
    assert _grows_evenly(work)


def test_words_that_share_all_letters_but_one_are_learned_with_at_most_twice_the_work() -> None:
    work = [lines_run(partial(Slips, [f"ab{chr(0xAC00 + n)}cde" for n in range(count)])) for count in (500, 1000, 2000)]
    assert _grows_evenly(work)


def test_a_typed_word_is_compared_with_a_bounded_number_of_words() -> None:
    alphabet = [chr(0xAC00 + n) for n in range(2000)]
    slips = Slips(f"{letter}bcde" if n % 2 else f"abcd{letter}" for n, letter in enumerate(alphabet))
    near = slips.near("abcde")
    assert len(near) <= 2 * MAX_SHARING <= MAX_COMPARED
    assert all(is_one_slip("abcde", word) for word in near)


def test_a_word_longer_than_any_name_is_no_slip_and_takes_no_entries() -> None:
    longest = "a" * (MAX_LETTERS + 1)
    assert Slips([longest]).near(longest[1:]) == (longest,)
    assert lines_run(lambda: Slips(["a" * 8000])) < 20


# ---- what is found where there is a bound ------------------------------------------------------------------------


def test_what_is_written_as_it_is_called_is_found_behind_any_number_of_slips() -> None:
    known = titles([*(drawn_titles(3000, 6)), "Rome", "New Delhi"])
    text = f"{BETWEEN_THEM} " * 200 + "to new delhi or rome"
    assert found(known, text)[-2:] == [("New Delhi", "new delhi", 1.0), ("Rome", "rome", 1.0)]


def test_slips_in_a_long_message_are_forgiven() -> None:
    known = titles(["Jardin Botanique", *(drawn_titles(3000, 6))])
    text = "I would rather go and see something else today " * 38 + "in the jardim botanqiue"
    assert found(known, text) == [("Jardin Botanique", "jardim botanqiue", SLIPPED)]


def test_a_title_with_a_slip_in_each_word_is_found_among_titles_of_such_words() -> None:
    chosen = drawn_titles(1000, 5)[500]
    typed = " ".join(f"{word}s" for word in chosen.split())
    assert (chosen, typed, SLIPPED) in found(titles(drawn_titles(1000, 5)), typed)


def test_of_values_that_fit_equally_the_first_are_offered() -> None:
    known = keywords(KeywordValue(value=f"Town {n}", synonyms=("Springfield",)) for n in range(MAX_ALIKE + 30))
    assert [name for name, *_ in found(known, "in springfield")] == [f"Town {n}" for n in range(MAX_ALIKE)]


def test_values_behind_the_first_hundreds_are_left_unread() -> None:
    known = keywords(KeywordValue(value=f"Town {n}", synonyms=("Springfield",)) for n in range(MAX_ALIKE))
    assert len(found(known, "springfield " * 100)) == MAX_FOUND


def test_a_name_of_many_words_is_found_only_as_the_whole_message() -> None:
    name = " ".join(f"w{n}" for n in range(MAX_WORDS + 1))
    known = titles([name])
    assert found(known, name) == []
    assert (known.named(name) or {})["value"] == name


def test_every_name_that_a_run_of_words_may_be_is_told() -> None:
    tree = NameTree(["sound count", "found count", "count"])
    runs: list[tuple[int, int, Any]] = [
        (first, end, sorted(names)) for first, end, names in tree.find(["oound", "count"])
    ]
    assert runs == [(0, 2, ["found count", "sound count"]), (1, 2, ["count"])]
