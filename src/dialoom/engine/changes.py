"""What a value that changes sets off (flow-language.md section 5, rule 8).

Values that webhooks and confirmations gave after it are dropped, messages, commands and webhooks after it count as not
run, and answers whose validation or options depend on it are checked again. Walking anew is left to the caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.engine.memory import LIGHT_BYTES, MOST_BYTES, MOST_DEPTH, is_deeper
from dialoom.engine.signals import Broken

if TYPE_CHECKING:
    from dialoom.engine.progress import Open, Progress
    from dialoom.engine.script import Place

_RUNS_ONCE = frozenset({"message", "command", "webhook"})


def store(p: Progress, name: str, value: Any, kind: str | None, place: Place | None, step: str) -> bool:
    """Give an entity a value; whether that changed one it had.

    ``place``: the step of the running conversation that does it; None for a correction.
    """
    if value is None:
        return lose(p, name, place)
    memory = p.memory
    old = memory.get(name)
    memory.put(name, value, kind)
    p.touched.add(name)
    _weigh(p, name, value, step)
    if old is None or _same(old, value):
        return False
    _drop_later(p, name, place, None)
    return True


def lose(p: Progress, name: str, place: Place | None, *, whole: Open | None = None) -> bool:
    """Take an entity's value away; whether it had one. ``whole``: see ``_drop_later``."""
    if not p.memory.has(name):
        return False
    p.memory.drop(name)
    p.touched.add(name)
    _drop_later(p, name, place, whole)
    return True


def tell(p: Progress, context: dict[str, Any], step: str = "") -> None:
    """Put context into memory."""
    for name, value in context.items():
        if is_deeper(value, MOST_DEPTH):
            raise Broken(step, f'The context "{name}" is nested deeper than {MOST_DEPTH} levels.')
        old = p.memory.get(name)
        p.memory.tell(name, value)
        p.touched.add(name)
        _weigh(p, name, value, step)
        if old is not None and (value is None or not _same(old, value)):
            _drop_later(p, name, None, p.goal or p.running)


def _same(old: Any, new: Any) -> bool:
    return bool(old == new) and isinstance(old, bool) == isinstance(new, bool)


def _weigh(p: Progress, name: str, value: Any, step: str) -> None:
    if isinstance(value, str) and len(value) < LIGHT_BYTES:
        return
    if isinstance(value, str | dict | list) and p.memory.weigh() > MOST_BYTES:
        p.memory.drop(name)
        raise Broken(step, f'With the entity "{name}" the memory of this user would pass 4 MiB. Keep less of it.')


def _drop_later(p: Progress, name: str, place: Place | None, whole: Open | None) -> None:
    """``whole``: the conversation of which all is dropped when no step of it fills the entity."""
    for conversation in p.stack:
        if place is not None and conversation is p.running:
            _drop_after(p, conversation, place.index, name)
            continue
        first = conversation.script.fillers.get(name)
        if first is not None:
            _drop_after(p, conversation, first, name)
        elif conversation is whole:
            _drop_after(p, conversation, -1, name)


def _drop_after(p: Progress, conversation: Open, index: int, name: str) -> None:
    memory, script = p.memory, conversation.script
    lost = {name}
    for place in script.places[index + 1 :]:
        if place.kind in _RUNS_ONCE:
            conversation.ran.discard(place.index)
        fills = place.fills
        if (
            place.kind in ("webhook", "confirmation")
            and fills is not None
            and fills != name
            and fills in memory.entities
        ):
            memory.forget(fills)
            p.touched.add(fills)
            lost.add(fills)
    for place in script.questions:
        question = place.step
        if question.entity in lost or not memory.has(question.entity):
            continue
        if question.check_names & lost:
            conversation.recheck.add(place.index)
        if question.offer is not None and question.offer.names & lost:
            conversation.reoffer.add(place.index)
