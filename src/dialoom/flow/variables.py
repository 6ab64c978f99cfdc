"""Which environment variables a bot may name as its secrets (flow-language.md section 1)."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

BEGIN = "BOT_"
_is_variable = re.compile(r"BOT_[A-Za-z0-9_]+").fullmatch


class Variables(msgspec.Struct, frozen=True):
    """``listed`` are open besides those that begin with ``BOT_``.

    With ``rows`` no bot may name the variables of another: a bot has those that begin with its own id, and those of its
    row. ``bots`` are the ids of all bots there are, since the longest id that fits a name owns it.
    """

    listed: frozenset[str] = frozenset()
    rows: Mapping[str, frozenset[str]] | None = None
    bots: frozenset[str] = frozenset()

    def are_open_to(self, bot: str, name: str) -> bool:
        """Return whether the bot with this id may name the variable."""
        if self.rows is None:
            return _is_variable(name) is not None or name in self.listed
        if name in self.rows.get(bot, ()):
            return True
        # Two ids that differ in "-" and "_" only would have each other's: then the name belongs to neither.
        own = prefix_of(bot)
        rivals = (prefix_of(other) for other in {*self.bots, *self.rows} - {bot})
        return _begins(name, own) and not any(len(other) >= len(own) and _begins(name, other) for other in rivals)

    def would_take(self, newcomer: str, bot: str, name: str) -> bool:
        """Return whether the name is open to ``bot``, and would not be beside a bot with the id ``newcomer``."""
        if self.rows is None or newcomer == bot:
            return False
        before = msgspec.structs.replace(self, bots=self.bots - {newcomer})
        after = msgspec.structs.replace(self, bots=self.bots | {newcomer})
        return before.are_open_to(bot, name) and not after.are_open_to(bot, name)

    def advice(self, bot: str) -> str:
        """Return a sentence on how to open a variable to the bot."""
        if self.rows is None:
            return f'Begin its name with "{BEGIN}", or list it in the setting BOT_ENV.'
        return (
            f'Begin its name with "{prefix_of(bot)}_", as no other bot\'s does, or list it in the row of "{bot}" of '
            f"the setting BOT_ENV."
        )


def prefix_of(bot: str) -> str:
    """Return ``BOT_TEA_SHOP`` for the bot ``tea-shop``; no variable's name holds ``-`` or a dot."""
    return BEGIN + bot.upper().replace("-", "_").replace(".", "_")


def _begins(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + "_")
