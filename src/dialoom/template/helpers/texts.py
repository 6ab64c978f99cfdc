"""Helpers that make one text of another, and those for lists."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from dialoom.errors import TemplateError
from dialoom.template.frame import check_length
from dialoom.template.helpers.row import Helper, kind_of, text_argument
from dialoom.template.values.printing import json_text, plain_text
from dialoom.template.values.types import MISSING, single_value


def replace(value: object, old: object, new: object) -> str:
    text = text_argument(value)
    old = "" if old is None or old is MISSING else text_argument(old)
    new = "" if new is None or new is MISSING else text_argument(new)
    if not old:
        return text
    check_length(len(text) + text.count(old) * (len(new) - len(old)))
    return text.replace(old, new)


def join(values: object, separator: object = ", ") -> str:
    if not isinstance(values, (list, tuple)):
        raise TemplateError(f"the first argument is {kind_of(values)}. Give a list.")
    between = "" if separator is None or separator is MISSING else text_argument(separator)
    check_length(len(between) * len(values))
    pieces, length = [], 0
    for value in values:
        pieces.append(plain_text(value))
        length += len(pieces[-1])
        check_length(length)
    return between.join(pieces)


def element(values: object, index: int) -> object:
    if isinstance(values, (list, tuple, str)):
        return values[index] if values else MISSING
    raise TemplateError(f"the argument is {kind_of(values)}. Give a list.")


def length(value: object) -> int:
    if isinstance(value, (list, tuple, str)):
        return len(value)
    raise TemplateError(f"the argument is {kind_of(value)}. Give a list or a text.")


def encode_uri(value: object) -> str:
    """Percent-encode all but the unreserved characters (RFC 3986 section 2.3)."""
    text = plain_text(single_value(value))
    check_length(len(text))
    try:
        return quote(text, safe="")
    except UnicodeEncodeError:
        raise TemplateError("the text holds half a character (a lone surrogate) and cannot be encoded.") from None


ROWS: Final = (
    Helper("$json", json_text, 1, 1, keeps_metadata=True, reads_all=True),
    Helper("$encodeURI", encode_uri, 1, 1, reads_all=True),
    Helper("$lowercase", lambda value: text_argument(value).lower(), 1, 1, reads_all=True),
    Helper("$uppercase", lambda value: text_argument(value).upper(), 1, 1, reads_all=True),
    Helper("$trim", lambda value: text_argument(value).strip(), 1, 1, reads_all=True),
    Helper("$first", lambda values: element(values, 0), 1, 1),
    Helper("$last", lambda values: element(values, -1), 1, 1),
    Helper("$length", length, 1, 1),
    Helper("$join", join, 1, 2, reads_all=True),
    Helper("$replace", replace, 3, 3, reads_all=True),
)
