"""The picture of a flow in Mermaid's words, for pages and repositories that draw those."""

from __future__ import annotations

from dialoom.flow.model import Bot
from dialoom.flow.picture.boxes import Row, boxes


def mermaid(bot: Bot) -> str:
    drawn = boxes(bot)
    numbers = {box.key: number for number, box in enumerate(drawn)}
    lines = ["flowchart TB"]
    for number, box in enumerate(drawn):
        title = f"{box.title}: {box.note}" if box.note else box.title
        lines.append(f'  subgraph c{number}["{_text(title)}"]')
        lines += [f'    s{number}_{index}["{_text(_row(row))}"]' for index, row in enumerate(box.rows)]
        if not box.rows:
            lines.append(f'    s{number}_0["(no steps)"]')
        steps = [f"s{number}_{index}" for index in range(len(box.rows))]
        if len(steps) > 1:
            lines.append(f"    {' --- '.join(steps)}")
        lines.append("  end")
    for number, box in enumerate(drawn):
        for index, row in enumerate(box.rows):
            if row.jump in numbers:
                lines.append(f"  s{number}_{index} --> c{numbers[row.jump]}")
    return "\n".join(lines) + "\n"


def _row(row: Row) -> str:
    parts = [f"{row.kind} {row.text}"]
    if row.is_protected:
        parts.append("(protected)")
    if row.condition:
        parts.append(f"if {row.condition}")
    if row.note:
        parts.append(f"Note: {row.note}")
    return " · ".join(parts)


def _text(text: str) -> str:
    """Escape a text by HTML's entities, which Mermaid reads: nothing else escapes a quote."""
    for sign, name in (("&", "&amp;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;"), ("#", "&num;")):
        text = text.replace(sign, name)
    return text.replace("\n", " ")
