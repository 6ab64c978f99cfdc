"""Cuts a message of the bot to what a channel can show, as its row says; nothing is left out.

Titles and subtitles are Markdown in a message, and plain text in its parts: they are made plain here, and nowhere
behind, where a second time would take signs away that an author wrote (``\\*``).

A dialog that the channel does not show becomes a link to the hosted page where it is answered, a login a link to where
the user logs in. What the parts look like in the platform's words is the channel's.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec

from dialoom.flow.channels import ChannelRow
from dialoom.languages import channel_texts
from dialoom.messages import Dialog, Option
from dialoom.messages.plain import as_markdown, plain_title
from dialoom.service.chat.transcript import Spoken

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
_BLANK = re.compile(r"\s+")
_ZERO_WIDTH_JOINER = "\u200d"
_EXTENDING = frozenset("\u200c\u0e33\u0eb3\uff9e\uff9f")
"""Characters that continue a sign though their category does not say so (UAX #29, Extend and SpacingMark)."""
_SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
_TAGS = ("\U000e0020", "\U000e007f")
_REGIONAL_INDICATORS = ("\U0001f1e6", "\U0001f1ff")
"""First and last of the characters of which two make a flag."""
_PREPENDED = re.compile(
    "[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3\U0001193f\U00011941\U00011a3a"
    "\U00011a84-\U00011a89\U00011d46\U00011f02]"
)
"""Signs that stand over the character behind them (UAX #29, Prepend)."""
_LEADING_JAMO = re.compile("[\u1100-\u115f\ua960-\ua97c]")
_FOLLOWING_JAMO = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]")
_HANGUL = re.compile("[\u1100-\u11ff\ua960-\ua97c\uac00-\ud7fb]")
_VIRAMA_CLASS = 9
"""Canonical combining class of the sign that joins two consonants of an Indic script."""


MAX_HALF_ROW_CHARS = 14
"""Two titles of at most so many characters stand in one row of buttons."""
MAX_URL_CHARS = 2000
"""Of a picture's address: what Viber takes; other platforms tell no limit."""
B = TypeVar("B")

BELOW = "⬇️"
"""Stands over buttons that come without a text, where a platform takes no message without one."""


class Link(NamedTuple):
    title: str
    url: str
    image: str | None = None
    """The picture of a login's card."""


class Part(NamedTuple):
    """Holds one message of the platform. Buttons, dialog and link stand on the last part of a message alone."""

    text: str
    buttons: tuple[Option, ...] = ()
    """Quick replies, plain; a tap comes back with the ``key``."""
    dialog: Dialog | None = None
    """A dialog that the channel shows natively, plain."""
    link: Link | None = None


def fit(spoken: Spoken, row: ChannelRow, language: str) -> list[Part]:
    """Return the parts of a message, in order; none for one that says nothing. ``language``: the bot's."""
    said, dialog, link = spoken.message, spoken.message.dialog, None
    lines = [said.text if row.shows_markdown else plain_text(said.text)]
    buttons = plain_options(said.replies)
    if row.max_buttons is not None and len(buttons) > row.max_buttons:
        lines += [f"- {as_markdown(button.title)}" for button in buttons]
        buttons = ()
    if dialog is not None and (dialog.type == "login" or row.shows(dialog.type) != "natively"):
        shown = row.shows(dialog.type)
        url = dialog.url if dialog.type == "login" else spoken.picker
        if url and shown not in ("as-text", "as-list"):
            link = Link(plain_title(dialog.title or dialog.button_text), url, dialog.image)
        elif shown == "as-text":
            lines = lines if said.text else [dialog.title]
        else:
            lines += [f"{number}. {listed(one)}" for number, one in enumerate(plain_options(dialog.options), 1)]
            if dialog.type == "multi-select":
                lines.append(channel_texts(language).choose_numbers)
        dialog = None
    elif dialog is not None:
        dialog = plain_dialog(dialog)
    texts = split("\n".join(lines), row.max_text_chars)
    if not (texts or buttons or dialog or link):
        return []
    *first, last = texts or [""]
    return [*(Part(one) for one in first), Part(last, buttons, dialog, link)]


def plain_dialog(dialog: Dialog) -> Dialog:
    """Return a dialog whose titles are plain."""
    title, button_text = plain_title(dialog.title), plain_title(dialog.button_text)
    return msgspec.structs.replace(dialog, title=title, button_text=button_text, options=plain_options(dialog.options))


def plain_options(options: Iterable[Option]) -> tuple[Option, ...]:
    """Return options whose titles and subtitles are plain."""
    return tuple(map(plain_option, options))


def plain_option(option: Option) -> Option:
    """Return an option whose title and subtitle are plain."""
    subtitle = plain_title(option.subtitle or "") or None
    return msgspec.structs.replace(option, title=plain_title(option.title), subtitle=subtitle)


def listed(option: Option) -> str:
    """Return the title of a plain option with its subtitle, as Markdown, for lists within a text."""
    title = as_markdown(option.title)
    return f"{title} – {as_markdown(option.subtitle)}" if option.subtitle else title


