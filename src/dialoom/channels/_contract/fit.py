"""Cuts a message of the bot to what a channel can show, as its row says; nothing is left out.

A dialog that the channel does not show becomes a link to the hosted page where it is answered, a login a link to where
the user logs in. What the parts look like in the platform's words is the channel's.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dialoom.languages import channel_texts
from dialoom.messages.plain import plain_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.flow.channels import ChannelRow
    from dialoom.messages import Dialog, Option
    from dialoom.service.chat.transcript import Spoken

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
_BLANK = re.compile(r"\s+")
_ZERO_WIDTH_JOINER = "\u200d"
_VARIATION_SELECTORS = ("\ufe0e", "\ufe0f")
_SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
_REGIONAL_INDICATORS = ("\U0001f1e6", "\U0001f1ff")
"""First and last of the characters of which two make a flag."""


class Link(NamedTuple):
    title: str
    url: str


class Part(NamedTuple):
    """Holds one message of the platform. Buttons, dialog and link stand on the last part of a message alone."""

    text: str
    buttons: tuple[Option, ...] = ()
    """Quick replies, their titles without Markdown; a tap comes back with the ``key``."""
    dialog: Dialog | None = None
    """A dialog that the channel shows natively."""
    link: Link | None = None


def fit(spoken: Spoken, row: ChannelRow, language: str) -> list[Part]:
    """Return the parts of a message, in order; none for one that says nothing. ``language``: the bot's."""
    said, dialog, link = spoken.message, spoken.message.dialog, None
    lines = [said.text if row.shows_markdown else plain_text(said.text)]
    buttons = tuple(msgspec.structs.replace(reply, title=plain_title(reply.title)) for reply in said.replies)
    if row.max_buttons is not None and len(buttons) > row.max_buttons:
        lines += [f"- {button.title}" for button in buttons]
        buttons = ()
    if dialog is not None and (dialog.type == "login" or row.shows(dialog.type) != "natively"):
        shown = row.shows(dialog.type)
        url = dialog.url if dialog.type == "login" else spoken.picker
        if url and shown not in ("as-text", "as-list"):
            link = Link(dialog.title or dialog.button_text, url)
        elif shown != "as-text":
            lines += [f"{number}. {plain_title(one.title)}" for number, one in enumerate(dialog.options, 1)]
            if dialog.type == "multi-select":
                lines.append(channel_texts(language).choose_numbers)
        dialog = None
    texts = split("\n".join(lines), row.max_text_chars)
    if not (texts or buttons or dialog or link):
        return []
    *first, last = texts or [""]
    return [*(Part(one) for one in first), Part(last, buttons, dialog, link)]


def plain_text(text: str) -> str:
    """Return a text of several lines without Markdown."""
    return "\n".join(plain_title(line) for line in text.split("\n"))


def split(text: str, most: int | None) -> list[str]:
    """Return the text in pieces of at most so many characters: cut behind a sentence, else between words, else between
    two signs."""
    pieces = []
    while most is not None and len(text) > most:
        at = _last_end(_SENTENCE_END, text, most) or _last_end(_BLANK, text, most) or _between(text, most)
        pieces.append(text[:at].strip())
        text = text[at:].lstrip()
    return [piece for piece in (*pieces, text.strip()) if piece]


def titles(options: Sequence[Option], most: int) -> list[str]:
    """Return the titles of options without Markdown, each of at most so many characters; where two would read alike,
    all but the paging buttons are numbered."""
    plain = [plain_title(option.title) for option in options]
    cut = [clipped(title, most) for title in plain]
    if len(set(cut)) == len(cut) or len(set(plain)) < len(plain):
        return cut
    numbers = itertools.count(1)
    numbered = (title if one.system else f"{next(numbers)}. {title}" for one, title in zip(options, plain, strict=True))
    return [clipped(title, most) for title in numbered]


def clipped(text: str, most: int) -> str:
    """Return a title of at most so many characters; one that was longer ends with an ellipsis."""
    if len(text) <= most:
        return text
    return text[: _between(text, most - 1)].rstrip() + "…"


def _last_end(boundary: re.Pattern[str], text: str, most: int) -> int:
    """Return where the last piece that fits ends; 0 where none does."""
    return max((found.start() for found in boundary.finditer(text, 0, most + 1) if found.start() <= most), default=0)


def _between(text: str, most: int) -> int:
    """Return a place that does not lie within a sign made of several characters; ``most`` where all of it is one."""
    for at in range(most, 0, -1):
        if not _joins(text, at):
            return at
    return most


def _joins(text: str, at: int) -> bool:
    """Return whether the characters before and behind this place are of one sign (Unicode UAX #29, rules GB9 to GB13,
    as far as emoji and accents need them)."""
    before, behind = text[at - 1], text[at]
    if _ZERO_WIDTH_JOINER in (before, behind) or behind in _VARIATION_SELECTORS:
        return True
    if unicodedata.combining(behind) or _is_within(behind, _SKIN_TONES):
        return True
    if not _is_within(behind, _REGIONAL_INDICATORS):
        return False
    flags = at
    while flags and _is_within(text[flags - 1], _REGIONAL_INDICATORS):
        flags -= 1
    return (at - flags) % 2 == 1


def _is_within(character: str, ends: tuple[str, str]) -> bool:
    """Return whether a character lies between two others, which count."""
    return ends[0] <= character <= ends[1]
