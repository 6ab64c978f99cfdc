"""A message: sent once, its replies are suggestions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine.options import asking, offered
from dialoom.engine.running_turn import Outcome

if TYPE_CHECKING:
    from dialoom.engine.compiled import Message, Place
    from dialoom.engine.running_turn import Open, RunningTurn


def run_message(p: RunningTurn, conversation: Open, place: Place) -> Outcome:
    message: Message = place.step
    p.act(place.path)
    texts = p.render(message.texts, place.path)
    choices = offered.offered(p, place)
    asking.suggest(p, place.path, texts, choices)
    conversation.ran.add(place.index)
    return Outcome.ON
