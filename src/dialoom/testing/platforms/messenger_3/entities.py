"""Reads a formatted text as the platform does: tags become entities, and what is not well-formed is refused.

Tags, references and the wording of errors follow ``parse_html`` of TDLib, which the Bot API server runs
(github.com/tdlib/td, td/telegram/MessageEntity.cpp).
"""

from __future__ import annotations

import re
from typing import Any

from dialoom.testing.platforms.messenger_3.errors import BotApiError
from dialoom.testing.platforms.shapes import count

MAX_RAW_TEXT_BYTES = 2**15
"""Client.cpp, get_formatted_text: a longer text is refused before it is read."""

_TYPES = {
    **dict.fromkeys(("b", "strong"), "bold"),
    **dict.fromkeys(("i", "em"), "italic"),
    **dict.fromkeys(("u", "ins"), "underline"),
    **dict.fromkeys(("s", "strike", "del"), "strikethrough"),
    **dict.fromkeys(("tg-spoiler", "span"), "spoiler"),
    "a": "text_link",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "tg-emoji": "custom_emoji",
}
_REFERENCES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(lt|gt|amp|quot)(?![a-zA-Z]));?")
_TAG = re.compile(r"<(/?)([^\s>]*)([^>]*)>")
_ATTRIBUTE = re.compile(r"""\s*([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9.-]+))(?=\s|$)""")


def parse(text: str, parse_mode: str | None) -> tuple[str, list[dict[str, Any]]]:
    """Return the text without its tags, and the entities. Raises ``BotApiError``."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_RAW_TEXT_BYTES:
        raise BotApiError("text is too long")
    if not parse_mode or not text:
        return text, []
    if parse_mode.lower() != "html":
        raise BotApiError(f"the stand-in reads parse_mode HTML only, not {parse_mode}")
    return _read_tags(text)


def _read_tags(text: str) -> tuple[str, list[dict[str, Any]]]:
    plain = ""
    entities: list[dict[str, Any]] = []
    open_tags: list[tuple[str, dict[str, str], int]] = []
    position = 0
    while position < len(text):
        start = text.find("<", position)
        if start < 0:
            plain += _decode(text[position:])
            break
        plain += _decode(text[position:start])
        offset = len(text[:start].encode())
        tag = _TAG.match(text, start)
        if tag is None:
            raise _cannot(f"Unclosed start tag at byte offset {offset}")
        closes, name, rest = tag[1] == "/", tag[2].lower(), tag[3]
        here = count(plain, "utf-16 units")
        if closes:
            _close(name, open_tags, entities, here, offset)
        else:
            if name not in _TYPES:
                raise _cannot(f'Unsupported start tag "{name}" at byte offset {offset}')
            open_tags.append((name, _attributes(name, rest, offset), here))
        position = tag.end()
    if open_tags:
        raise _cannot(f'Can\'t find end tag corresponding to start tag "{open_tags[-1][0]}"')
    return plain, sorted(entities, key=lambda one: (one["offset"], -one["length"]))


def _close(
    name: str,
    open_tags: list[tuple[str, dict[str, str], int]],
    entities: list[dict[str, Any]],
    here: int,
    offset: int,
) -> None:
    if not open_tags:
        raise _cannot(f"Unexpected end tag at byte offset {offset}")
    opened, attributes, begin = open_tags.pop()
    if name and name != opened:
        raise _cannot(f'Unmatched end tag at byte offset {offset}, expected "</{opened}>", found "</{name}>"')
    if here == begin:
        return
    entity: dict[str, Any] = {"type": _TYPES[opened], "offset": begin, "length": here - begin}
    if opened == "a":
        if "href" not in attributes:
            return
        entity["url"] = attributes["href"]
    entities.append(entity)


def _attributes(name: str, rest: str, offset: int) -> dict[str, str]:
    found: dict[str, str] = {}
    position = 0
    while rest[position:].strip():
        attribute = _ATTRIBUTE.match(rest, position)
        if attribute is None:
            raise _cannot(
                f'Expected equal sign in declaration of an attribute of the tag "{name}" at byte offset {offset}'
            )
        value = next(one for one in attribute.groups()[1:] if one is not None)
        found[attribute[1]] = _decode(value)
        position = attribute.end()
    if name == "span" and found.get("class") != "tg-spoiler":
        raise _cannot(f'Tag "span" must have class "tg-spoiler" at byte offset {offset}')
    return found


def _decode(text: str) -> str:
    def character(found: re.Match[str]) -> str:
        if found[3]:
            return _REFERENCES[found[3]]
        code = int(found[1], 16) if found[1] else int(found[2])
        return chr(code) if 0 < code < 0x10FFFF else found[0]

    return _REFERENCE.sub(character, text)


def _cannot(problem: str) -> BotApiError:
    return BotApiError(f"can't parse entities: {problem}")
