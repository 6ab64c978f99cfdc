"""A webhook: the call, its value, its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine import data_sources
from dialoom.engine.memory import stored
from dialoom.engine.running_turn import Outcome
from dialoom.engine.values import changes

if TYPE_CHECKING:
    from dialoom.engine.compiled import Place, Webhook
    from dialoom.engine.running_turn import Open, RunningTurn


def run_webhook(p: RunningTurn, conversation: Open, place: Place) -> Outcome:
    webhook: Webhook = place.step
    p.act(place.path)
    got = data_sources.call(p, webhook.source, place.path)
    has_changed = False
    if webhook.entity is not None:
        value = stored(got.value) if webhook.source.endpoint is None else got.value
        has_changed = changes.store(p, webhook.entity, value, None, place, place.path)
    conversation.ran.add(place.index)
    p.say(webhook.texts, place.path)
    return Outcome.AGAIN if has_changed else Outcome.ON
