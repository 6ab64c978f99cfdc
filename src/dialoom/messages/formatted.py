"""Markdown of one message as runs of text with their styles, for channels whose formatting has other signs.

Inline Markdown as ``plain`` reads it; a heading is bold, and all other lines stay as they are.
"""

from __future__ import annotations

import html
import itertools
import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

from dialoom.messages.plain import Reading

Style = Literal["bold", "italic", "strike", "code"]
_HEADING = re.compile(r" {0,3}#{1,6} +(?=\S)")


class Run(NamedTuple):
    """A piece of a text whose characters look alike. ``url``: where a link leads; empty for no link."""

    text: str
    styles: frozenset[Style] = frozenset()
    url: str = ""


def runs(text: str) -> list[Run]:
    """Return the runs of a text, in order; joined they read as the text without its signs."""
    found: list[Run] = []
    for number, line in enumerate(text.split("\n")):
        if number:
            found.append(Run("\n"))
        heading = _HEADING.match(line)
        found += _StyledReading(line if heading is None else f"**{line[heading.end() :].strip('# ')}**").runs()
    return found


def to_html(text: str) -> str:
    """Return a text as HTML with ``b``, ``i``, ``s``, ``code`` and ``a`` alone, each closed where it was opened."""
    return "".join(map(_html, runs(text)))


def to_signs(text: str, signs: Mapping[Style, str]) -> str:
    """Return a text with a platform's signs around what is styled (``{"bold": "*"}``), and the address behind the text
    of each link. Signs stand next to words: those beside a blank mark nothing."""
    found: list[str] = []
    for url, linked in itertools.groupby(runs(text), lambda run: run.url):
        shown = "".join(_signed(run, signs) for run in linked)
        is_told = not url or url.partition(":")[2].removeprefix("//") in shown
        found.append(shown if is_told else f"{shown} ({url})")
    return "".join(found)


def _signed(run: Run, signs: Mapping[Style, str]) -> str:
    core = run.text.strip()
    if not core:
        return run.text
    before, behind = run.text.split(core, 1)
    for style, sign in signs.items():
        if style in run.styles:
            core = f"{sign}{core}{sign}"
    return f"{before}{core}{behind}"


_TAGS: dict[Style, str] = {"bold": "b", "italic": "i", "strike": "s", "code": "code"}


def _html(run: Run) -> str:
    said = html.escape(run.text, quote=False)
    if not run.text.strip():
        return said
    for style, tag in _TAGS.items():
        if style in run.styles:
            said = f"<{tag}>{said}</{tag}>"
    return f'<a href="{html.escape(run.url)}">{said}</a>' if run.url else said


class _StyledReading(Reading):
    """Notes from which part to which a style or a link reaches."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.begin: dict[int, list[Style]] = {}
        self.end: dict[int, list[Style]] = {}
        self.links: list[tuple[int, int, str]] = []

    def style(self, start: int, end: int, style: Style) -> None:
        self.begin.setdefault(start, []).append(style)
        self.end.setdefault(end, []).append(style)

    def link(self, start: int, end: int, url: str) -> None:
        self.links.append((start, end, url))

    def runs(self) -> list[Run]:
        self.plain()
        urls = [""] * len(self.parts)
        reached = 0
        for start, end, url in self.links:
            # Links do not nest: the inner one ends first, and the outer one is text there.
            if start >= reached and url.lower().startswith(("http://", "https://", "mailto:", "tel:")):
                urls[start:end] = [url] * (end - start)
                reached = end
        styles: Counter[Style] = Counter()
        found: list[tuple[list[str], frozenset[Style], str]] = []
        for number, part in enumerate(self.parts):
            styles.subtract(self.end.get(number, ()))
            styles.update(self.begin.get(number, ()))
            if not part:
                continue
            looks = frozenset(style for style, count in styles.items() if count > 0)
            if found and found[-1][1:] == (looks, urls[number]):
                found[-1][0].append(part)
            else:
                found.append(([part], looks, urls[number]))
        return [Run("".join(texts), looks, url) for texts, looks, url in found]
