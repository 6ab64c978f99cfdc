"""The picture of a flow as SVG: goals on top, support below, steps as rows, arrows only where the flow really jumps.

One file without script, fonts or addresses; light and dark by the reader's own setting.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from dialoom.flow.model import Bot
from dialoom.flow.picture.boxes import Box, Row, boxes

WIDTH, GAP, EDGE = 380, 72, 32
HEAD, ROW, LINE, PAD = 44, 28, 18, 10
MAX_COLUMNS = 4
SECTION = 36
"""Height of the line that names what follows."""
_MAX_CHARS = {"title": 40, "row": 36, "small": 41, "note": 50}
"""Characters that fit into a box at the size of each; the whole text stands in the element's title."""

_STYLE = """
svg {
  --ground: #fff; --box: #fff; --line: #d7dbe3; --head: #f4f6fa; --goal: #e8eefc; --text: #1a2030;
  --quiet: #5b6478; --jump: #3157c8; --note: #fff6d8; --noted: #6b5300;
}
@media (prefers-color-scheme: dark) {
  svg {
    --ground: #12151c; --box: #1a1e28; --line: #343b4a; --head: #222836; --goal: #22305a; --text: #eceff6;
    --quiet: #a3adc2; --jump: #8fabff; --note: #3a3316; --noted: #f0dc96;
  }
}
text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--text) }
.title { font-weight: 600; font-size: 14px }
.kind, .small, .section { fill: var(--quiet) }
.small { font-size: 11.5px }
.section { font-size: 12px; font-weight: 600; letter-spacing: .04em }
.note { font-size: 11.5px; fill: var(--noted) }
.box { fill: var(--box); stroke: var(--line) }
.head { fill: var(--head) }
.goal { fill: var(--goal) }
.paper { fill: var(--note) }
.jump { fill: none; stroke: var(--jump); stroke-width: 1.5 }
.tip { fill: var(--jump) }
"""


class Placed(NamedTuple):
    box: Box
    x: int
    y: int
    height: int


def svg(bot: Bot) -> str:
    drawn = boxes(bot)
    goals = [box for box in drawn if box.is_goal]
    support = [box for box in drawn if not box.is_goal]
    columns = max(1, min(MAX_COLUMNS, math.ceil(math.sqrt(max(len(goals), len(support), 1)))))
    width = 2 * EDGE + columns * WIDTH + (columns - 1) * GAP + GAP // 2
    parts: list[str] = []
    placed: dict[str, Placed] = {}
    bottom = EDGE + 28
    for name, group in (("Goals", goals), ("Support", support)):
        if not group:
            continue
        parts.append(f'<text class="section" x="{EDGE}" y="{bottom + 12}">{name}</text>')
        here = _place(group, columns, bottom + SECTION - 8)
        placed |= {one.box.key: one for one in here}
        bottom = max(one.y + one.height for one in here) + SECTION
    parts += [line for one in placed.values() for line in _box(one)]
    parts += [line for one in placed.values() for line in _jumps(one, placed)]
    name = escape(bot.name)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{_attribute(bot.name)}" '
        f'viewBox="0 0 {width} {bottom}" width="{width}" height="{bottom}">'
    )
    tip = (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>'
    )
    ground = f'<rect width="{width}" height="{bottom}" fill="var(--ground)"/>'
    title = f'<text class="title" x="{EDGE}" y="{EDGE + 6}">{name}</text>'
    return "\n".join([head, f"<style>{_STYLE}</style>", tip, ground, title, *parts, "</svg>"]) + "\n"


def _place(group: Sequence[Box], columns: int, top: int) -> list[Placed]:
    """Put each box into the column that is shortest so far."""
    bottoms = [top] * columns
    placed = []
    for box in group:
        column = bottoms.index(min(bottoms))
        height = _height(box)
        placed.append(Placed(box, EDGE + column * (WIDTH + GAP), bottoms[column], height))
        bottoms[column] += height + 28
    return placed


def _height(box: Box) -> int:
    return HEAD + (LINE + 6 if box.note else 0) + sum(_row_height(row) for row in box.rows) + PAD


def _row_height(row: Row) -> int:
    return ROW + (LINE if row.condition else 0) + (LINE + 6 if row.note else 0)


def _box(placed: Placed) -> Iterator[str]:
    box, x, y, height = placed
    yield f"<g><title>{escape(box.title)} ({escape(box.key)})</title>"
    yield f'<rect class="box" x="{x}" y="{y}" width="{WIDTH}" height="{height}" rx="10"/>'
    head = "head goal" if box.is_goal else "head"
    corner = "a9.5 9.5 0 0 1 9.5"
    path = f"M{x + 0.5} {y + HEAD - 6}v{16 - HEAD}{corner}-9.5h{WIDTH - 20}{corner} 9.5v{HEAD - 16}z"
    yield f'<path class="{head}" d="{path}"/>'
    yield f'<text class="title" x="{x + 14}" y="{y + 25}">{_cut(box.title, "title")}</text></g>'
    at = y + HEAD
    if box.note:
        yield from _note(box.note, x, at)
        at += LINE + 6
    for row in box.rows:
        yield from _row(row, x, at)
        at += _row_height(row)


def _row(row: Row, x: int, y: int) -> Iterator[str]:
    lock = "🔒 " if row.is_protected else ""
    yield f"<g><title>{escape(f'{row.kind} {row.text}')}</title>"
    yield f'<text class="kind" x="{x + 14}" y="{y + 18}">{row.kind}</text>'
    yield f'<text x="{x + 70}" y="{y + 18}">{lock}{_cut(row.text, "row")}</text></g>'
    y += ROW
    if row.condition:
        yield f"<g><title>{escape(row.condition)}</title>"
        yield f'<text class="small" x="{x + 70}" y="{y + 8}">if {_cut(row.condition, "small")}</text></g>'
        y += LINE
    if row.note:
        yield from _note(row.note, x, y)


def _note(note: str, x: int, y: int) -> Iterator[str]:
    yield f"<g><title>{escape(note)}</title>"
    yield f'<rect class="paper" x="{x + 8}" y="{y - 4}" width="{WIDTH - 16}" height="{LINE + 4}" rx="4"/>'
    yield f'<text class="note" x="{x + 14}" y="{y + 11}">{_cut(note, "note")}</text></g>'


def _jumps(placed: Placed, all_placed: dict[str, Placed]) -> Iterator[str]:
    at = placed.y + HEAD + (LINE + 6 if placed.box.note else 0)
    for row in placed.box.rows:
        target = all_placed.get(row.jump or "")
        if target is not None:
            yield f'<path class="jump" marker-end="url(#tip)" d="{_curve(placed.x, at + 14, target)}"/>'
        at += _row_height(row)


def _curve(x: int, y: int, target: Placed) -> str:
    """Return the path from the row's edge to the head of the other box, through the gap between columns."""
    to = target.y + HEAD // 2 - 3
    if target.x > x:
        start, end, bend = x + WIDTH, target.x, 36
        return f"M{start} {y}C{start + bend} {y} {end - bend} {to} {end - 2} {to}"
    if target.x < x:
        start, end, bend = x, target.x + WIDTH, 36
        return f"M{start} {y}C{start - bend} {y} {end + bend} {to} {end + 2} {to}"
    edge = x + WIDTH
    return f"M{edge} {y}C{edge + 44} {y} {edge + 44} {to} {edge + 2} {to}"


def _cut(text: str, size: str) -> str:
    most = _MAX_CHARS[size]
    return escape(text if len(text) <= most else text[: most - 1].rstrip() + "…")


def _attribute(text: str) -> str:
    return escape(text, {'"': "&quot;"})
