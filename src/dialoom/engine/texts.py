"""Which of several texts is said, and what messages it becomes. Replies and dialogs are put to them by ``options``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.template import Scope

if TYPE_CHECKING:
    from dialoom.engine.compiled import Texts
    from dialoom.engine.memory import Memory

NEWLINE = "</newline>"
NO_MEMORY = Scope({})
"""What a text without expressions is rendered with: then the view of memory need not be made."""
_MASK = (1 << 64) - 1


class SeededChoice:
    """The choices of one turn: splitmix64 from the event's seed, so that a replay chooses alike.

    A hundred times cheaper to begin than the standard generator, whose start fills 2.5 kB of state for one number.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def pick(self, count: int) -> int:
        """A number from 0 up to, not including, ``count``."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)) % count


def rendered(texts: Texts, memory: Memory, chance: SeededChoice) -> list[str]:
    """One alternative as the messages that it becomes: untrimmed, the blank ones left out."""
    if not texts:
        return []
    messages = []
    for template in texts[chance.pick(len(texts)) if len(texts) > 1 else 0]:
        text = template.text(NO_MEMORY if template.is_constant else memory.scope())
        if NEWLINE in text:
            messages += [part for part in text.split(NEWLINE) if not is_blank(part)]
        elif not is_blank(text):
            messages.append(text)
    return messages


def is_blank(text: str) -> bool:
    return not text or text.isspace()
