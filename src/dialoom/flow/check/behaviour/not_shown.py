"""Checks for pictures that one of the bot's channels has no place for; which, says its row (``flow.channels``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dialoom.flow.check.known import Known
from dialoom.flow.finding import Fault
from dialoom.flow.pieces import Piece


def left_out(display: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a display whose options, or a login whose card, have what a channel does not show."""
    kind = display.text("type") or ""
    channels = [row.type for row in known.channel_rows if kind in row.without_images]
    path = _place_of_image(display.value)
    if channels and path is not None:
        what = "picture of the card is" if kind == "login" else "pictures of the options are"
        message = f"The {what} not shown on {' and '.join(channels)}. See that the texts say all that is needed."
        yield Fault(path=display.at(*path), message=message)


def _place_of_image(display: dict[str, Any]) -> tuple[str | int, ...] | None:
    template, data = display.get("template"), display.get("data")
    if isinstance(template, dict):
        return ("template", "image") if template.get("image") else None
    for index, option in enumerate(data if isinstance(data, list) else ()):
        if isinstance(option, dict) and option.get("image"):
            return ("data", index, "image")
    return None
