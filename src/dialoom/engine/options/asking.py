"""Asks the open question: the messages that show its options, five on a page or in a dialog, and their keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

import msgspec
from msgspec.structs import replace

from dialoom.engine.compiled import Commands, Confirmation, EntitiesConfirmation, Flow, Node, Offer, Question
from dialoom.engine.memory import Memory
from dialoom.engine.options import offered, review, shown_days, value_replies
from dialoom.engine.options.match_option import Fixed
from dialoom.engine.running_turn import Calls, FlowBroken, OpenConversation, Output, RunningTurn, Stack
from dialoom.engine.state import Ask, Choice, SuggestionPages
from dialoom.errors import TemplateError
from dialoom.messages import BotMessage, Dialog, Option
from dialoom.messages.said import DialogType
from dialoom.template import Scope, Template

# ---- asking ------------------------------------------------------------------------------------------------------


def put(
    turn: RunningTurn,
    conversation: OpenConversation,
    node: Node,
    texts: list[str],
    choices: tuple[Choice, ...] | None,
    *,
    is_ambiguity: bool = False,
) -> None:
    """Ask: send the texts with the options and make this the open question. ``choices``: None to look what they are."""
    old, stack = None, turn.stack
    if choices is None:
        old = _again(turn.stack, turn.calls, conversation, node)
        known = offered.of_ask(turn.flow, node, old) if old is not None else offered.offered(stack, turn.calls, node)
        choices = known
        if stack.old_value is not None and stack.old_value[0] == node.index and isinstance(node.step, Question):
            old, choices = None, value_replies.old_first(turn.memory, node, node.step, stack.old_value[1], known)
    if old is None:
        stack.asks += 1
        fixed = None if is_ambiguity else offered.fixed(turn.flow, node)
        if not is_ambiguity:
            choices = value_replies.past_first(turn.flow, turn.memory, node, choices)
        is_fixed = fixed is not None and choices is fixed
        ask = Ask(node.index, stack.asks, None if is_fixed else choices, 0, is_ambiguity)
    else:
        ask = old if old.start == 0 else Ask(old.node, old.number, old.choices)
    stack.ask = ask
    show(turn.flow, turn.output, node, texts, choices, ask)


def put_suggestion(turn: RunningTurn, conversation: OpenConversation, node: Node, texts: list[str]) -> None:
    """Ask whether a past value is meant again, with Yes and No."""
    ask = _again(turn.stack, turn.calls, conversation, node, is_suggestion=True)
    if ask is None:
        turn.stack.asks += 1
        ask = Ask(node.index, turn.stack.asks, is_suggestion=True)
    turn.stack.ask = ask
    show(turn.flow, turn.output, node, texts, offered.of_ask(turn.flow, node, ask), ask)


def _again(
    stack: Stack, calls: Calls, conversation: OpenConversation, node: Node, *, is_suggestion: bool = False
) -> Ask | None:
    """Return the question that was open when the turn began, if it is this one and nothing its options depend on has
    changed, else None."""
    before, touched, step = stack.before, stack.touched, node.step
    if before is None:
        return None
    key, ask = before
    if key != conversation.script.key or ask.node != node.index or ask.is_ambiguity:
        return None
    if ask.is_suggestion != is_suggestion:
        return None
    if touched and (is_suggestion or not isinstance(step, Question) or step.type == "Confirmation"):
        return None  # a yes to what was asked before the change is none to this
    if is_suggestion:
        return ask
    if not _read_for(node).isdisjoint(touched):
        return None
    if isinstance(step, Question) and step.offer is not None and step.offer.origin == "type":
        # A value of a dynamic type that is gone is not understood any more: offering it again would lead nowhere.
        offers = offered.offered(stack, calls, node) if step.type in stack.flow.dynamic else None
        if offers is not None and ask.choices != value_replies.past_first(stack.flow, calls.memory, node, offers):
            return None
    return ask


def _read_for(node: Node) -> AbstractSet[str]:
    """Return the entities that the options of a step depend on."""
    step = node.step
    if isinstance(step, EntitiesConfirmation):
        return frozenset(step.entities)
    return step.offer.names if isinstance(step, Question) and step.offer is not None else frozenset()


def dialog_of(node: Node, ask: Ask) -> Offer | None:
    """Return the display whose options are shown all at once, in a dialog or as cards; None for quick replies."""
    step = node.step
    if not isinstance(step, Question) or ask.is_ambiguity or ask.is_suggestion:
        return None
    return None if step.offer is None or step.offer.kind == "quick-reply" else step.offer


def show(
    flow: Flow,
    output: Output,
    node: Node,
    texts: list[str],
    choices: tuple[Choice, ...],
    ask: Ask,
    *,
    is_page: bool = False,
) -> None:
    """Send texts; the options belong to the last one, with none they go alone. ``is_page``: they are another page of
    what was shown."""
    step = node.path
    offer = dialog_of(node, ask)
    dialog = None if offer is None else _dialog(flow, output.memory, step, offer, choices, ask)
    replies = _replies(flow, node, choices, ask)
    if not replies and dialog is None:
        for text in texts:
            output.send(BotMessage(text), step)
        return
    for text in texts[:-1]:
        output.send(BotMessage(text), step)
    output.send(BotMessage(texts[-1] if texts else "", replies, dialog), step, is_page=is_page)


def _replies(flow: Flow, node: Node, choices: tuple[Choice, ...], ask: Ask) -> tuple[Option, ...]:
    """Return the quick replies of a question: none of its options where a dialog shows them."""
    replies: tuple[Option, ...] = ()
    if dialog_of(node, ask) is None:
        replies = page(flow.commands, choices, ask, always_shown(node))
        if isinstance(node.step, Confirmation) and node.step.style and replies:
            # The yes is the first of its replies.
            replies = (replace(replies[0], role=_ROLES[node.step.style]), *replies[1:])
    skip = flow.commands.labels[1] if isinstance(node.step, Question) and node.step.is_optional else ""
    if skip and not ask.is_suggestion:
        replies = (*replies, Option(skip, skip, f"{ask.number}.{SKIP}"))
    return replies


def shown_below(memory: Memory, stack: Stack) -> tuple[tuple[Option, ...], Dialog | None]:
    """Return the quick replies and the dialog of the open question as they are shown now."""
    node, ask = stack.open_node(), stack.ask
    if node is None or ask is None:
        return (), None
    choices, offer = offered.of_ask(stack.flow, node, ask), dialog_of(node, ask)
    dialog = None if offer is None else _dialog(stack.flow, memory, node.path, offer, choices, ask)
    return _replies(stack.flow, node, choices, ask), dialog


def always_shown(node: Node) -> int:
    """Return how many of the first options stand on every page."""
    return review.ALWAYS_SHOWN if isinstance(node.step, EntitiesConfirmation) else 0


def suggest(commands: Commands, output: Output, step: str, texts: list[str], choices: tuple[Choice, ...]) -> None:
    """Send a message whose replies are suggestions only: they answer no question, so they have no keys."""
    for text in texts[:-1]:
        output.send(BotMessage(text), step)
    if texts or choices:
        show_suggestions(commands, output, SuggestionPages(choices, step, texts[-1] if texts else ""))


def show_suggestions(commands: Commands, output: Output, pages: SuggestionPages) -> None:
    """Send the last text of a message with a page of its replies. The system buttons say their labels."""
    shown = pages.choices[pages.start : pages.start + MAX_PAGE_OPTIONS]
    replies = [Option(choice.title, choice.value, image=choice.image) for choice in shown]
    replies += _paging_buttons(commands, pages.start, len(pages.choices))
    output.send(BotMessage(pages.text, tuple(replies)), pages.step)
    output.suggested = tuple(Choice(choice.title, choice.value) for choice in shown)
    output.suggestion_pages = pages if len(pages.choices) > MAX_PAGE_OPTIONS else None


def _dialog(flow: Flow, memory: Memory, step: str, offer: Offer, choices: tuple[Choice, ...], ask: Ask) -> Dialog:
    system = flow.system
    try:
        scope = memory.scope()
        title = _label(offer.title, scope) or system.open
        default = system.select if offer.kind == "carousel" else system.submit
        button_text = _label(offer.button_text, scope) or default
        days = shown_days.rendered(flow, memory, step, offer.days)
    except TemplateError as error:
        raise FlowBroken(step, str(error)) from error
    options = keyed_options(choices, ask)
    kind: DialogType = offer.kind  # type: ignore[assignment]  # quick-reply has no dialog
    return Dialog(kind, title, button_text, options, min=days.least, max=days.most, off=days.off, key=str(ask.number))


def _label(template: Template | None, scope: Scope) -> str:
    """Render the label of a button; empty where the default stands."""
    return "" if template is None else template.text(scope).strip()


_ROLES: Mapping[str, Literal["confirm", "danger"]] = {"normal": "confirm", "danger": "danger"}
"""By the style of a confirmation's display."""
MAX_PAGE_OPTIONS = 5
NEXT, PREVIOUS, SKIP = "next", "previous", "skip"
MANY = 500
"""Options from which on it pays to keep them."""
MAX_KEPT = 4
"""Lists of keyed options that are kept for each set of options."""


