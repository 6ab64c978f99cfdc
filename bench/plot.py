"""Small line charts in one SVG file, in light and dark, without a library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

import msgspec

WIDTH, HEIGHT = 380, 150
"""Of one chart."""
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 44, 24
COLUMNS = 2
HEAD = 58
TICKS = 4

STYLE = """
svg { --ground: #fff; --text: #1a2030; --quiet: #5b6478; --line: #d7dbe3; --a: #3157c8; --b: #b4471f; --c: #1f7a4d }
@media (prefers-color-scheme: dark) {
  svg { --ground: #12151c; --text: #eceff6; --quiet: #a3adc2; --line: #343b4a }
  svg { --a: #8fabff; --b: #ff9b6e; --c: #6fd3a0 }
}
text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--quiet) }
.title { font-size: 16px; font-weight: 600; fill: var(--text) }
.name { font-weight: 600; fill: var(--text) }
.ground { fill: var(--ground) }
.grid { stroke: var(--line) }
.right { text-anchor: end }
.middle { text-anchor: middle }
polyline { fill: none; stroke-width: 1.5; stroke-linejoin: round }
.a { stroke: var(--a) } .b { stroke: var(--b) } .c { stroke: var(--c) }
text.a { fill: var(--a); stroke: none } text.b { fill: var(--b); stroke: none } text.c { fill: var(--c); stroke: none }
"""


class Chart(msgspec.Struct, frozen=True):
    """``lines``: name to its values; at most three."""

    name: str
    unit: str
    lines: Mapping[str, Sequence[float]]


def svg(title: str, about: str, minutes: Sequence[float], charts: Sequence[Chart]) -> str:
    rows = math.ceil(len(charts) / COLUMNS)
    width, height = COLUMNS * WIDTH, HEAD + rows * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{width}" height="{height}"/>',
        f'<text class="title" x="16" y="26">{escape(title)}</text>',
        f'<text x="16" y="46">{escape(about)}</text>',
    ]
    for place, chart in enumerate(charts):
        x, y = place % COLUMNS * WIDTH, HEAD + place // COLUMNS * HEIGHT
        parts += [f'<g transform="translate({x} {y})">', *_chart(chart, minutes), "</g>"]
    return "\n".join([*parts, "</svg>\n"])


def _chart(chart: Chart, minutes: Sequence[float]) -> list[str]:
    inner, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    step = _step(max(max(values) for values in chart.lines.values()) / TICKS)
    top = step * TICKS
    unit = f'<tspan font-weight="400"> {escape(chart.unit)}</tspan>'
    parts = [f'<text class="name" x="16" y="16">{escape(chart.name)}{unit}</text>']
    x = 16
    for colour, name in zip("abc", chart.lines, strict=False):
        if len(chart.lines) > 1:
            parts.append(f'<text class="{colour}" x="{x}" y="33">{escape(name)}</text>')
            x += 7 * len(name) + 18
    for tick in range(0, TICKS + 1, 2):
        y = TOP + tall - tall * tick / TICKS
        parts += [
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>',
            f'<text class="right" x="{LEFT - 6}" y="{y + 4:.1f}">{step * tick:g}</text>',
        ]
    last = max(minutes) or 1.0
    for colour, values in zip("abc", chart.lines.values(), strict=False):
        points = " ".join(
            f"{LEFT + inner * minute / last:.1f},{TOP + tall - tall * value / top:.1f}"
            for minute, value in zip(minutes, values, strict=True)
        )
        parts.append(f'<polyline class="{colour}" points="{points}"/>')
    for part in (0, 1):
        anchor = "right" if part else "left"
        label = f"{last:.0f} min" if part else "0"
        parts.append(f'<text class="{anchor}" x="{LEFT + inner * part}" y="{HEIGHT - 8}">{label}</text>')
    return parts


def _step(least: float) -> float:
    """The next round number: 1, 2, 2.5 or 5 times a power of ten."""
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= least)
