"""Checks an imported record and completes it, so that it means in queries what it says.

Two tables name the properties that a record must have, may have, and gets when it lacks them. Other properties are kept
as they are; the masking rule is applied to all of it. Reading files is left to ``importing``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args, get_type_hints

import msgspec
import re2

from dialoom.engine.memory import is_deeper
from dialoom.errors import DialoomError, QueryError
from dialoom.messages import MessageRecord
from dialoom.messages.records import Status
from dialoom.query import stored_dates

if TYPE_CHECKING:
    from dialoom.service.bots.masking import Masking
    from dialoom.storage.store import Collection

MAX_RECORD_BYTES: Final = 8 * 1024 * 1024
"""Bytes of JSON: twice what a chat's memory may hold, so that every exported record is below it."""
MAX_DEPTH: Final = 128
"""Levels of objects and arrays; memory, which a record's ``Data`` holds, has at most 100."""
MAX_ID_CHARS: Final = 256
"""Characters of a value in an index: an entry of PostgreSQL's has at most 2.7 kB."""
MAX_COUNT: Final = 2**31 - 1
"""The largest counter and ``Sequence``: integers of 32 bits in PostgreSQL."""
MAX_NAME_CHARS: Final = 80
"""Characters of a property's name that an error shows."""
MAX_NUMBER: Final = 2**1024
"""Whole numbers from here on are beyond double precision."""


class BadRecord(DialoomError):
    """Raised where a line is no record of this collection. ``pointer`` is the JSON pointer of the place, "" for the
    whole line. Neither holds the value, which is personal."""

    def __init__(self, pointer: str, reason: str) -> None:
        super().__init__(f"{pointer} {reason}" if pointer else reason)
        self.pointer = pointer
        self.reason = reason


class _Wrong(Exception):
    """Raised where a value is of another kind than the message says."""


# -- kinds: each returns the value as it is stored


def _identifier(value: Any) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_ID_CHARS:
        raise _Wrong(f"must be a text of 1 to {MAX_ID_CHARS} characters")
    return value


def _short(value: Any) -> str | None:
    if value is not None and (not isinstance(value, str) or len(value) > MAX_ID_CHARS):
        raise _Wrong(f"must be a text of at most {MAX_ID_CHARS} characters, or null")
    return value