def page(commands: Commands, choices: Sequence[Choice], ask: Ask, always: int = 0) -> tuple[Option, ...]:
    """Return the options of the page that is shown; behind them Prev where some precede, then Next where more follow.

    ``always``: how many of the first stand on every page, beside its five.
    """
    start = always + ask.start
    shown = [
        *(msgspec.structs.replace(option, role="confirm") for option in keyed_options(choices[:always], ask)),
        *keyed_options(choices[start : start + MAX_PAGE_OPTIONS], ask, start),
    ]
    shown += _paging_buttons(commands, ask.start, len(choices) - always, f"{ask.number}.")
    return tuple(shown)


def _paging_buttons(commands: Commands, start: int, count: int, key: str = "") -> list[Option]:
    """Return Prev where some of ``count`` options precede the page, and Next where more follow. ``key``: what their
    keys begin with; "" for none."""
    buttons = []
    if start > 0:
        title = label(commands, PREVIOUS)
        buttons.append(Option(title, title, key and key + PREVIOUS, system="previous"))
    if start + MAX_PAGE_OPTIONS < count:
        title = label(commands, NEXT)
        buttons.append(Option(title, title, key and key + NEXT, system="next"))
    return buttons


def label(commands: Commands, direction: str) -> str:
    """Return the label of the system button."""
    if direction == SKIP:
        return commands.labels[1]
    return commands.next_label if direction == NEXT else commands.previous_label


