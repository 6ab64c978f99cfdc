"""Draws records and queries that are about them, many and fast; a seed gives the same ones every time.

The vocabulary is small and of values that are easily confused, and a query asks for what some record holds, so that
most conditions hold for some records and not for others.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = ("a", "b", "0", "1", "10", 'q"\\', "é", "", "a b", "Text")
TEXTS = (
    "", "0", "1", "-1", "1.0", "1e3", "a", "A", "ab", "[1]", "{}", "null", "true", "é", "e\u0301", "\u00df", "ss", "\uffff",
    "\U0001f600", "'; --", "%", "_", "A\n", "ba\n\n", "\u0130a\u017f", "\x01", "2026-01-01T00:00:00.000Z", "2026-01-01",
    "a" * 300,
)  # fmt: skip
NUMBERS = (
    0, 1, -1, 2, 1.0, 1.5, -0.0, 0.1, 0.30000000000000004, 1e300, -1e300, 5e-324, 2**53, 2**53 + 1, 2.0**53, 2**63 - 1,
    2.0**63, -(2**63), 1e3, 1000, 10, 1e15, 1e16, 123456789012345678,
)  # fmt: skip
PATTERNS = (
    "a", "^a", "a$", "^$", ".", r"\w", r"[^a]", "a|b", "é", r"\n$", "a*", r"^\d+$", "%", r"\.", "ß", r"\bA", r"(?i)SS", "^.a",
)  # fmt: skip
OPTIONS = (None, None, "i", "m", "s", "ix")
PROPERTIES = ("Status", "Errors", "Goal", "Data.user.FirstName", "Data.user", "Data.entities", "Data", "Messages.user")
"""Asked of besides what is drawn: those of columns, and those above them."""


class Drawing:
    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)

    # -- records

    def fields(self) -> dict[str, Any]:
        """Of a record: what has columns, and entities of any shape."""
        pick = self._draw.choice
        return {
            "status": pick(TEXTS),
            "errors": pick((0, 1, 2, 7, -1, 2**31 - 1)),
            "goal": pick((None, *TEXTS)),
            "first_name": pick((None, *TEXTS)),
            "entities": {name: self.value(4) for name in NAMES if self._draw.random() < 0.35},
        }

    def value(self, depth: int) -> Any:
        kind = self._draw.random()
        if depth and kind < 0.2:
            return [self.value(depth - 1) for _ in range(self._draw.randrange(4))]
        if depth and kind < 0.4:
            return {self._draw.choice(NAMES): self.value(depth - 1) for _ in range(self._draw.randrange(4))}
        return self._draw.choice((None, True, False, self._draw.choice(NUMBERS), self._draw.choice(TEXTS)))

    # -- queries

    def query(self, documents: Sequence[dict[str, Any]], depth: int = 2) -> dict[str, Any]:
        if depth and self._draw.random() < 0.25:
            inner = [self.query(documents, depth - 1) for _ in range(self._draw.randrange(1, 4))]
            return {self._draw.choice(("$and", "$or", "$nor")): inner}
        count = self._draw.choice((1, 1, 1, 2))
        return dict([self._condition_of(self._draw.choice(documents)) for _ in range(count)])

    def sort(self, documents: Sequence[dict[str, Any]]) -> dict[str, int]:
        """Properties with columns, paths into what is drawn, and none for the stored order."""
        names = [
            self._draw.choice((*PROPERTIES, "_id", "StartedAt"))
            if self._draw.random() < 0.6
            else self._path(self._draw.choice(documents))[0]
            for _ in range(self._draw.choice((0, 1, 1, 2, 3)))
        ]
        unlike = [name for name in names if not any(name != one and one.startswith(f"{name}.") for one in names)]
        if "_id" in unlike:  # what stands behind it decides nothing
            unlike = unlike[: unlike.index("_id") + 1]
        return {name: self._draw.choice((1, -1)) for name in unlike}

    def _condition_of(self, document: dict[str, Any]) -> tuple[str, Any]:
        path, value = self._path(document)
        return path, self._condition(value, 2)

    def _path(self, document: dict[str, Any]) -> tuple[str, Any]:
        """To something in the document, through arrays with and without the place, or a little beside it."""
        if self._draw.random() < 0.3:
            parts = self._draw.choice(PROPERTIES).split(".")
        else:
            parts = ["Data", "entities", self._draw.choice([*document["Data"]["entities"], "a"])]
        value: Any = document
        for part in parts:
            value = value.get(part) if isinstance(value, dict) else None
        while isinstance(value, dict | list) and value and self._draw.random() < 0.75:
            if isinstance(value, dict):
                part = self._draw.choice([*value])
                value, parts = value[part], [*parts, part]
            else:
                place = self._draw.randrange(len(value))
                value = value[place]
                parts = [*parts, str(place)] if self._draw.random() < 0.4 else parts
        if self._draw.random() < 0.1:
            parts = [*parts, self._draw.choice(NAMES)]
        return ".".join(parts), value

    def _operand(self, value: Any) -> Any:
        """What stands there, or what is like it."""
        chance = self._draw.random()
        if chance < 0.6:
            return value
        if chance < 0.7 and isinstance(value, int | float):
            return str(value)
        if chance < 0.7 and isinstance(value, list) and value:
            return self._draw.choice(value)
        return [value] if chance < 0.75 else self.value(2)

    def _condition(self, value: Any, depth: int) -> Any:
        chance, pick = self._draw.random(), self._draw.choice
        if chance < 0.15:
            return self._operand(value)
        if chance < 0.4:
            return {pick(("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")): self._operand(value)}
        if chance < 0.55:
            some = [self._operand(value), *(self.value(1) for _ in range(self._draw.randrange(3)))]
            return {pick(("$in", "$nin", "$in", "$all")): some}
        if chance < 0.65:
            options = pick(OPTIONS)
            return {"$regex": pick(PATTERNS)} | ({} if options is None else {"$options": options})
        if chance < 0.8:
            return pick((
                {"$exists": pick((True, False))},
                {"$type": pick(("null", "number", "int", "long", "double", "string", "object", "array", "bool", "date"))},
                {"$size": self._draw.randrange(4)},
                {"$mod": [pick((2, 3, -3)), pick((0, 1, -1))]},
            ))  # fmt: skip
        if depth and chance < 0.9:
            inner = self._condition(value, depth - 1)
            return {"$not": inner} if _is_operators(inner) else {"$not": {"$eq": inner}}
        if depth:
            element = pick(value) if isinstance(value, list) and value else value
            if isinstance(element, dict) and element:
                name = pick([*element])
                return {"$elemMatch": {name: self._condition(element[name], depth - 1)}}
            inner = self._condition(element, depth - 1)
            return {"$elemMatch": inner if _is_operators(inner) else {"$eq": inner}}
        return {"$gte": self._operand(value), "$lt": self._operand(value)}


def _is_operators(condition: Any) -> bool:
    return isinstance(condition, dict) and bool(condition) and all(name.startswith("$") for name in condition)


def text(value: Any) -> str:
    """As a client writes it: floats stay floats."""
    return json.dumps(value, ensure_ascii=False)
