"""The bodies that clients send: their shapes as msgspec reads them, with what each part means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.channels.picker import PickBody
from dialoom.channels.rest import RestBody
from dialoom.channels.web import MessageBody, ProofBody, SessionBody

if TYPE_CHECKING:
    from collections.abc import Mapping

Form = dict[str, Any]

_MODELS = (RestBody, PickBody, SessionBody, MessageBody, ProofBody)
_NAMES: Mapping[str, str] = {
    "_Sender": "RestSender",
    "_Message": "RestSaid",
    "_File": "RestFile",
    "_Payload": "RestFilePayload",
    "_Event": "RestEvent",
    "_User": "SessionUser",
    "_Choice": "Choice",
}
"""Of structs that have no name of their own outside of their module."""
_MEANINGS: Mapping[str, Mapping[str, str]] = {
    "RestBody": {"": "A message of a user, from your own program.", "sender": "Who says it.", "message": "What it is."},
    "RestSender": {
        "": "The user. Memory, order and history are kept per id and channel.",
        "id": "The user's id, 1 to 256 characters.",
        "name": "First and last name; the first word is the first name.",
        "timezone": "Time zone, as in `Europe/Vienna`.",
        "locale": "Language, as in `de-AT`.",
        "token": "A user token of this user; its `sub` is `id`.",
    },
    "RestSaid": {
        "": "One of `text`, `option`, `location`, `attachments` and `event`; or `context` alone.",
        "id": "Your own id of the message, 1 to 256 characters: the same again within 24 hours gives the stored answer "
        "and runs nothing.",
        "text": "What the user typed, at most 8,000 characters.",
        "option": "A chosen option's value, or a list of them; a date is `YYYY-MM-DD`.",
        "location": "A place.",
        "attachments": "Files, 1 to 10.",
        "event": "`authentication` asks for what waits.",
        "context": "Merged into memory before the turn; no name may begin with `_`. At most 64 KiB of JSON.",
    },
    "RestFile": {"": "A file.", "payload": "Where it lies.", "mimeType": "Its type.", "name": "What it is called."},
    "RestFilePayload": {"": "Where a file lies.", "url": "An http or https address, at most 2,048 characters."},
    "RestEvent": {"": "Something that happened.", "type": "`authentication`.", "data": "Not used."},
    "Place": {
        "": "A place on earth.",
        "latitude": "Degrees north.",
        "longitude": "Degrees east.",
        "name": "What it is called.",
    },
    "PickBody": {
        "": "The answer on a picker page: an option, or a place.",
        "option": "What was chosen.",
        "location": "A place, where one is asked for.",
    },
    "PickedOption": {
        "": "One of the three.",
        "key": "The option's key.",
        "keys": "The keys of several (multi-select).",
        "value": "A date, `YYYY-MM-DD` (date-picker).",
    },
    "SessionBody": {
        "": "A browser that opens the chat.",
        "user": "Who it is, as far as the page knows.",
        "context": "Merged into memory; may not set what the flow relies on. At most 64 KiB of JSON.",
        "locale": "Language, as in `de-AT`.",
        "timezone": "Time zone, as in `Europe/Vienna`.",
        "clear": "Begin anew: forget the open talk.",
        "userMessage": "What the page says in the user's name.",
        "resume": "The secret of this browser from its last session: goes on with the same chat.",
    },
    "SessionUser": {
        "": "The user of a page.",
        "id": "The page's own id of the user: becomes `ExternalId`, never selects anything.",
        "name": "First and last name.",
        "avatarUrl": "Address of a picture.",
        "token": "A user token: says who the user is.",
    },
    "MessageBody": {
        "": "A message from the chat: one of `text`, `option`, `location` and `files`; or `context` alone.",
        "id": "Made by the client, 1 to 64 characters: the same again is harmless.",
        "ask": "The `key` of the dialog that a value or a location answers.",
        "text": "What the user typed, at most 8,000 characters.",
        "option": "What was chosen.",
        "location": "A place.",
        "files": "Ids that `web/files` gave, 1 to 10.",
        "context": "Merged into memory; may not set what the flow relies on.",
    },
    "ProofBody": {
        "": "A login's start page asks whose login it is.",
        "challenge": "What the page asks with.",
    },
    "Choice": {
        "": "One of the three.",
        "key": "The option's key.",
        "keys": "The keys of several.",
        "value": "A value, as in a date.",
    },
}


def schemas() -> Form:
    _, made = msgspec.json.schema_components(_MODELS, ref_template="#/components/schemas/{name}")
    return {_NAMES.get(name, name): _described(_NAMES.get(name, name), schema) for name, schema in made.items()}


def _described(name: str, schema: Form) -> Form:
    meanings = _MEANINGS[name]
    properties = {key: _renamed(one) | {"description": meanings[key]} for key, one in schema["properties"].items()}
    # Its title would be the struct's name, and its words those for readers of the code.
    rest = {key: value for key, value in schema.items() if key != "title"}
    return rest | {"description": meanings[""], "properties": properties}


def _renamed(value: Any) -> Any:
    """With references to the names that readers see."""
    if isinstance(value, dict):
        return {key: _target(one) if key == "$ref" else _renamed(one) for key, one in value.items()}
    return [_renamed(one) for one in value] if isinstance(value, list) else value


def _target(reference: str) -> str:
    base, _, name = reference.rpartition("/")
    return f"{base}/{_NAMES.get(name, name)}"
