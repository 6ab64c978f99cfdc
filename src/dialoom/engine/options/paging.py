"""Turns the page of the open question's options, or of a message's replies: the phrases and buttons NEXT-PAGE and
PREVIOUS-PAGE."""

from __future__ import annotations

import msgspec

from dialoom.engine.compiled import Commands, Question
from dialoom.engine.options import asking, offered
from dialoom.engine.running_turn import Output, Stack
from dialoom.understanding import normalise


def run_paging(stack: Stack, output: Output, text: str) -> bool:
    """Turn the page if the whole message is a phrase for it; with nothing to page it is ordinary text. The open
    question goes before the replies of a message."""
    if stack.ask is None and output.suggestion_pages is None:
        return False
    commands = stack.flow.commands
    phrase = normalise(text)
    if phrase in commands.next_page:
        return turn_page(stack, output, asking.NEXT) or _turn_suggestions(commands, output, asking.NEXT)
    if phrase not in commands.previous_page:
        return False
    return turn_page(stack, output, asking.PREVIOUS) or _turn_suggestions(commands, output, asking.PREVIOUS)


def turn_page(stack: Stack, output: Output, direction: str) -> bool:
    """Show another page of the open question's options under its last text; false when there is none."""
    node, ask = stack.open_node(), stack.ask
    if node is None or ask is None:
        return False
    if asking.dialog_of(node, ask) is not None:
        return False
    choices = offered.of_ask(stack.flow, node, ask)
    start = asking.next_start(ask, len(choices) - asking.always_shown(node), direction)
    if start is None:
        return False
    stack.ask = ask = msgspec.structs.replace(ask, start=start)
    step = node.step
    ambiguities = step.ambiguities if ask.is_ambiguity and isinstance(step, Question) else ()
    texts = output.render(ambiguities or step.texts, node.path)
    asking.show(stack.flow, output, node, texts[-1:], choices, ask, is_page=True)
    return True


def _turn_suggestions(commands: Commands, output: Output, direction: str) -> bool:
    """Show another page of the replies of a message; false when there is none."""
    pages = output.suggestion_pages
    start = None if pages is None else asking.next_start(pages, len(pages.choices), direction)
    if pages is None or start is None:
        return False
    asking.show_suggestions(commands, output, msgspec.structs.replace(pages, start=start))
    return True
