"""The parser of the command line: for a mistyped command, option or value it names the one that was meant."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from typing import NoReturn

_CHOICE = re.compile(r"(?:argument ([^:]*): )?invalid choice: '([^']*)' \(choose from (.*)\)", re.DOTALL)
_UNKNOWN = re.compile(r"unrecognized arguments: (.*)", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """Parses as ``ArgumentParser`` does, and says more of what it does not know."""

    def error(self, message: str) -> NoReturn:
        super().error(self._choice(message) or self._option(message) or message)

    def _choice(self, message: str) -> str | None:
        found = _CHOICE.match(message)
        if found is None:
            return None
        what, word, allowed = found.groups()
        meant = _nearest(word, re.findall(r"[\w./-]+", allowed))
        if meant is None:
            return None
        where = f"{what}: " if what and what.startswith("-") else ""
        return f'{where}there is no "{word}". Did you mean "{meant}"? See: {self.prog} --help'

    def _option(self, message: str) -> str | None:
        found = _UNKNOWN.match(message)
        words = [word.partition("=")[0] for word in found[1].split()] if found else []
        word = next((word for word in words if word.startswith("-")), None)
        if word is None:
            return None
        if word in self._option_string_actions:
            return f"{word} goes before the command: {self.prog} {word} ... COMMAND"
        meant = _nearest(word, {option for parser in parsers_of(self) for option in parser._option_string_actions})
        return None if meant is None else f"there is no option {word} here. Did you mean {meant}?"


def parsers_of(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from parsers_of(inner)


def _nearest(word: str, names: Iterable[str]) -> str | None:
    from dialoom.flow.finding import nearest  # only where something is wrong: it imports a good deal

    return nearest(word, names)
