"""The text of a pattern with the place that is read, and the two refusals that name it. Knows no syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.query.refusal import refuse

if TYPE_CHECKING:
    import re

    from dialoom.errors import QueryError


class Source:
    def __init__(self, text: str, pointer: str) -> None:
        self.text = text
        self.at = 0
        self._pointer = pointer

    def peek(self) -> str:
        """The next character; nothing at the end."""
        return self.text[self.at : self.at + 1]

    def take(self) -> str:
        taken = self.peek()
        self.at += len(taken)
        return taken

    def takes(self, word: str) -> bool:
        """Whether the word stands next; then it is taken."""
        if not self.text.startswith(word, self.at):
            return False
        self.at += len(word)
        return True

    def match(self, form: re.Pattern[str]) -> re.Match[str] | None:
        """What stands next in this form; then it is taken."""
        found = form.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def bad(self, what: str, at: int | None = None) -> QueryError:
        place = self.at if at is None else at
        return refuse("bad-regex", f"The regular expression is wrong at character {place + 1}: {what}.", self._pointer)

    def not_linear(self, what: str, instead: str = "", at: int | None = None) -> QueryError:
        place = self.at if at is None else at
        used = f"At character {place + 1} the regular expression uses {what}"
        detail = f"{used}, which cannot be searched in linear time. {instead}".rstrip()
        return refuse("regex-not-linear", detail, self._pointer)

    def too_large(self, what: str) -> QueryError:
        return refuse("regex-too-large", what, self._pointer)
