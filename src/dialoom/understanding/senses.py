"""The values of a trait or QnA type and what names them. What else a sentence may mean is told by ``intents``."""

from __future__ import annotations

from typing import Any

from dialoom.flow.model import QnAType, TraitType, TraitValue
from dialoom.flow.patterns.expression_slots import SlotTypes, is_slotted
from dialoom.understanding.keywords import described
from dialoom.understanding.normalise import fold, normalise
from dialoom.understanding.slot_values import SlotExpressions


class Sense:
    """A trait or QnA type. Of two values with one name or one expression the first has it."""

    def __init__(self, definition: TraitType | QnAType, slots: SlotTypes) -> None:
        self.slotted = SlotExpressions(definition, slots)
        self.expressions: dict[str, str] = {}
        """Each expression without slots, normalised, with its value."""
        self._values: dict[str, dict[str, Any]] = {}
        self._names: dict[str, str] = {}
        for value in definition.data:
            metadata = value.metadata if isinstance(value, TraitValue) else None
            self._values.setdefault(value.value, described(value.value, metadata))
            self._names.setdefault(fold(value.value.strip()), value.value)
            for expression in value.expressions:
                key = normalise(expression)
                if key and not is_slotted(expression, slots):
                    self.expressions.setdefault(key, value.value)

    @property
    def has_values(self) -> bool:
        return bool(self._values)

    def value(self, name: str) -> dict[str, Any]:
        return dict(self._values[name])

    def values(self) -> list[dict[str, Any]]:
        """Return all values in alphabetical order."""
        return [self.value(name) for name in sorted(self._values, key=lambda name: (fold(name), name))]

    def named(self, text: str) -> dict[str, Any] | None:
        """Return the value that a text names exactly, else the one of which it is an expression."""
        name = self._names.get(fold(text.strip()))
        name = self.expressions.get(normalise(text)) if name is None else name
        return None if name is None else self.value(name)
