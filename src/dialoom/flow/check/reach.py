"""What nothing leads to: conversations that nobody can start, steps that no turn reaches, answers that are missing."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from dialoom.flow.check.whole import BUILT_IN_CONVERSATIONS, goes_to
from dialoom.flow.report import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.flow.check.known import Known
    from dialoom.flow.pieces import Piece


def unreachable(conversation: Piece, known: Known) -> Iterator[Fault]:
    """No value of the trait names it, and no step that is reached runs it or goes to it."""
    key = str(conversation.path[-1])
    if known.definitions is None or key in known.whole.reached or _can_be_answered(key, known):
        return
    message = (
        f'Nothing starts "{key}". Add it to the values of the trait "Conversation" in training.json, run it in a step, '
        "or go to it."
    )
    yield Fault(path=conversation.path, message=message, at_key=True)


def _can_be_answered(key: str, known: Known) -> bool:
    """Whether the answer to a question of the type ``Conversation`` may be this key."""
    for display in known.whole.of_kind("display"):
        step = display.step
        if step is not None and step.text("entity-type") == "Conversation":
            options = [one.get("value") if isinstance(one, dict) else one for one in display.list("data")]
            if key in options or "data-source" in display.value or "template" in display.value:
                return True
    return False


def unsaid(value: Piece, known: Known) -> Iterator[Fault]:
    """A conversation whose trait value has no expressions, and that nothing else starts."""
    name = value.text("value")
    if name is None or value.owner is None or value.owner.text("name") != "Conversation" or value.list("expressions"):
        return
    others = {*BUILT_IN_CONVERSATIONS, *(other for other in known.whole.started if other != name)}
    if name not in known.whole.reached_from(others) and not _can_be_answered(name, known):
        message = f'No sentence starts "{name}": it has no expressions, and no step leads to it. Add some expressions.'
        yield Fault(path=value.path, message=message)


def no_help(flow: Piece, known: Known) -> Iterator[Fault]:
    """Where nothing was understood and no goal is open, ``help`` says what the bot can do."""
    if known.conversations and "help" not in known.conversations:
        message = (
            'There is no conversation "help": a user whom the bot does not understand only hears an invalid reply. Add '
            "one that says what the bot can do."
        )
        yield Fault(path=flow.at("conversations"), message=message, at_key=True)


def dead_steps(conversation: Piece, known: Known) -> Iterator[Fault]:
    """A step behind a ``go-to`` that always leaves. One whose target is open already may come back here."""
    key = str(conversation.path[-1])
    steps = known.whole.steps_of(key)
    for step, following in itertools.pairwise(steps):
        name = goes_to(step)
        if name is None or step.list("conditions") or name == key or key in known.whole.reached_from({name}):
            continue
        message = f'The step before goes to "{name}" and never comes back, so that this one never runs. Remove one.'
        yield Fault(path=following.path, message=message)
        return
