"""How a step ends: what the walk does next."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    ON = "on"
    """On to the next step."""
    AGAIN = "again"
    """A value changed: the walk starts over."""
    WAIT = "wait"
    """The turn ends here."""
    LEFT = "left"
    """Another conversation runs now, or none."""
