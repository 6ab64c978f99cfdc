"""Makes the schemas of the types that are read and sent, by msgspec, with docstrings and ``Meta`` as descriptions."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

Form = dict[str, Any]
_TEMPLATE = "#/components/schemas/{name}"
_VALUES = frozenset({"examples", "example", "default", "const", "enum", "required"})
"""Keywords whose value is no schema."""


class Schemas:
    """Makes schemas of types. ``components``: the schema of each struct in these types, by its name."""

    def __init__(self, bodies: Sequence[object], answers: Sequence[object]) -> None:
        _, self.components = msgspec.json.schema_components([*bodies, *answers], ref_template=_TEMPLATE)
        read = _structs(bodies)
        sent = _structs(answers)
        for struct in read | sent:
            schema = self.components[struct.__name__]
            # The struct's name is that of the component.
            schema.pop("title", None)
            schema["description"] = inspect.cleandoc(schema.get("description", ""))
            if struct not in read:
                _state_as_sent(struct, schema)
            # Generators take a property with a default for one that is always there.
            for one in schema["properties"].values():
                one.pop("default", None)
        self.components = {name: for_generators(schema) for name, schema in self.components.items()}

    def of(self, type: object) -> Form:
        (schema,), _ = msgspec.json.schema_components([type], ref_template=_TEMPLATE)
        found: Form = for_generators(schema)
        return found


def for_generators(schema: Any) -> Any:
    """Return the schema, which means the same, in words that generators of clients understand: an object of anything
    says so (openapi-typescript takes it for an empty one), an array has items, a single allowed value is a ``const``
    (openapi-python-client drops an ``enum`` of ``true``)."""
    if isinstance(schema, list):
        return [for_generators(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: one if key in _VALUES else for_generators(one) for key, one in schema.items()}
    if found.get("type") == "object" and not found.keys() & {"properties", "additionalProperties"}:
        found["additionalProperties"] = True
    if found.get("type") == "array" and not found.keys() & {"items", "prefixItems"}:
        found["items"] = {}
    if isinstance(found.get("enum"), list) and len(found["enum"]) == 1 and isinstance(found["enum"][0], bool):
        found = {"type": "boolean", "const": found.pop("enum")[0]} | found
    return found


def _state_as_sent(struct: Any, schema: Form) -> None:
    """Make the fields required that are always sent: those with a default too, unless they may be left out."""
    if not struct.__struct_config__.omit_defaults:
        fields = msgspec.structs.fields(struct)
        schema["required"] = [field.encode_name for field in fields if field.default is not UNSET]


def _structs(types: Iterable[object]) -> set[Any]:
    found: set[Any] = set()

    def look(info: object) -> None:
        if isinstance(info, tuple | list):
            for one in info:
                look(one)
        elif isinstance(info, msgspec.inspect.StructType):
            if info.cls not in found:
                found.add(info.cls)
                look(info.fields)
        elif isinstance(info, msgspec.inspect.Type | msgspec.inspect.Field):
            for name in info.__struct_fields__:
                look(getattr(info, name))

    look(msgspec.inspect.multi_type_info(types))
    return found


def example_of(schema: Form, components: Form) -> Any:
    """Return a value made of the examples of its properties."""
    if "$ref" in schema:
        return example_of(components[schema["$ref"].rpartition("/")[2]], components)
    if "examples" in schema:
        return schema["examples"][0]
    if "properties" in schema:
        needed = schema.get("required", ())
        return {
            name: example_of(one, components)
            for name, one in schema["properties"].items()
            if name in needed or "examples" in one
        }
    if "const" in schema:
        return schema["const"]
    for key in ("anyOf", "enum"):
        if key in schema:
            first = schema[key][0]
            return example_of(first, components) if key == "anyOf" else first
    if schema.get("type") == "array":
        return [example_of(schema["items"], components)] if "items" in schema else []
    return {"boolean": False, "integer": 0, "number": 0, "object": {}}.get(schema.get("type", ""))


def part_of(schema: Form, components: Form) -> Form:
    """Return the schema of a record of which properties are left out, also of objects inside; ``_id`` never is."""
    if "$ref" in schema:
        about = {key: value for key, value in schema.items() if key != "$ref"}
        return part_of(components[schema["$ref"].rpartition("/")[2]], components) | about
    if "properties" not in schema:
        return schema
    rest = {key: value for key, value in schema.items() if key != "required"}
    rest["properties"] = {name: part_of(one, components) for name, one in schema["properties"].items()}
    return rest | ({"required": ["_id"]} if "_id" in rest["properties"] else {})
