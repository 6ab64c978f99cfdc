"""Which keys of the flow language stand in a file: told by the schemas that are made of its model."""

from __future__ import annotations

from functools import cache
from typing import Any

from dialoom.flow.schema import FILES, schema_of
from dialoom.flow.steps import STEP_TYPES

STEPS = frozenset(row.struct.__name__ for row in STEP_TYPES.values())


def keys_in(name: str, value: Any) -> set[tuple[str, str]]:
    """Every key of the model that stands in a file, with the struct that it belongs to."""
    schema = schema_of(name)
    found: set[tuple[str, str]] = set()

    def walk(node: dict[str, Any], owner: str, value: Any) -> None:
        if "$ref" in node:
            owner = node["$ref"].rpartition("/")[2]
            node = schema["$defs"][owner]
        for branch in node.get("allOf", ()):
            if is_meant(branch["if"], value):
                walk(branch["then"], owner, value)
        if isinstance(value, dict):
            for key, inner in value.items():
                part = node.get("properties", {}).get(key)
                if part is not None and node.get("additionalProperties") is False:
                    found.add(_named(owner, key))
                if part is None:
                    part = node.get("additionalProperties")
                if isinstance(part, dict):
                    walk(part, owner, inner)
        if isinstance(value, list) and isinstance(node.get("items"), dict):
            for inner in value:
                walk(node["items"], owner, inner)

    def is_meant(rule: dict[str, Any], value: Any) -> bool:
        kind = {"object": dict, "array": list}.get(rule.get("type", "object"))  # nothing else holds keys
        if kind is None or not isinstance(value, kind):
            return False
        return all(value.get(key) == part.get("const") for key, part in rule.get("properties", {}).items())

    walk(schema, FILES[name].__name__, value)
    return found


def _named(owner: str, key: str) -> tuple[str, str]:
    """What all steps or all objects have in common belongs to none of them."""
    if owner in STEPS and key in ("type", "conditions", "protected"):
        return "_Step", key
    return ("Described", key) if key in ("$schema", "note") else (owner, key)


@cache
def keys_of_model() -> dict[tuple[str, str], bool]:
    """Every key, and whether it must be there."""
    found: dict[tuple[str, str], bool] = {}
    for name, root in FILES.items():
        schema = schema_of(name)
        for owner, part in {root.__name__: schema, **schema["$defs"]}.items():
            for key in part["properties"]:
                found[_named(owner, key)] = key in part.get("required", ())
    for select in ("SingleSelect", "MultiSelect"):  # the one display whose type may be left out
        found[select, "type"] = False
    return found
