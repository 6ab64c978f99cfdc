"""Finds wrong types, unknown keys, missing keys and values that are not allowed, and says so in people's words.

``jsonschema_rs`` finds all of them at once; its sentences speak of schemas, so they are written again here. Whatever a
type cannot say (names that must exist, keys that go together) is left to ``flow.check``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import jsonschema_rs
import msgspec

from dialoom.flow.finding import Fault
from dialoom.flow.fixes.derive import removing, replacing
from dialoom.flow.fixes.edits import Fix
from dialoom.flow.pieces import SECRET_KEYS
from dialoom.flow.positions import Path
from dialoom.flow.schema import schema_of
from dialoom.flow.steps import STEP_TYPES

_KINDS = {
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}

# How the objects of the model are called in a sentence; the others are "this object".
_NAMES = {
    "Look": "the look",
    "Channel": "a channel",
    "BasicCredential": "a basic credential",
    "BearerCredential": "a bearer credential",
    "CertificateCredential": "a client-certificate credential",
    "FromEnvironment": "a secret",
    "DataSource": "a data-source",
    "OptionTemplate": "a template",
    "QuickReply": "a quick-reply",
    "LocationPicker": "a location-picker",
    "DatePicker": "a date-picker",
    "Places": "places",
    "PlaceTemplate": "the template of places",
    "Confirm": "the display of a confirmation",
    "SingleSelect": "a single-select",
    "MultiSelect": "a multi-select",
    "Carousel": "a carousel",
    "Validation": "a validation",
    "ValidationParameters": "the parameters of a validation",
    "Reactions": "reactions",
    **{row.struct.__name__: f"{'an' if row.name[0] in 'aeio' else 'a'} {row.name} step" for row in STEP_TYPES.values()},
    "Conversation": "a conversation",
    "Understanding": "understanding",
    "Misunderstood": "misunderstood",
    "LoginTemplate": "the template of a login",
    "LoginCard": "the display of a login",
    "Oidc": "oidc",
    "Socialnet": "socialnet",
    "Workchat": "workchat",
    "ConfirmationPage": "confirmation-page-contents",
    "Authentication": "authentication",
    "Commands": "commands",
    "Settings": "settings",
    "TraitValue": "a value of a trait",
    "KeywordValue": "a value of a keywords type",
    "QnAValue": "a question and answer",
    "Pattern": "the data of a regex type",
    "DynamicData": "dynamic-data",
    "TraitType": "an entity definition",
    "KeywordsType": "an entity definition",
    "RegexType": "an entity definition",
    "QnAType": "an entity definition",
}

# What a value of a fixed list is called, by the names of the object it stands in and of its key.
_CALLED = {
    "steps/type": "type of a step",
    "display/type": "display",
    "conversations/type": "type of a conversation",
    "channels/type": "type of a channel",
    "credentials/type": "type of a credential",
    "validations/type": "type of a validation",
    "entity-definitions/lookup-strategy": "lookup-strategy",
    "data-source/method": "method",
}


MAX_SHOWN_KEY_CHARS = 40
_HOLDERS = frozenset({"channels", "credentials", "authentication", "oidc", "socialnet", "workchat"})
"""Keys of objects that hold secrets."""

_UNIONS = {
    "steps": "a step",
    "display": "a display",
    "credentials": "a credential",
    "entity-definitions": "an entity definition",
}


@cache
def _validator(file: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema_of(file))


def faults(file: str, value: Any) -> Iterator[tuple[str, Fault]]:
    """Yield every fault of shape, each with its rule's name."""
    for error in _validator(file).iter_errors(_with_marked_keys(value)):
        path = tuple("" if part == _EMPTY_KEY else part for part in error.instance_path)
        kind = error.kind
        owner = _owner(error.schema_path, file)
        detail = kind.value
        if kind.name == "additionalProperties":
            for key in detail:
                yield "unknown-key", _unknown_key(path, "" if key == _EMPTY_KEY else key, owner, file)
        elif kind.name == "required":
            yield "missing-key", _missing_key(path, detail, error.schema_path, file)
        elif kind.name == "type":
            fault = _wrong_type(path, error.instance, detail)
            yield "wrong-type", msgspec.structs.replace(fault, fix=_fix_of_type(fault, error, file))
        elif kind.name == "enum":
            yield "not-allowed", _not_in_list(path, error.instance, tuple(detail))
        else:
            yield "not-allowed", _out_of_bounds(path, error.instance, kind.name, detail)


# The validator leaves an empty key out of the path of an error, which then points somewhere else. No text that was read
# holds a NUL.
_EMPTY_KEY = "\0"


