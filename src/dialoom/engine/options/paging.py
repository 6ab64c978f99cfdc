"""Turns the page of the open question's options, or of a message's replies: the phrases and buttons NEXT-PAGE and
PREVIOUS-PAGE."""

from __future__ import annotations

import msgspec

from dialoom.engine.compiled import AskingNode, Question
from dialoom.engine.options import asking, offered
from dialoom.engine.running_turn import RunningTurn
from dialoom.understanding import normalise


def run_paging(p: RunningTurn, text: str) -> bool:
    """Turn the page if the whole message is a phrase for it; with nothing to page it is ordinary text. The open
    question goes before the replies of a message."""
    if p.ask is None and p.suggestion_pages is None:
        return False
    commands = p.flow.commands
    phrase = normalise(text)
    if phrase in commands.next_page:
        return turn_page(p, asking.NEXT) or _turn_suggestions(p, asking.NEXT)
    if phrase not in commands.previous_page:
        return False
    return turn_page(p, asking.PREVIOUS) or _turn_suggestions(p, asking.PREVIOUS)


def turn_page(p: RunningTurn, direction: str) -> bool:
    """Show another page of the open question's options under its last text; false when there is none."""
    node, ask = p.open_node(), p.ask
    if node is None or ask is None:
        return False
    if asking.dialog_of(node, ask) is not None:
        return False
    choices = offered.of_ask(p, node, ask)
    start = asking.next_start(ask, len(choices) - asking.always_shown(node), direction)
    if start is None:
        return False
    p.ask = ask = msgspec.structs.replace(ask, start=start)
    texts = _texts(p, node, ask.is_ambiguity)
    asking.show(p, node, texts[-1:], choices, ask, is_page=True)
    return True


def _turn_suggestions(p: RunningTurn, direction: str) -> bool:
    """Show another page of the replies of a message; false when there is none."""
    pages = p.suggestion_pages
    start = None if pages is None else asking.next_start(pages, len(pages.choices), direction)
    if pages is None or start is None:
        return False
    asking.show_suggestions(p, msgspec.structs.replace(pages, start=start))
    return True


def _texts(p: RunningTurn, node: AskingNode, is_ambiguity: bool) -> list[str]:
    step = node.step
    ambiguities = step.ambiguities if is_ambiguity and isinstance(step, Question) else ()
    return p.render(ambiguities or step.texts, node.path)
