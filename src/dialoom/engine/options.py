"""Options of a question: where they come from, and the messages that show them. Finding one is left to
``match_option``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.engine import data_sources, paging, review, suggestions
from dialoom.engine.interrupts import FlowBroken
from dialoom.engine.memory import stored, worded
from dialoom.engine.state import Ask, Choice
from dialoom.errors import TemplateError
from dialoom.messages import BotMessage, Dialog, Option
from dialoom.messages.plain import plain_title
from dialoom.template.values import Bare, plain_text, print_value

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from dialoom.engine.compiled import Offer, OptionForm, Place
    from dialoom.engine.running_turn import Open, RunningTurn
    from dialoom.messages.said import DialogType
    from dialoom.template import Scope, Template

MAX_PLACED = 10
"""Of more suggestions nobody names one by its place."""


# ---- what is offered ---------------------------------------------------------------------------------------------


def fixed(p: RunningTurn, place: Place) -> tuple[Choice, ...] | None:
    """The options where they are the same for everybody; None where they are made anew for each asking."""
    if place.kind == "confirmation":
        return p.flow.yes_no
    if place.kind == "entities-confirmation":
        return None
    offer: Offer | None = place.step.offer
    if offer is None or offer.origin == "none":
        return ()
    return offer.fixed


def of_ask(p: RunningTurn, place: Place, ask: Ask) -> tuple[Choice, ...]:
    """The options of the open question, all pages."""
    if ask.choices is not None:
        return ask.choices
    if ask.is_suggestion:
        return p.flow.yes_no
    return fixed(p, place) or ()


def offered(p: RunningTurn, place: Place) -> tuple[Choice, ...]:
    """The options as they are now. Calls their data source."""
    known = fixed(p, place)
    if known is not None:
        return known
    if place.kind == "entities-confirmation":
        return review.choices(p, place)
    try:
        return tuple(_made(p, place))
    except TemplateError as error:
        raise FlowBroken(place.path, str(error)) from error


def _made(p: RunningTurn, place: Place) -> list[Choice]:
    offer: Offer = place.step.offer
    form = offer.form
    if offer.origin == "data":
        if form is None:
            return [_formed(option, p.memory.scope()) for option in offer.data]
        return [_formed_of(p, form, element) for element in offer.data]
    if offer.source is not None:
        elements = data_sources.call(p, offer.source, place.path).picked
        if elements is None:
            elements = []
        if not isinstance(elements, list | tuple):
            raise FlowBroken(place.path, "The options are no list. Pick the list inside the answer with a selector.")
        is_value = counts_as_value(p, place)
        return [_from_source(p, place, element, is_value, number) for number, element in enumerate(elements, 1)]
    type = place.step.type
    values = p.flow.recogniser.values(type)
    if form is None:
        return [Choice(value["value"], value["value"]) for value in values]
    return [_formed_of(p, form, worded(value, type), value["value"]) for value in values]


def counts_as_value(p: RunningTurn, place: Place) -> bool:
    """Whether the type has no values of its own, so that an option is one, with its element as metadata."""
    if place.kind != "question":
        return False
    type = place.step.type
    return p.flow.recogniser.kind(type) in ("keywords", "trait") and not p.flow.recogniser.has_values(type)


def _from_source(p: RunningTurn, place: Place, element: Any, is_value: bool, number: int) -> Choice:
    form: OptionForm | None = place.step.offer.form
    choice = _unformed(element) if form is None else _formed_of(p, form, element)
    if not plain_title(choice.title):  # nobody can read such a reply, and most channels refuse it
        raise FlowBroken(
            place.path,
            f"Option {number} of the data source has no title. Give the display a template whose title is never blank, "
            "or pick the elements that have one with a selector.",
        )
    if not is_value:
        return choice
    return Choice(choice.title, choice.value, choice.subtitle, choice.image, stored(element))


def _formed_of(p: RunningTurn, form: OptionForm, element: Any, default: Any = None) -> Choice:
    title = _title_of(element) if form.title is None else ""
    return _formed(form, p.memory.scope_of(element), title, default)


def _formed(form: OptionForm, scope: Scope, title: str = "", default: Any = None) -> Choice:
    """``title``: for a form that has none. An option without any reads as its value, as one in the flow does."""
    if form.title is not None:
        title = form.title.text(scope)
    value = stored(form.value.leaf(scope)) if form.value is not None else default
    if not title and value is not None:
        title = plain_text(value)
    subtitle = form.subtitle.text(scope) if form.subtitle is not None else None
    image = form.image.text(scope) if form.image is not None else None
    return Choice(title, plain_title(title) if value is None else value, subtitle or None, image or None)


def _title_of(element: Any) -> str:
    if isinstance(element, dict) and not isinstance(element, Bare) and "title" in element:
        return print_value(element["title"])
    return print_value(element)


def _unformed(element: Any) -> Choice:
    """Without a template a text is its own title and an object is read as an option object."""
    if not isinstance(element, dict) or isinstance(element, Bare):
        title = print_value(element)
        return Choice(title, plain_title(title))
    title, value = print_value(element.get("title")), stored(element.get("value"))
    if not title and value is not None:
        title = plain_text(value)
    subtitle, image = element.get("subtitle"), element.get("image")
    return Choice(
        title,
        plain_title(title) if value is None else value,
        subtitle if isinstance(subtitle, str) and subtitle else None,
        image if isinstance(image, str) and image else None,
    )


# ---- asking ------------------------------------------------------------------------------------------------------


def put(
    p: RunningTurn,
    conversation: Open,
    place: Place,
    texts: list[str],
    choices: tuple[Choice, ...] | None,
    *,
    is_ambiguity: bool = False,
) -> None:
    """Ask: send the texts with the options and make this the open question. ``choices``: None to look what they are."""
    old = None
    if choices is None:
        old = _again(p, conversation, place)
        choices = of_ask(p, place, old) if old is not None else offered(p, place)
    if old is None:
        p.asks += 1
        known = None if is_ambiguity else fixed(p, place)
        if not is_ambiguity:
            choices = suggestions.past_first(p, place, choices)
        is_fixed = known is not None and choices is known
        ask = Ask(place.index, p.asks, None if is_fixed else choices, 0, is_ambiguity)
    else:
        ask = old if old.start == 0 else Ask(old.place, old.number, old.choices)
    p.ask = ask
    show(p, place, texts, choices, ask)


def put_suggestion(p: RunningTurn, conversation: Open, place: Place, texts: list[str]) -> None:
    """Ask whether a past value is meant again, with Yes and No."""
    ask = _again(p, conversation, place, is_suggestion=True)
    if ask is None:
        p.asks += 1
        ask = Ask(place.index, p.asks, is_suggestion=True)
    p.ask = ask
    show(p, place, texts, of_ask(p, place, ask), ask)


def _again(p: RunningTurn, conversation: Open, place: Place, *, is_suggestion: bool = False) -> Ask | None:
    """What was open when the turn began, if this is the same question and nothing its options depend on has changed."""
    if p.before is None:
        return None
    key, ask = p.before
    if key != conversation.script.key or ask.place != place.index or ask.is_ambiguity:
        return None
    if ask.is_suggestion != is_suggestion:
        return None
    if is_suggestion:
        return ask
    return ask if _read_for(place).isdisjoint(p.touched) and not _has_other_values(p, place, ask) else None


def _has_other_values(p: RunningTurn, place: Place, ask: Ask) -> bool:
    """Whether the options are the values of a dynamic type that has others by now: one that is gone is not understood
    any more, so that offering it again would lead nowhere."""
    offer: Offer | None = place.step.offer if place.kind == "question" else None
    if offer is None or offer.origin != "type" or place.step.type not in p.flow.dynamic:
        return False
    return ask.choices != suggestions.past_first(p, place, offered(p, place))


def _read_for(place: Place) -> AbstractSet[str]:
    """Entities that the options of a step depend on."""
    if place.kind == "entities-confirmation":
        return frozenset(place.step.entities)
    offer: Offer | None = place.step.offer if place.kind == "question" else None
    return frozenset() if offer is None else offer.names


def is_dialog(place: Place, ask: Ask) -> bool:
    """Whether the options are shown all at once, in a dialog or as cards."""
    if place.kind != "question" or ask.is_ambiguity or ask.is_suggestion:
        return False
    offer: Offer | None = place.step.offer
    return offer is not None and offer.kind != "quick-reply"


def show(p: RunningTurn, place: Place, texts: list[str], choices: tuple[Choice, ...], ask: Ask) -> None:
    """Send texts; the options belong to the last one, with none they go alone."""
    step = place.path
    replies: tuple[Option, ...] = ()
    dialog = None
    if is_dialog(place, ask):
        dialog = _dialog(p, step, place.step.offer, choices, ask)
    else:
        replies = paging.page(p.flow.commands, choices, ask, always_shown(place))
    if not replies and dialog is None:
        for text in texts:
            p.send(BotMessage(text), step)
        return
    for text in texts[:-1]:
        p.send(BotMessage(text), step)
    p.send(BotMessage(texts[-1] if texts else "", replies, dialog), step)


def always_shown(place: Place) -> int:
    """How many of the first options stand on every page."""
    return review.ALWAYS_SHOWN if place.kind == "entities-confirmation" else 0


def suggest(p: RunningTurn, step: str, texts: list[str], choices: tuple[Choice, ...]) -> None:
    """Send a message whose replies are suggestions only: they answer no question, so they have no keys and no pages."""
    for text in texts[:-1]:
        p.send(BotMessage(text), step)
    replies = tuple(Option(choice.title, choice.value, image=choice.image) for choice in choices)
    if texts or replies:
        p.send(BotMessage(texts[-1] if texts else "", replies), step)
        if len(choices) <= MAX_PLACED:
            p.suggested = tuple(Choice(choice.title, choice.value) for choice in choices)


def _dialog(p: RunningTurn, step: str, offer: Offer, choices: tuple[Choice, ...], ask: Ask) -> Dialog:
    system = p.flow.system
    try:
        scope = p.memory.scope()
        title = _label(offer.title, scope) or system.open
        default = system.select if offer.kind == "carousel" else system.submit
        button_text = _label(offer.button_text, scope) or default
    except TemplateError as error:
        raise FlowBroken(step, str(error)) from error
    options = paging.options(choices, ask)
    kind: DialogType = offer.kind  # type: ignore[assignment]  # quick-reply has no dialog
    return Dialog(kind, title, button_text, options, key=str(ask.number))


def _label(template: Template | None, scope: Scope) -> str:
    """Of a button; one that is blank takes the default."""
    return "" if template is None else template.text(scope).strip()
