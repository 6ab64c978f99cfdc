"""Says what becomes of a chat that waits for a person: who has it, until when, and who may do what in it.

It is kept with the chat and changed by its turns alone, so that what people and the user do stands in one order. Its
row in the list of hand-offs is written with the turn. That list is for ``turns.hand_off_list``.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Final

import msgspec

from dialoom.engine import effects
from dialoom.engine.events import Event, PersonActed

if TYPE_CHECKING:
    from dialoom.engine import State, Turn

KIND: Final = "hand-off"
TIMER: Final = "silence"
MAX_NOTES: Final = 100
"""Of one hand-off; of more the oldest go."""
MAX_SHOWN_CHARS: Final = 200
"""Characters of the last message that the list shows."""
DONE: Final = "done"
OVER: Final = "over"
TAKEN: Final = "taken"
NOT_YOURS: Final = "not-yours"


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str


class Note(msgspec.Struct, frozen=True):
    """Holds what people tell each other; no user sees it."""

    at: int
    name: str
    text: str


class HandOff(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Holds the state of one hand-off. Times in milliseconds since 1970."""

    queue: str
    since: int
    silent_ms: int
    """For how long the bot is silent, from the hand-off and from each answer on."""
    until: int
    """When it is over if nobody answers."""
    person: Person | None = None
    """Who has taken it; None while it waits."""
    taken_at: int = 0
    last_text: str = ""
    last_at: int = 0
    is_last_of_user: bool = True
    heard: int = 0
    """Messages of the user since it began."""
    notes: tuple[Note, ...] = ()


class Said(msgspec.Struct, frozen=True):
    """Describes a message of the turn, masked, to the hand-off."""

    is_user: bool
    text: str


def refusal(hand_off: HandOff | None, state: State, event: PersonActed) -> str:
    """Return why the person may not do this now, or ""."""
    if hand_off is None or state.silent_until <= event.now or 0 < state.over_at <= event.now:
        return OVER
    if event.since and event.since != hand_off.since:
        return OVER  # another one of the same user has begun since
    owner = hand_off.person
    if event.action == "take":
        return TAKEN if owner is not None and owner.id != event.person else ""
    if event.action == "note":
        return ""
    if owner is not None and owner.id != event.person:
        return TAKEN
    return NOT_YOURS if owner is None and event.action == "answer" else ""


def judged(hand_off: HandOff | None, state: State, event: Event) -> Event:
    """Return a person's event with what it depends on: whether it is refused, and how long the bot is silent."""
    if not isinstance(event, PersonActed):
        return event
    silent_ms = 0 if hand_off is None else hand_off.silent_ms
    return msgspec.structs.replace(event, refused=refusal(hand_off, state, event), silent_ms=silent_ms)


def after_turn(
    before: HandOff | None, turn: Turn, event: Event, said: list[Said], addresses: Container[str]
) -> HandOff | None:
    """Return the hand-off after a turn; None where the bot speaks for itself. ``addresses``: names of live agents that
    chats are posted to, which have no queue here."""
    now, until = event.now, turn.state.silent_until
    for effect in turn.effects:
        if isinstance(effect, effects.HandOver):
            is_new = before is None or before.until <= now
            kept = None if is_new else before
            before = None
            if effect.agent not in addresses:
                fresh = HandOff(queue=effect.agent, since=now, silent_ms=until - now, until=until)
                before = fresh if kept is None else msgspec.structs.replace(kept, queue=effect.agent)
    if before is None or until <= now:
        return None
    heard = before.heard + sum(one.is_user for one in said)
    after = msgspec.structs.replace(before, until=until, heard=heard)
    if said:
        last = said[-1]
        shown = last.text[:MAX_SHOWN_CHARS]
        after = msgspec.structs.replace(after, last_text=shown, last_at=now, is_last_of_user=last.is_user)
    if isinstance(event, PersonActed) and not event.refused:
        after = _acted(after, event)
    return after


def _acted(hand_off: HandOff, event: PersonActed) -> HandOff:
    match event.action:
        case "take":
            taken_at = hand_off.taken_at if hand_off.person is not None else event.now
            person = Person(event.person, event.name)
            return msgspec.structs.replace(hand_off, person=person, taken_at=taken_at)
        case "note":
            notes = (*hand_off.notes, Note(event.now, event.name, event.text))[-MAX_NOTES:]
            return msgspec.structs.replace(hand_off, notes=notes)
        case "pass-on":
            return msgspec.structs.replace(hand_off, queue=event.queue, person=None, taken_at=0)
        case _:
            return hand_off


class Listed(msgspec.Struct, frozen=True):
    """Holds the body of a hand-off's row in the list."""

    channel: str
    user: str
    user_name: str
    conversation: str
    hand_off: HandOff
