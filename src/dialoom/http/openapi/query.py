"""Describes the parameter ``query`` as a schema, made from the operators' table."""

from __future__ import annotations

from collections.abc import Mapping

from dialoom.http.openapi.schemas import Form
from dialoom.query.operands import MAX_VALUES
from dialoom.query.operators import LOGICAL, OPERATORS

_VALUES: Form = {"type": "array", "items": {}, "maxItems": MAX_VALUES}
_QUERY: Form = {"$ref": "#/components/schemas/HistoryQuery"}
_OPERATORS: Form = {"$ref": "#/components/schemas/QueryOperators"}
_TEXT: Form = {"type": "string"}
_LIST: Form = {"type": "array", "items": _QUERY, "minItems": 1}
_OPERANDS: Mapping[str, Form] = {
    "$in": _VALUES,
    "$nin": _VALUES,
    "$all": _VALUES,
    "$size": {"type": "integer", "minimum": 0},
    "$mod": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
    "$type": {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "array", "items": {}}]},
    "$elemMatch": {"anyOf": [_QUERY, _OPERATORS]},
    "$not": _OPERATORS,
    "$regex": {"type": "string"},
    "$options": {"type": "string", "pattern": "^[imsxu]*$"},
}
"""Of the operators that do not take any value."""

EXAMPLES: Mapping[str, tuple[str, Form]] = {
    "properties": (
        "Conversations of one channel that reached their goal",
        {"Data.channel.ProviderName": "web", "Status": "success"},
    ),
    "user": ("One user's records", {"User": "ada"}),
    "errors": ("Where something failed", {"Errors": {"$gt": 0}}),
    "day": (
        "One day",
        {"StartedAt": {"$gte": {"$date": "2026-11-20"}, "$lt": {"$date": "2026-11-21"}}},
    ),
    "either": (
        "Open without a goal, or failed",
        {"$or": [{"Goal": None}, {"Status": {"$in": ["failure", "abandoned"]}}]},
    ),
    "element": (
        "One order of a hundred or more that is not paid",
        {"Data.context.orders": {"$elemMatch": {"total": {"$gte": 100}, "paid": {"$ne": True}}}},
    ),
}


def schemas() -> Form:
    operators = {
        name: _OPERANDS.get(name, {}) | {"description": _sentence(row.sentence)} for name, row in OPERATORS.items()
    }
    logical = {
        name: (_TEXT if name == "$comment" else _LIST) | {"description": _sentence(row.sentence)}
        for name, row in LOGICAL.items()
    }
    value: Form = {
        "description": "A bare value: the property is equal to it, or holds it as an element.",
    }
    return {
        "HistoryQuery": {
            "type": "object",
            "description": "Property names, with dots into nested objects, to values or operators; every one must "
            "hold. The meaning is MongoDB's.",
            "properties": logical,
            "propertyNames": {"anyOf": [{"enum": [*LOGICAL]}, {"pattern": "^([^$]|$)"}]},
            "additionalProperties": {"anyOf": [_OPERATORS, value]},
            "examples": [query for _, query in EXAMPLES.values()],
        },
        "QueryOperators": {
            "type": "object",
            "description": "Every one must hold.",
            "properties": operators,
            "minProperties": 1,
            "additionalProperties": False,
        },
    }


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."
