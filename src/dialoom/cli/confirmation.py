"""Asks whoever sits at the terminal before something that cannot be undone."""

from __future__ import annotations

import sys

from dialoom.errors import SettingError


def confirmed(question: str) -> bool:
    """Raises ``SettingError`` where there is no terminal."""
    if not sys.stdin.isatty():
        raise SettingError("There is nobody to ask: say --yes to do it without being asked.")
    print(f"{question} There is no way back.", file=sys.stderr)
    return input("Type yes: ").strip().lower() == "yes"
