"""The errors of queries, sorts, cursors and lists of fields: their codes, each with its line in the documentation.

The sentence that a client reads is written where the error is raised, with the name that was met and what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Literal

from dialoom.errors import QueryError

Code = Literal[
    "too-long", "not-json", "not-an-object", "doubled-key", "bad-text", "bad-number", "too-deep", "too-many-clauses",
    "too-many-values", "path-too-long", "unknown-operator", "operator-not-allowed", "bad-operand", "bad-date",
    "bad-regex", "regex-not-linear", "regex-too-large", "bad-sort", "too-many-sort-properties", "parallel-arrays",
    "ambiguous-path", "bad-cursor", "place-too-long", "bad-fields",
]  # fmt: skip

CODES: Mapping[Code, str] = {
    "too-long": "The text of the parameter is longer than its limit.",
    "not-json": "The text is not JSON.",
    "not-an-object": "A JSON object must stand here.",
    "doubled-key": "An object names the same key twice.",
    "bad-text": "A text holds the character NUL or half of a surrogate pair.",
    "bad-number": "A number is not finite or does not fit in double precision.",
    "too-deep": "Objects and arrays are nested deeper than the limit.",
    "too-many-clauses": "The query has more conditions than the limit.",
    "too-many-values": "A list of values is longer than the limit.",
    "path-too-long": "A property name has more parts than the limit.",
    "unknown-operator": "No operator has this name, or it does not stand where it may.",
    "operator-not-allowed": "The operator exists in MongoDB and is refused here on purpose.",
    "bad-operand": "The operator cannot take this operand.",
    "bad-date": "`$date` holds no point in time.",
    "bad-regex": "The regular expression is wrong, or its options are.",
    "regex-not-linear": "The regular expression uses what cannot be searched in linear time.",
    "regex-too-large": "The regular expression is longer, deeper or larger than the limit.",
    "bad-sort": "The sort is neither a property name nor an object of property names with 1 or -1.",
    "too-many-sort-properties": "The sort names more properties than the limit.",
    "parallel-arrays": "A record holds arrays in two properties of the sort, so that it has no one place in the order.",
    "ambiguous-path": "A numeric part of a sorted property names both an element of an array and a key inside of one.",
    "bad-cursor": "The cursor of `after` is damaged, or belongs to another sort or query.",
    "place-too-long": "A value by which the records are sorted is too long for a cursor to go on from it.",
    "bad-fields": "`fields` is no list of at most 50 property names.",
}


def invalid(code: Code, detail: str, pointer: str | None = "") -> QueryError:
    """Return the error to raise. The pointer of the whole parameter is the empty text, as in RFC 6901."""
    return QueryError(code, detail, pointer)


def child(pointer: str, key: str | int) -> str:
    """Return the JSON pointer of a member (RFC 6901 section 3)."""
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a sentence with a leading space when a known word is close, else an empty text."""
    close = get_close_matches(word, list(known), n=1)
    return f' Did you mean "{close[0]}"?' if close else ""
