"""Turns the page of the open question's options, or of a message's replies: the phrases and buttons NEXT-PAGE and
PREVIOUS-PAGE."""

from __future__ import annotations

import msgspec

from dialoom.engine.compiled import AskingNode, Question
from dialoom.engine.options import asking, offered
from dialoom.engine.running_turn import RunningTurn
from dialoom.understanding import normalise


def run_paging(turn: RunningTurn, text: str) -> bool:
    """Turn the page if the whole message is a phrase for it; with nothing to page it is ordinary text. The open
    question goes before the replies of a message."""
    if turn.ask is None and turn.suggestion_pages is None:
        return False
    commands = turn.flow.commands
    phrase = normalise(text)
    if phrase in commands.next_page:
        return turn_page(turn, asking.NEXT) or _turn_suggestions(turn, asking.NEXT)
    if phrase not in commands.previous_page:
        return False
    return turn_page(turn, asking.PREVIOUS) or _turn_suggestions(turn, asking.PREVIOUS)


def turn_page(turn: RunningTurn, direction: str) -> bool:
    """Show another page of the open question's options under its last text; false when there is none."""
    node, ask = turn.open_node(), turn.ask
    if node is None or ask is None:
        return False
    if asking.dialog_of(node, ask) is not None:
        return False
    choices = offered.of_ask(turn, node, ask)
    start = asking.next_start(ask, len(choices) - asking.always_shown(node), direction)
    if start is None:
        return False
    turn.ask = ask = msgspec.structs.replace(ask, start=start)
    texts = _texts(turn, node, ask.is_ambiguity)
    asking.show(turn, node, texts[-1:], choices, ask, is_page=True)
    return True


def _turn_suggestions(turn: RunningTurn, direction: str) -> bool:
    """Show another page of the replies of a message; false when there is none."""
    pages = turn.suggestion_pages
    start = None if pages is None else asking.next_start(pages, len(pages.choices), direction)
    if pages is None or start is None:
        return False
    asking.show_suggestions(turn, msgspec.structs.replace(pages, start=start))
    return True


def _texts(turn: RunningTurn, node: AskingNode, is_ambiguity: bool) -> list[str]:
    step = node.step
    ambiguities = step.ambiguities if is_ambiguity and isinstance(step, Question) else ()
    return turn.render(ambiguities or step.texts, node.path)
