"""The JSON Schemas (2020-12) of the three files, made from the model that loads them.

Editors complete and check with them, and ``flow.shape`` finds mistakes with them. What msgspec writes as ``anyOf`` is
rewritten so that one branch alone is looked at: a validator can only say "fits none of seven" about an ``anyOf``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from dialoom.flow import model
from dialoom.flow.steps import STEP_TYPES
from dialoom.flow.words import word

Schema = dict[str, Any]

FILES: dict[str, type[msgspec.Struct]] = {
    "bot.json": model.BotFile,
    "flow.json": model.FlowFile,
    "training.json": model.TrainingFile,
}
"""The files that make a bot, in the order in which they are read."""

_WITHOUT_TYPE = "single-select"
"""The display that may leave its ``type`` out (flow-language.md section 8; with ``capture-multiple-values`` it is read
as a multi-select, which has the same keys)."""

_STEP_TYPES = {row.struct.__name__: row for row in STEP_TYPES.values()}

_MAY_BE_EMPTY = {"metadata"}
"""Keys of objects where an empty text counts as absent (flow-language.md section 1); texts may be empty anyhow."""


def schemas() -> dict[str, Schema]:
    """Return the schemas by file name; each is complete in itself and may be written to disk."""
    return {name: schema_of(name) for name in FILES}


@cache
def schema_of(name: str) -> Schema:
    """Return the schema of one file. The caller must not change it."""
    root = FILES[name]
    _, components = msgspec.json.schema_components([root], ref_template="#/$defs/{name}")
    definitions = {key: _of_struct(key, part) for key, part in components.items()}
    whole = definitions.pop(root.__name__)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, "title": name, "$defs": definitions}


def _of_struct(name: str, part: Schema) -> Schema:
    rewritten = _rewritten(part)
    rewritten.pop("description", None)
    if name in _STEP_TYPES:
        rewritten["description"] = f"This step {_STEP_TYPES[name].does}."
    if rewritten["properties"].get("type", {}).get("enum") == [_WITHOUT_TYPE]:
        rewritten["required"] = [key for key in rewritten["required"] if key != "type"]
    for key, value in rewritten["properties"].items():
        sentence = word(name, key)
        if sentence is not None:
            value["description"] = sentence
        if key in _MAY_BE_EMPTY:
            value["type"] = [*value["type"], "string"]
            value["maxLength"] = 0
    return rewritten


def _rewritten(node: Schema) -> Schema:
    """Return the same rule without ``anyOf`` and without defaults that are objects or lists (noise in an editor)."""
    if "anyOf" in node:
        return _of_union(node)
    result: Schema = {}
    for key, value in node.items():
        if key == "properties":
            result[key] = {name: _rewritten(part) for name, part in value.items()}
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            result[key] = _rewritten(value)
        elif key != "default" or isinstance(value, (str, bool, int, float)):
            result[key] = value
    return result


def _of_union(node: Schema) -> Schema:
    if "discriminator" in node:
        return _of_tagged(node["discriminator"])
    members = [_rewritten(member) for member in node["anyOf"]]
    types: list[str] = []
    branches: list[Schema] = []
    for member in members:
        kind = _type_of(member)
        types.extend(kind if isinstance(kind, list) else [kind])
        if set(member) - {"type"}:
            branches.append({"if": {"type": kind}, "then": member})
    result: Schema = {"type": types if len(types) > 1 else types[0]}
    if branches:
        result["allOf"] = branches
    return result


def _of_tagged(discriminator: dict[str, Any]) -> Schema:
    tag, mapping = discriminator["propertyName"], discriminator["mapping"]
    branches = [
        {"if": {"type": "object", "properties": {tag: {"const": name}}, "required": [tag]}, "then": {"$ref": ref}}
        for name, ref in mapping.items()
    ]
    rule: Schema = {"type": "object", "properties": {tag: {"enum": list(mapping)}}, "allOf": branches}
    if _WITHOUT_TYPE not in mapping:
        return {**rule, "required": [tag]}
    branches.append({"if": {"not": {"required": [tag]}}, "then": {"$ref": mapping[_WITHOUT_TYPE]}})
    return rule


def _type_of(member: Schema) -> Any:
    """Return the JSON type that tells this member of a union from the others."""
    if "$ref" in member:
        return "object"
    if "enum" in member:
        return "string"
    return member["type"]
