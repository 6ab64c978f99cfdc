"""Thousands of options, and messages made to match many of them: the work is bounded, and what is found is the same."""

from __future__ import annotations

import itertools
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.engine.events import Picked
from dialoom.engine.options import chosen, match_option
from dialoom.engine.options.value_replies import MAX_FIRST
from dialoom.engine.state import Choice
from dialoom.understanding import normalise
from dialoom.understanding.keywords import MAX_ALIKE
from dialoom.understanding.name_tree import MAX_WORDS
from tests.engine.talking import ASKED, NOON, Chat, bot, goal, keywords, q, quick, say, trait
from tests.work import lines_run

if TYPE_CHECKING:
    from collections.abc import Sequence

GO = trait(go=["go"])
GROWTH = 2.3
"""How much more work twice the size may be."""


def offered(titles: Sequence[str]) -> tuple[Choice, ...]:
    """Options of a data source that are themselves the values of their type."""
    return tuple(Choice(title, f"id {number}", element={"n": number}) for number, title in enumerate(titles))


# ---- an option inside a sentence ---------------------------------------------------------------------------------

WORDS = st.lists(st.sampled_from(("red", "blue", "car", "the", "a-b", "b", "+")), min_size=1, max_size=4).map(" ".join)


@given(st.lists(WORDS, min_size=1, max_size=6), st.lists(WORDS, max_size=3).map(" ".join))
def test_an_option_inside_a_sentence_is_the_longest_whose_words_stand_there(titles: list[str], text: str) -> None:
    choices = offered(titles)
    said = f" {normalise(text)} "
    lengths = [len(normalise(title)) if f" {normalise(title)} " in said else 0 for title in titles]
    owners = [choice for choice, length in zip(choices, lengths, strict=True) if length and length == max(lengths)]
    assert match_option.named_inside(choices, text) == (owners[0] if len(owners) == 1 else None)


def test_an_option_of_very_many_words_is_found_only_as_the_whole_message() -> None:
    title = " ".join(f"w{n}" for n in range(MAX_WORDS + 1))
    choices = offered([title, "red car"])
    assert match_option.named_inside(choices, f"I take {title}") is None
    assert match_option.named_by(choices, title) == choices[0]


@pytest.mark.parametrize("sizes", [((500, 500), (1000, 500), (2000, 500)), ((500, 500), (500, 1000), (500, 2000))])
def test_twice_the_options_or_the_text_are_at_most_twice_the_work(sizes: tuple[tuple[int, int], ...]) -> None:
    work = []
    for count, length in sizes:
        choices = offered([" ".join(["a"] * (number % MAX_WORDS) + ["b", str(number)]) for number in range(count)])
        text = "a b " * length
        work.append(lines_run(partial(match_option.named_inside, choices, text)))
    assert all(more <= less * GROWTH for less, more in itertools.pairwise(work))


# ---- several picked values ---------------------------------------------------------------------------------------


def _picked(*values: str) -> Picked:
    return Picked(id="e", now=NOON, seed=1, profile=ASKED, value=list(values))


def test_several_picked_values_are_found_by_value_then_by_title() -> None:
    choices = (Choice("Red", "blue"), Choice("Blue", "red"), Choice("Green", "green"))
    assert chosen.read(_picked("RED", " green "), None, choices).choices == (choices[1], choices[2])
    assert chosen.read(_picked("red", "no option"), None, choices).text == "red, no option"


def test_the_picked_values_do_not_multiply_the_work_by_the_options() -> None:
    choices = offered([f"title {number}" for number in range(1000)])
    few, many = (
        lines_run(partial(chosen.read, _picked(*(f"title {999 - n}" for n in range(count))), None, choices))
        for count in (2, 200)
    )
    assert many <= few * 2


# ---- ambiguities and suggestions ---------------------------------------------------------------------------------


def test_an_ambiguity_offers_the_first_values_of_very_many() -> None:
    towns = {f"Town{number}": ["Springfield"] for number in range(2 * MAX_ALIKE)}
    flow = bot({"go": goal(q("to", "city"), say("{{to}}!"))}, keywords("city", **towns), GO)
    chat = Chat(flow)
    chat.say("go")
    chat.say("to springfield")
    assert chat.state.ask is not None
    assert [choice.title for choice in chat.state.ask.choices or ()] == list(towns)[:MAX_ALIKE]
    assert chat.say(f"town{MAX_ALIKE + 1}") == [f"Town{MAX_ALIKE + 1}!"]


def test_many_stretches_for_one_question_are_an_ambiguity_of_the_first_values() -> None:
    towns = {f"Town{number}": [] for number in range(2 * MAX_ALIKE)}
    chat = Chat(bot({"go": goal(q("to", "city"), say("{{to}}!"))}, keywords("city", **towns), GO))
    chat.say("go")
    chat.say(" ".join(towns))
    assert chat.state.ask is not None
    assert [choice.title for choice in chat.state.ask.choices or ()] == list(towns)[:MAX_ALIKE]


def test_of_many_past_values_the_first_come_before_the_other_options() -> None:
    towns = {f"town{number:03}": [] for number in range(100)}
    question = q(
        "to",
        "city",
        display=quick(),
        reactions={"suggestions": ["{{to}} again?"]},
        capture_multiple_values=True,
    )
    chat = Chat(bot({"go": goal(question, say("Off."))}, keywords("city", **towns), GO))
    for run in (["town099"], list(towns)[40:80]):
        chat.say("go")
        assert chat.say(" ".join(run)) == ["Off."]
    chat.say("go")
    assert chat.state.ask is not None
    titles = [choice.title for choice in chat.state.ask.choices or ()]
    assert titles == [*list(towns)[40 : 40 + MAX_FIRST], *list(towns)[:40], *list(towns)[40 + MAX_FIRST :]]