def is_picture(address: str | None) -> bool:
    """Return whether a platform can fetch a picture: over http or https, and no SVG, which none of them shows."""
    if address is None or len(address) > MAX_URL_CHARS or not address.lower().startswith(("http://", "https://")):
        return False
    return not urlsplit(address).path.lower().endswith(".svg")


def plain_text(text: str) -> str:
    """Return a text of several lines without Markdown."""
    return "\n".join(plain_title(line) for line in text.split("\n"))


def split(text: str, most: int | None) -> list[str]:
    """Return the text in pieces of at most so many characters: cut behind a sentence, else between words, else between
    two signs."""
    pieces = []
    while most is not None and (reach := _reach(text, most)) < len(text):
        at = _last_end(_SENTENCE_END, text, reach) or _last_end(_BLANK, text, reach) or _between(text, reach)
        pieces.append(text[:at].strip())
        text = text[at:].lstrip()
    return [piece for piece in (*pieces, text.strip()) if piece]


def titles(options: Sequence[Option], most: int) -> list[str]:
    """Return the titles of plain options, each of at most so many characters; where two would read alike, all but the
    paging buttons are numbered."""
    plain = [option.title for option in options]
    cut = [clipped(title, most) for title in plain]
    if len(set(cut)) == len(cut) or len(set(plain)) < len(plain):
        return cut
    numbers = itertools.count(1)
    numbered = (title if one.system else f"{next(numbers)}. {title}" for one, title in zip(options, plain, strict=True))
    return [clipped(title, most) for title in numbered]


def in_rows(buttons: Iterable[B], title: Callable[[B], str]) -> list[list[B]]:
    """Return buttons in rows: two with short titles share one, all others fill one."""
    rows: list[list[B]] = []
    for button in buttons:
        last = rows[-1] if rows else []
        if len(last) == 1 and max(len(title(last[0])), len(title(button))) <= MAX_HALF_ROW_CHARS:
            last.append(button)
        else:
            rows.append([button])
    return rows


def clipped(text: str, most: int) -> str:
    """Return a title of at most so many characters; one that was longer ends with an ellipsis."""
    if _reach(text, most) == len(text):
        return text
    return text[: _between(text, _reach(text, most - 1))].rstrip() + "…"


def _reach(text: str, most: int) -> int:
    """Return how much of the text fits. A character beyond the first 65,536 (an emoji) counts as two: that is how some
    platforms count, and no other counts more."""
    if len(text) * 2 <= most or text.isascii():
        return min(len(text), most)
    units = 0
    for at, character in enumerate(text):
        units += 2 if character > "\uffff" else 1
        if units > most:
            return max(at, 1)
    return len(text)


def _last_end(boundary: re.Pattern[str], text: str, most: int) -> int:
    """Return where the last piece that fits ends; 0 where none does."""
    ends = (found for found in boundary.finditer(text, 0, most + 1) if found.start() <= most)
    return max((found.start() for found in ends if not _joins(text, found.end())), default=0)


def _between(text: str, most: int) -> int:
    """Return a place that does not lie within a sign made of several characters; ``most`` where all of it is one."""
    for at in range(most, 0, -1):
        if not _joins(text, at):
            return at
    return most


def _joins(text: str, at: int) -> bool:
    """Return whether the characters before and behind this place are of one sign, by Unicode UAX #29, rules GB3 to
    GB13. Where a property is not in ``unicodedata``, more is kept together than the rules say."""
    if not 0 < at < len(text):
        return False
    before, behind = text[at - 1], text[at]
    if before.isascii() and behind.isascii():
        return before == "\r" and behind == "\n"
    if before in "\r\n" or behind in "\r\n":
        return False
    if before == _ZERO_WIDTH_JOINER or _PREPENDED.match(before) or _extends(behind):
        return True
    if unicodedata.combining(before) == _VIRAMA_CLASS:
        return unicodedata.category(behind) == "Lo"
    if _FOLLOWING_JAMO.match(behind):
        return _HANGUL.match(before) is not None
    if _LEADING_JAMO.match(before):
        return _HANGUL.match(behind) is not None
    return _is_within(behind, _REGIONAL_INDICATORS) and _is_second(text, at)


def _extends(character: str) -> bool:
    """Return whether a character belongs to the sign before it: an accent, a vowel sign, a variation, a skin tone."""
    if unicodedata.category(character) in ("Mn", "Me", "Mc") or character in _EXTENDING:
        return True
    return character == _ZERO_WIDTH_JOINER or _is_within(character, _SKIN_TONES) or _is_within(character, _TAGS)


def _is_second(text: str, at: int) -> bool:
    """Return whether the character behind this place is the second of a flag."""
    flags = at
    while flags and _is_within(text[flags - 1], _REGIONAL_INDICATORS):
        flags -= 1
    return (at - flags) % 2 == 1


def _is_within(character: str, ends: tuple[str, str]) -> bool:
    """Return whether a character lies between two others, which count."""
    return ends[0] <= character <= ends[1]
