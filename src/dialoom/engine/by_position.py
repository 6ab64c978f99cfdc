"""Options that a message names by the places at which they are shown: "the second one", "2", "the last".

Which words do so is left to ``understanding``; what a named option means to ``interpret``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine import options, paging
from dialoom.messages.plain import plain_title
from dialoom.template.values import plain_text
from dialoom.understanding import chosen_places, places_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.engine.compiled import Place
    from dialoom.engine.running_turn import RunningTurn
    from dialoom.engine.state import Ask, Choice


def named_by_place(p: RunningTurn, place: Place, ask: Ask, text: str) -> tuple[Choice, ...]:
    """Only options that the user sees: those of the page of replies, or cards. What the question itself reads in the
    text goes first ("the second" as a date), unless the text says that one of several is meant ("the second one")."""
    if place.is_confirmation or ask.is_suggestion or place.step.type == "Confirmation":
        return ()
    named = places_named(text, p.flow.language)
    if named is None:
        return ()
    recogniser, type = p.flow.recogniser, place.step.type
    if recogniser.trained_expression(text) is not None:
        return ()
    if not named.is_explicit and recogniser.recognise(text, (type,), p.memory.now())[type]:
        return ()
    shown = _shown(p, place, ask)
    titles = [plain_title(choice.title) for choice in shown]
    indexes = chosen_places(named, titles, p.flow.language)
    return tuple(shown[index] for index in indexes)


def may_be_place(text: str, language: str, choices: Sequence[Choice]) -> bool:
    """Whether "2" may be meant for the second of them, where they have no places: of a yes and a no it is too much to
    guess, but it must not be taken for something likelier than that either, such as an hour."""
    named = places_named(text, language)
    return named is not None and all(number <= len(choices) for number in named.numbers)


def suggested_by_place(p: RunningTurn, text: str) -> str | None:
    """The reply under the bot's last message that a text names by its place, as if it had been typed. They answer no
    question, and with one open a place is one among its options."""
    if p.ask is not None or not p.suggested:
        return None
    named = places_named(text, p.flow.language)
    if named is None or p.flow.recogniser.trained_expression(text) is not None:
        return None
    titles = [plain_title(choice.title) for choice in p.suggested]
    indexes = chosen_places(named, titles, p.flow.language)
    if len(indexes) != 1:
        return None
    choice = p.suggested[indexes[0]]
    return plain_text(choice.value) if isinstance(choice.value, str | int | float) else plain_title(choice.title)


def _shown(p: RunningTurn, place: Place, ask: Ask) -> tuple[Choice, ...]:
    choices = options.of_ask(p, place, ask)
    if not options.is_dialog(place, ask):
        return choices[ask.start : ask.start + paging.PAGE]
    return choices if place.step.offer.kind == "carousel" else ()
