"""The table of channels in the docs says what their rows say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.flow.channels import CHANNEL_ROWS
from tests.docs.pages import DOCS

if TYPE_CHECKING:
    from dialoom.flow.channels import ChannelRow

PAGE = (DOCS / "channels.md").read_text("utf-8")


def line(row: ChannelRow) -> str:
    """The row of a channel as a line of the table."""
    less = ", ".join(f"`{display}` {shown.replace('-', ' ')}" for display, shown in row.displays.items())
    limits = {"characters": row.max_text_chars, "buttons": row.max_buttons}
    held = ", ".join(f"{most:,} {what}" for what, most in limits.items() if most is not None) or "any"
    back = "the author's address" if row.has_token else f"`{row.way_back}`" if row.way_back else "by hand"
    return f"| `{row.type}` | {row.shown_as} | {row.caller} | {less or 'all natively'} | {held} | `{row.binding}` | {back} |"


def test_every_channel_is_a_line_of_the_table() -> None:
    lines = [line(row) for row in CHANNEL_ROWS.values()]
    assert [one for one in lines if one not in PAGE] == [], "\n".join(lines)


def test_what_users_do_has_a_column_for_each_platform() -> None:
    section = PAGE.partition("## What users do, and what comes of it")[2].partition("## Rest")[0]
    [head] = [line for line in section.splitlines() if line.startswith("| |")]
    platforms = {row.type for row in CHANNEL_ROWS.values() if row.caller == "platform"}
    assert set(head.replace("`", "").replace(" ", "").strip("|").split("|")) == platforms
    others = [row.type for row in CHANNEL_ROWS.values() if row.caller != "platform"]
    assert [type for type in others if f"`{type}`" not in section] == []
