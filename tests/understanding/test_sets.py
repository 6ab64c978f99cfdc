"""Own data: three bots in three languages, with training and test sentences that were written apart from one another.

``sets/<bot>.<language>.train.txt`` and ``.test.txt`` hold a value a heading; ``none.<language>.txt`` what fits nothing.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from dialoom.flow.model import TraitType, TraitValue
from dialoom.understanding import Recogniser, normalise

SETS = Path(__file__).parent / "sets"
BOTS = ("clinic", "shop", "hotel")
NOW = datetime(2027, 2, 24, 10, 0, tzinfo=UTC)


class Result(NamedTuple):
    best: float
    """The part of the test sentences whose best value is right, whatever the threshold."""
    understood: float
    """The part that is accepted and right."""
    mistaken: float
    """The part that is accepted and wrong."""
    nothing: float
    """The part of the sentences that fit nothing which is turned away."""


def read(name: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    value = ""
    for line in (SETS / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            value = line[2:]
        elif line:
            found.setdefault(value, []).append(line)
    return {value: tuple(sentences) for value, sentences in found.items()}


def measured(bot: str, language: str) -> Result:
    data = tuple(TraitValue(value=value, expressions=all) for value, all in read(f"{bot}.{language}.train").items())
    definitions = (TraitType(name="Conversation", data=data),)
    recogniser, open_to_all = Recogniser(definitions, language), Recogniser(definitions, language, 0.0, 0.0)

    def value(of: Recogniser, text: str) -> str | None:
        found = of.recognise(text, ["Conversation"], NOW)["Conversation"]
        return str(found[0].value["value"]) if found else None

    tests = [(right, text) for right, all in read(f"{bot}.{language}.test").items() for text in all]
    none = read(f"none.{language}")[""]
    given = [value(recogniser, text) for _, text in tests]
    best = [value(open_to_all, text) for _, text in tests]
    return Result(
        sum(one == right for one, (right, _) in zip(best, tests, strict=True)) / len(tests),
        sum(one == right for one, (right, _) in zip(given, tests, strict=True)) / len(tests),
        sum(one not in (right, None) for one, (right, _) in zip(given, tests, strict=True)) / len(tests),
        sum(value(recogniser, text) is None for text in none) / len(none),
    )


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_three_bots_understand_sentences_that_they_were_not_trained_on(language: str) -> None:
    best, understood, mistaken, nothing = (
        sum(one) / len(BOTS) for one in zip(*[measured(bot, language) for bot in BOTS], strict=True)
    )
    assert best >= 0.83
    assert understood >= 0.75
    assert mistaken <= 0.07
    assert nothing >= 0.84


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_no_test_sentence_is_a_trained_one_except_by_chance(language: str) -> None:
    for bot in BOTS:
        trained = {normalise(text) for all in read(f"{bot}.{language}.train").values() for text in all}
        tests = [normalise(text) for all in read(f"{bot}.{language}.test").values() for text in all]
        assert sum(text in trained for text in tests) <= len(tests) * 0.1


@pytest.mark.parametrize("language", ["th", "zh", "ja", "ar", "tr", "fi"])
def test_a_small_bot_of_a_language_with_other_scripts_or_endings_understands(language: str) -> None:
    best, understood, mistaken, nothing = measured("desk", language)
    assert best >= 0.95
    assert understood >= 0.85
    assert mistaken == 0
    assert nothing == 1


def test_a_thai_greeting_is_no_good_night() -> None:
    """Good night holds the letters of hello; a bot that was taught no greeting must not say goodbye."""
    values = {value: texts for value, texts in read("desk.th.train").items() if value != "greet"}
    data = tuple(TraitValue(value=value, expressions=texts) for value, texts in values.items())
    bot = Recogniser((TraitType(name="Conversation", data=data),), "th")
    found = {
        text: bot.recognise(text, ["Conversation"], NOW)["Conversation"] for text in read("desk.th.train")["greet"]
    }
    assert {text: one for text, one in found.items() if one} == {}
