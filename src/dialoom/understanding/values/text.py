"""Text: the whole message without the white space around it. That only an open question takes it, the engine knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.understanding.candidate import Stretch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.understanding.values.message import Message


class TextReader:
    """Any text that is not blank."""

    def find(self, said: Message) -> Iterator[Stretch]:
        text = said.text.strip()
        if text:
            start = len(said.text) - len(said.text.lstrip())
            yield Stretch(start, start + len(text), text)
