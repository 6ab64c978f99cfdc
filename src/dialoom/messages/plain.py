"""Titles of options as they read, without Markdown: for matching, and for channels that show none of it.

Inline signs only (a title is one line): emphasis, struck text, code, links and images as their text, escapes. One pass
over the text and never back, since titles come from data sources and may be as long as those like.
"""

from __future__ import annotations

import re
from typing import Literal

_TOKEN = re.compile(r"\\([!-/:-@\[-`{-~])|(`+)|(\*+|_+|~+)|(!?\[)|(\])|[^\\`*_~!\[\]]+|.", re.DOTALL)
_SIGN = re.compile(r"[\\`*_~\[]")
_DESTINATION = re.compile(r"\((?:[^()]|\([^()]*+\))*+\)")


def plain_title(text: str) -> str:
    """Return the text of a title that is Markdown. Signs that mark nothing stay: ``snake_case``, ``3 * 4``."""
    return (Reading(text).plain() if _SIGN.search(text) else text).strip()


def as_markdown(text: str) -> str:
    """Return plain text as Markdown that reads like it, for titles that stand within a text."""
    return text if plain_title(text) == text else _SIGN.sub(r"\\\g<0>", text)


class Reading:
    """What is read so far. ``parts``: pieces of the result, and signs until they turn out to mark something."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parts: list[str] = []
        self.signs: dict[str, list[int]] = {"*": [], "_": [], "~": []}
        """Where the parts are that may begin something, the last one last."""
        self.brackets: list[int] = []
        self.ticks: dict[int, list[int]] = {}
        """Length of a run of backticks to the places of all such runs, the first one last."""
        for run in reversed(list(re.finditer("`+", text))):
            self.ticks.setdefault(len(run[0]), []).append(run.start())

    def style(self, start: int, end: int, style: Literal["bold", "italic", "strike", "code"]) -> None:
        """Take note of a style: of the parts from the first number up to the second."""

    def link(self, start: int, end: int, url: str) -> None:
        """Take note of a link."""

    def plain(self) -> str:
        at = 0
        while at < len(self.text):
            token = _TOKEN.match(self.text, at)
            assert token is not None  # a single character always matches
            escaped, ticks, sign, opens, closes = token.groups()
            at = token.end()
            if ticks:
                at = self._code(ticks, at)
            elif sign:
                self._sign(sign, token.start(), at)
            elif closes and self.brackets:
                at = self._link(at)
            else:
                if opens:
                    self.brackets.append(len(self.parts))
                self.parts.append(escaped or token[0])
        return "".join(self.parts)

    def _code(self, ticks: str, at: int) -> int:
        """Take code, and return the place behind it: it goes up to the next run of as many backticks; where there is
        none they are themselves."""
        ends = self.ticks.get(len(ticks), [])
        while ends and ends[-1] < at:
            ends.pop()
        if not ends:
            self.parts.append(ticks)
            return at
        code = self.text[at : ends[-1]]
        is_padded = code[:1] == code[-1:] == " " and not code.isspace()
        self.parts.append(code[1:-1] if is_padded else code)
        self.style(len(self.parts) - 1, len(self.parts), "code")
        return ends[-1] + len(ticks)

    def _link(self, at: int) -> int:
        """Close a bracket and return the place behind it: where an address follows, what stood in it is the text."""
        opened = self.brackets.pop()
        destination = _DESTINATION.match(self.text, at)
        if destination is None:
            self.parts.append("]")
            return at
        self.parts[opened] = ""
        self.link(opened + 1, len(self.parts), destination[0][1:-1].partition(" ")[0])
        return destination.end()

    def _sign(self, sign: str, start: int, end: int) -> None:
        before, after = self.text[start - 1 : start] or " ", self.text[end : end + 1] or " "
        may_open, may_close = _sides(sign[0], before, after)
        left = self._closed(sign) if may_close else sign
        if left and may_open:
            self.signs[sign[0]].append(len(self.parts))
        self.parts.append(left)

    def _closed(self, sign: str) -> str:
        """Return what is left of a sign that ends what such signs before it began."""
        kind = sign[0]
        begun = self.signs[kind]
        while sign and begun:
            opener = self.parts[begun[-1]]
            shared = min(len(opener), len(sign))
            self.parts[begun[-1]] = opener[shared:]
            sign = sign[shared:]
            if shared > 1 or kind == "~":
                self.style(begun[-1] + 1, len(self.parts), "strike" if kind == "~" else "bold")
            if shared != 2 and kind != "~":
                self.style(begun[-1] + 1, len(self.parts), "italic")
            if len(opener) == shared:
                begun.pop()
        return sign


def _sides(kind: str, before: str, after: str) -> tuple[bool, bool]:
    """Return whether a sign may begin and may end something, by the characters around it (CommonMark's flanking
    runs)."""
    is_left = not after.isspace() and (_is_word(after) or not _is_word(before))
    is_right = not before.isspace() and (_is_word(before) or not _is_word(after))
    if kind == "_":  # inside of a word it is a letter like any other
        return is_left and not _is_word(before), is_right and not _is_word(after)
    return is_left, is_right


def _is_word(character: str) -> bool:
    return not character.isspace() and (character.isalnum() or ord(character) > 127)
