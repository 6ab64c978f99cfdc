"""The options of the open question that a text names: by name, in a list, by position, with a slip."""

from __future__ import annotations

from typing import Any

from dialoom.engine.compiled import Question
from dialoom.engine.interpret.proposals import Choose
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import CONVERSATION
from dialoom.engine.interpret.values.asked_numbers import bare_amount
from dialoom.engine.options import match_option
from dialoom.engine.state import Choice
from dialoom.messages.plain import plain_title
from dialoom.template.values import plain_text
from dialoom.understanding import chosen_places, places_named

BY = "options"


def named_options(s: Situation, said: Said) -> Choose | None:
    """Return the options that a text names."""
    choices = s.choices
    if not choices:
        return None
    choice = match_option.named_by(choices, said.text)
    if choice is not None:
        return Choose(by=BY, choices=(choice,))
    listed = _listed(s, said)
    if listed and values_of(s, listed):
        return Choose(by=BY, choices=listed)
    if said.phrase in s.flow.commands.next_page | s.flow.commands.previous_page:
        return None  # a late "Next 5" chooses no option that is called 5
    choice = match_option.named_inside(choices, said.text)
    if choice is not None:
        return Choose(by=BY, choices=(choice,))
    question = s.question
    if question is not None and question.type == "Text" and s.is_spoken:
        # Where users hear the options "the second one" is no text.
        placed = s.by_place(said)
        return Choose(by=BY, choices=placed) if len(placed) == 1 else None
    return None


def named_in(choices: tuple[Choice, ...], said: Said) -> Choice | None:
    """Return the option that a text names or that stands in it."""
    return match_option.named_by(choices, said.text) or match_option.named_inside(choices, said.text)


def _listed(s: Situation, said: Said) -> tuple[Choice, ...]:
    """Return the options that a text lists: by their names, where several may be chosen ("Adams, Clark and Baker"), or
    by the numbers that the channel has written before them ("1, 3")."""
    choices, question = s.choices, s.question
    if question is not None and question.takes_many:
        listed = match_option.named_in_list(choices, said.text, s.language)
        if listed or len(listed := match_option.all_named_inside(choices, said.text)) > 1:
            return listed
    if not s.is_numbered:
        return ()
    # A numbered list asks for just these numbers, so that they are no quantity and no other text, and any title may
    # have a number of its own.
    named = places_named(said.text, s.language, len(choices))
    if named is None or not named.is_numeric or s.recogniser.trained_expression(said.text) is not None:
        return ()
    return tuple(choices[index] for index in chosen_places(named, [""] * len(choices), s.language))


def placed_options(s: Situation, said: Said) -> Choose | None:
    """Return the options that a text names by position, else the one that it names but for slips of the finger."""
    if not s.choices:
        return None
    placed = s.by_place(said)
    if not placed and s.recogniser.trained_expression(said.text) is None:
        slipped = match_option.named_with_slip(s.choices, said.text)
        placed = () if slipped is None else (slipped,)
    return Choose(by=BY, choices=placed) if placed else None


def text_of(choice: Choice) -> str:
    """Return what an option says; a place says what it is called."""
    is_place = isinstance(choice.value, dict) and "latitude" in choice.value
    return plain_title(choice.title) if is_place else plain_text(choice.value)


def value_of(s: Situation, question: Question, choice: Choice) -> Any:
    """Return a chosen option as a value of the question's type; None when it names none."""
    recogniser, type, said = s.recogniser, question.type, text_of(choice)
    kind = recogniser.kind(type)
    if type == "Text":
        return said
    if kind in ("keywords", "trait"):
        named = recogniser.value_named(type, said)
        if named is not None or choice.element is None:
            return named
        element = choice.element if isinstance(choice.element, dict) else {}
        return {**element, "value": choice.value}
    if kind == "built-in" and type in ("Location", "File", CONVERSATION):
        return choice.value if choice.element is None else choice.element
    value = s.reads(type, said)
    return bare_amount(s, question, said) if value is None else value


def values_of(s: Situation, choices: tuple[Choice, ...]) -> list[Any]:
    """Return what several options at once are to the open question: none of several where it takes one value."""
    question = s.question
    if question is None:
        return []
    values: list[Any] = []
    for choice in choices:
        value = value_of(s, question, choice)
        if value is not None and value not in values:
            values.append(value)
    return values if question.takes_many or len(values) <= 1 else []