def _with_marked_keys(value: Any) -> Any:
    """Return the same value with a mark in place of each empty key."""
    if isinstance(value, dict):
        return {key or _EMPTY_KEY: _with_marked_keys(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_marked_keys(inner) for inner in value]
    return value


def _owner(schema_path: list[str | int], file: str) -> str:
    """Return the struct that the broken rule belongs to."""
    return str(schema_path[1]) if schema_path[:1] == ["$defs"] else file


def _unknown_key(path: Path, key: str, owner: str, file: str) -> Fault:
    schema = schema_of(file)
    part = schema if owner == file else schema["$defs"][owner]
    allowed = tuple(name for name in part["properties"] if name != "$schema")
    where = _NAMES.get(owner, "this object" if path else file)
    is_shown = _is_name(key)
    message = (f'"{key}"' if is_shown else "This") + f" is no key of {where}."
    return Fault(path=(*path, key), message=message, word=key, allowed=allowed, at_key=True, hides_key=not is_shown)


def _is_name(key: str) -> bool:
    """Return whether a key can be a misspelt one. What is longer or has many digits may be a secret: the file may be no
    bot's."""
    return len(key) <= MAX_SHOWN_KEY_CHARS and (len(key) <= 12 or not any(sign.isdigit() for sign in key))


def _missing_key(path: Path, key: str, schema_path: list[str | int], file: str) -> Fault:
    part: Any = schema_of(file)
    for name in schema_path[:-1]:
        part = part[name]
    if len(schema_path) == 1 or (schema_path[0] == "$defs" and len(schema_path) == 3):
        where = _NAMES.get(_owner(schema_path, file), file)
    else:
        # The rule of a union about its tag stands deeper; which union it is, is told by the place.
        where = next((_UNIONS[name] for name in reversed(path) if name in _UNIONS), "this object")
    allowed = tuple(part["properties"].get(key, {}).get("enum", ()))
    return Fault(path=path, message=f'"{key}" is missing: {where} needs it.', allowed=allowed)


def _wrong_type(path: Path, value: Any, types: list[str]) -> Fault:
    wanted = " or ".join(words for kind, words in _KINDS.items() if kind in types)
    if _is_secret(path):
        return Fault(path=path, message=f"This secret is not written right: {wanted} is expected.")
    if not path or not _HOLDERS.isdisjoint(path[-2:]):
        # What stands here may be all of a file that is no bot's, or a secret that was written one level too high.
        return Fault(path=path, message=f"This is not right here: {wanted} is expected.")
    message = f"{_shown(value)} is not right here: {wanted} is expected."
    if value is None:
        message = f"null stands for nothing here: {wanted} is expected. Leave the key out to get its default."
    elif "array" in types and isinstance(value, str):
        message += f" Write [{_shown(value)}]."
    elif types == ["string"] and isinstance(value, int | float):
        message += f' Write "{json.dumps(value)}".'
    elif "boolean" in types and value in ("true", "false"):
        message += f" Write {value} without quotes."
    return Fault(path=path, message=message)


def _fix_of_type(fault: Fault, error: jsonschema_rs.ValidationError, file: str) -> Callable[[str], Fix] | None:
    """Return the fix that writes the value in the type that is wanted, or leaves out a null that is not needed."""
    path, value, types = fault.path, error.instance, error.kind.value
    if _is_secret(path) or not path or not _HOLDERS.isdisjoint(path[-2:]):
        return None
    place = error.schema_path[:-1]
    if value is None:
        is_member = len(place) >= 2 and place[-2:-1] == ["properties"] and place[-1] == path[-1]
        is_needed = not is_member or path[-1] in _schema_at(file, place[:-2]).get("required", ())
        return None if is_needed else partial(removing, path=path)
    mended: Any = None
    if "array" in types and isinstance(value, str):
        mended = [value]
    elif types == ["string"] and isinstance(value, int | float) and not isinstance(value, bool):
        mended = json.dumps(value)
    elif "boolean" in types and value in ("true", "false"):
        mended = value == "true"
    if mended is None or not _is_valid(file, place, mended):
        return None
    return partial(replacing, path=path, value=mended)


def _schema_at(file: str, place: list[str | int]) -> Any:
    part: Any = schema_of(file)
    for name in place:
        part = part[name]
    return part


def _is_valid(file: str, place: list[str | int], value: Any) -> bool:
    """Return whether a value may stand where the part of the schema at ``place`` looks."""
    part = {**_schema_at(file, place), "$defs": schema_of(file).get("$defs", {})}
    return jsonschema_rs.Draft202012Validator(part).is_valid(value)


def _not_in_list(path: Path, value: Any, allowed: tuple[str, ...]) -> Fault:
    names = [part for part in path if isinstance(part, str)]
    called = _CALLED.get("/".join(names[-2:])) or _CALLED.get(f"{names[0]}/{names[-1]}") if names else None
    word = value if isinstance(value, str) else None
    noun = f"no {called}" if called else "not allowed here"
    shown = "This secret" if _is_secret(path) else _shown(value)
    return Fault(path=path, message=f"{shown} is {noun}.", word=word, allowed=allowed)


_BOUNDS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "maxLength": "a text of at most {} characters",
}


def _out_of_bounds(path: Path, value: Any, keyword: str, limit: Any) -> Fault:
    if keyword == "maxLength" and limit == 0:
        return _wrong_type(path, value, ["object"])
    shown = "This secret" if _is_secret(path) else _shown(value)
    wanted = _BOUNDS[keyword].format(f"{limit:g}" if isinstance(limit, float) else limit)
    return Fault(path=path, message=f"{shown} is out of bounds: it must be {wanted}.")


def _is_secret(path: Path) -> bool:
    """Return whether the value at ``path`` may be a secret, which is not shown."""
    key = path[-2] if len(path) > 1 and path[-1] == "env" else path[-1] if path else None
    return key in SECRET_KEYS or "headers" in path


def _shown(value: Any) -> str:
    """Return the value as it stands in the file, if it is short, else what kind of value it is."""
    if isinstance(value, dict):
        return "an object" if value else "{}"
    if isinstance(value, list):
        return "a list" if value else "[]"
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 60 else shown[:57] + '..."'