def keyed_options(choices: Sequence[Choice], ask: Ask, start: int = 0) -> tuple[Option, ...]:
    """Return the options with their keys; ``start``: the position of the first.

    A dialog may have ten thousand, which take 3 ms to make. Where all users see the same ones, those of the last few
    numbers are kept: the numbers of askings are small, so that most chats ask under one of them.
    """
    if not isinstance(choices, Fixed) or len(choices) < MANY:
        return _keyed(choices, ask.number, start)
    shown = choices.shown
    found = shown.get(ask.number)
    if found is None:
        if len(shown) >= MAX_KEPT:
            shown.pop(next(iter(shown)), None)
        found = shown[ask.number] = _keyed(choices, ask.number, start)
    return found


def _keyed(choices: Sequence[Choice], number: int, start: int) -> tuple[Option, ...]:
    begin = f"{number}."
    return tuple(
        [
            Option(choice.title, choice.value, begin + str(node), choice.subtitle, choice.image)
            for node, choice in enumerate(choices, start)
        ]
    )


def next_start(shown: Ask | SuggestionPages, count: int, direction: str) -> int | None:
    """Return where the page in that direction begins; None when there is none."""
    start = shown.start + MAX_PAGE_OPTIONS if direction == NEXT else shown.start - MAX_PAGE_OPTIONS
    return start if 0 <= start < count else None
