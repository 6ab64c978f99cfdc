"""Whether an event ends what is open before anything else: then it may run in a newer version of the flow.

What such an event then does is left to ``dispatch``; which version runs it to the service.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine import chosen
from dialoom.engine.events import Began, Picked, Said
from dialoom.messages.plain import plain_title
from dialoom.template.values import plain_text
from dialoom.understanding import normalise

if TYPE_CHECKING:
    from dialoom.engine.compiled import Commands, Flow
    from dialoom.engine.events import Event
    from dialoom.engine.state import Ask, State


def begins_anew(flow: Flow, state: State, event: Event) -> bool:
    """Whether ``turn`` with these three looks at no conversation, question or option that is open in ``state``.

    ``flow`` is the one that would run the event, and may be another than that which ``state`` is from.
    """
    if isinstance(event, Began) and event.clear:
        return True
    return 0 < state.over_at <= event.now or restart_text(flow.commands, state.ask, event) is not None


def restart_text(commands: Commands, ask: Ask | None, event: Event) -> str | None:
    """What the user said or chose, when it is the RESTART command; how it reads in the transcript.

    Of the open question only the snapshot of its options counts, so that no flow is asked what they are: options that
    hold a RESTART phrase are always kept (``compile_parts``).
    """
    if isinstance(event, Said):
        said = shown = event.text
    elif isinstance(event, Picked):
        pick = chosen.read(event, ask, () if ask is None else ask.choices or ())
        if pick.text is not None:
            said = shown = pick.text
        elif len(pick.choices) == 1:
            said, shown = plain_text(pick.choices[0].value), plain_title(pick.choices[0].title)
        else:
            return None
    else:
        return None
    return shown if normalise(said) in commands.restart else None