def _text(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise _Wrong("must be a text or null")
    return value


def _always_text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Wrong("must be a text")
    return value


def _count(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int or not 0 <= value <= MAX_COUNT:
        raise _Wrong(f"must be a whole number from 0 to {MAX_COUNT}")
    return value


_STORED_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


def _time(value: Any) -> str:
    """Return the stored form of a time in any form that ``$date`` takes in queries."""
    try:
        if isinstance(value, str):
            if _STORED_TIME.fullmatch(value):
                datetime.fromisoformat(value)
                return value
            return str(stored_dates({"$date": value}))
        if isinstance(value, dict) and list(value) == ["$date"]:
            return str(stored_dates(value))
    except (QueryError, ValueError):
        pass
    raise _Wrong('must be a time, such as "2026-11-20T08:15:30.250Z"')


def _time_or_null(value: Any) -> str | None:
    return None if value is None else _time(value)


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong("must be an object")
    return value


def _anything(value: Any) -> Any:
    return value


def _one_of(*allowed: str) -> Callable[[Any], str]:
    def kind(value: Any) -> str:
        if value not in allowed:
            raise _Wrong(f"must be one of {', '.join(allowed)}")
        return str(value)

    return kind


# -- the tables

REQUIRED: Final = object()
"""In the place of a default: the property must be there."""


class Property(NamedTuple):
    name: str
    kind: Callable[[Any], Any] = _text
    default: Any = None
    parts: tuple[Property, ...] = ()
    """The checked properties of an object."""


_HINTS = get_type_hints(MessageRecord)

CONVERSATION: Final = (
    Property("_id", _identifier, REQUIRED),
    Property("User", _identifier, REQUIRED),
    Property("Channel", _identifier, REQUIRED),
    Property("Status", _one_of(*get_args(Status)), REQUIRED),
    Property("StartedAt", _time, REQUIRED),
    Property("EndedAt", _time_or_null),
    Property("UpdatedAt", _time, REQUIRED),  # when it lacks it: ``EndedAt``, else ``StartedAt``
    Property("Goal"),
    Property("Errors", _count, 0),
    Property("Messages", _object, {}, (Property("user", _count, 0), Property("bot", _count, 0))),
    Property("FlowVersion", _always_text, ""),
    Property("Data", _object, {}, (
        Property("channel", _object, {}, (
            Property("Id"),  # when it lacks it: ``Channel``
            Property("ProviderName", _identifier, REQUIRED),
            Property("Name"),
        )),
        Property("user", _object, {}, (
            Property("ExternalId"), Property("FirstName", _short), Property("LastName", _short), Property("Avatar"),
            Property("Locale"), Property("Timezone"),
        )),
        Property("context", _object, {}),
        Property("entities", _object, {}),
    )),
)  # fmt: skip

MESSAGE: Final = (
    Property("_id", _identifier, REQUIRED),
    Property("Conversation", _identifier, REQUIRED),
    Property("User", _identifier, REQUIRED),
    Property("Channel", _identifier, REQUIRED),
    Property("From", _one_of(*get_args(_HINTS["from_"])), REQUIRED),
    Property("Type", _one_of(*get_args(_HINTS["type"])), REQUIRED),
    Property("Text"),
    Property("Payload", _anything),
    Property("Step"),
    Property("Understanding", _anything),
    Property("Error"),
    Property("CreatedAt", _time, REQUIRED),
    Property("Sequence", _count, REQUIRED),
)

TABLES: Final[Mapping[Collection, tuple[Property, ...]]] = {"conversations": CONVERSATION, "messages": MESSAGE}
_IDS: Final = ("_id", "User", "Channel", "Conversation")


# -- what is rare: the values of a record are checked and masked only if its line holds one of these

_RARE = (
    r"\\u0000",  # NUL
    r"\\u00[2-7]",  # what might as well stand there unescaped, and so be a name that is masked
    r"[0-9]{309}",  # a whole number may be too large
    r"(?i:secret|token|password|authorization|pin)(?:[^a-z]|$)",
    r"(?i:api(?:[^a-z0-9]|\\(?:[bfnrt]|u[0-9a-f]{4}))*key)",
    r"e[yw][A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*\.",  # a JWT, also one with an empty part (a JWE with ``alg: dir``)
    r"\xe2\x84\xaa|\\u212[aA]",  # the sign of Kelvin, a small k in names
)
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_ -]+")


class RecordReader:
    """Reads the lines of one bot's records. ``authentication_entity``: a further name that is masked."""

    def __init__(
        self, collection: Collection, bot: str, masking: Masking, authentication_entity: str | None = None
    ) -> None:
        self._bot = bot
        self._properties = TABLES[collection]
        self._is_conversation = collection == "conversations"
        self._masking = masking
        rare: tuple[str, ...] = _RARE
        if authentication_entity is not None:
            # A name that JSON could write in several ways makes every line a rare one.
            is_plain = _PLAIN_NAME.fullmatch(authentication_entity) is not None
            rare = (*rare, re2.escape(authentication_entity) if is_plain else "")
        self._is_rare = re2.compile("|".join(rare).encode()).search
        self._decode = msgspec.json.Decoder(dict[str, Any]).decode

    def read(self, line: bytes) -> dict[str, Any]:
        """Return the record of the line, complete and masked. Raises ``BadRecord``."""
        document = self._decoded(line)
        is_rare = self._is_rare(line) is not None
        if is_rare:
            _refuse_unstorable(document)
        self._complete(document)
        return self._masked(document) if is_rare else document

    def _decoded(self, line: bytes) -> dict[str, Any]:
        if len(line) > MAX_RECORD_BYTES:
            raise BadRecord("", f"is longer than {MAX_RECORD_BYTES // 1024**2} MiB, more than a record may have")
        try:
            document = self._decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise _not_json(line) from None
        if line.count(b"{") + line.count(b"[") > MAX_DEPTH and is_deeper(document, MAX_DEPTH):
            raise _too_deep()
        return document

    def _complete(self, document: dict[str, Any]) -> None:
        if document.setdefault("Bot", self._bot) != self._bot:
            raise BadRecord("/Bot", f'must be "{self._bot}", or left out')
        if self._is_conversation and "UpdatedAt" not in document:
            updated = document.get("EndedAt") or document.get("StartedAt")
            if updated is not None:
                document["UpdatedAt"] = updated
        _fill(self._properties, document, "")
        if self._is_conversation:
            channel = document["Data"]["channel"]
            if channel["Id"] is None:
                channel["Id"] = document["Channel"]

    def _masked(self, document: dict[str, Any]) -> dict[str, Any]:
        masked = self._mask(self._properties, document)
        for name in _IDS:
            if masked.get(name) != document.get(name):
                raise BadRecord(f"/{name}", "has the shape of an access token, which no record may hold")
        return masked

    def _mask(self, properties: Iterable[Property], held: dict[str, Any]) -> dict[str, Any]:
        """Mask the values; the names of a record's own properties are never masked, whatever a bot calls its login."""
        known = {property.name: property for property in properties}
        masked: dict[str, Any] = {}
        for name, value in held.items():
            property = known.get(name)
            if property is None:
                masked |= self._masking.value({name: value})
            elif property.parts:
                masked[name] = self._mask(property.parts, value)
            else:
                masked[name] = self._masking.value(value)
        return masked


def _fill(properties: Iterable[Property], held: dict[str, Any], pointer: str) -> None:
    """Check an object's properties, and add those that it lacks."""
    for name, kind, default, parts in properties:
        try:
            if name in held:
                value = held[name]
                kept = kind(value)
                if kept is not value:
                    held[name] = kept
            elif default is REQUIRED:
                raise _Wrong("is missing")
            else:
                held[name] = {} if default == {} else default
        except _Wrong as wrong:
            raise BadRecord(f"{pointer}/{name}", str(wrong)) from None
        if parts:
            _fill(parts, held[name], f"{pointer}/{name}")


# -- what cannot be stored


def _not_json(line: bytes) -> BadRecord:
    """Return the error of a line that is no JSON object."""
    try:
        document = json.loads(line)
    except UnicodeDecodeError as error:
        return BadRecord("", f"is no UTF-8: byte {error.start + 1} of the line")
    except json.JSONDecodeError as error:
        return BadRecord("", f"is no JSON: {error.msg} (character {error.pos + 1} of the line)")
    except ValueError:
        return BadRecord("", "holds a whole number that is beyond double precision")
    except RecursionError:
        return _too_deep()
    if not isinstance(document, dict):
        return BadRecord("", "is no JSON object; each line must hold one record")
    if is_deeper(document, MAX_DEPTH):
        return _too_deep()
    try:
        _refuse_unstorable(document)
    except BadRecord as error:
        return error
    return BadRecord("", "is no JSON")


def _too_deep() -> BadRecord:
    return BadRecord("", f"is nested deeper than {MAX_DEPTH} levels")


_UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff]")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def _refuse_unstorable(document: dict[str, Any]) -> None:
    for pointer, value in _values("", document):
        if isinstance(value, str):
            if (found := _UNSTORABLE.search(value)) is not None:
                what = "NUL" if found[0] == "\0" else "half a surrogate pair"
                raise BadRecord(pointer, f"holds {what} (U+{ord(found[0]):04X}), which no record may hold")
        elif isinstance(value, float):
            if not math.isfinite(value):
                raise BadRecord(pointer, "is no finite number")
        elif isinstance(value, int) and abs(value) >= MAX_NUMBER:
            raise BadRecord(pointer, "is a whole number beyond double precision")


def _values(pointer: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield all names, and values that are no object or array, each with its pointer. Depth is limited by then."""
    if isinstance(value, dict):
        for name, member in value.items():
            member_pointer = f"{pointer}/{_escaped(name)}"
            yield member_pointer, name
            yield from _values(member_pointer, member)
    elif isinstance(value, list):
        for number, element in enumerate(value):
            yield from _values(f"{pointer}/{number}", element)
    else:
        yield pointer, value


def _escaped(name: str) -> str:
    """Escape a name as in RFC 6901 section 3, and without what a terminal cannot show."""
    return _UNPRINTABLE.sub("\ufffd", name[:MAX_NAME_CHARS]).replace("~", "~0").replace("/", "~1")
