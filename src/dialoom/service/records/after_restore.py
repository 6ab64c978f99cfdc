"""Ends access that a restored backup may have brought back: revoked tokens, ended sessions and used links.

A restored database cannot tell which these are, so all are ended that could be among them. Public tokens of web and
mobile channels stay, as do the tokens of ``bot.json``, which each start reads again, and the sessions of chats, which
only expire.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from dialoom.flow.channels import row_of
from dialoom.service.access.tokens import FIRST_ID, GIVEN_ID, Tokens
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.bots.preflight import tokens_of
from dialoom.service.clock import Clock
from dialoom.storage.store import LINKS_ENDED, Store, TokenRow

if TYPE_CHECKING:
    from dialoom.service.access.studio_sign_in import StudioSignIn

_EVER: Final = 2**62
"""Later than every time in milliseconds."""


class Ended(msgspec.Struct, frozen=True):
    """Counts what was ended."""

    revoked: tuple[TokenRow, ...]
    """Tokens that were valid and are revoked."""
    made: tuple[TokenRow, ...]
    """Their replacements, so that each bot and channel has one."""
    kept: tuple[TokenRow, ...]
    """Public tokens, which stay valid."""
    studio: int
    """Sessions and unused links of the studio."""
    logins: int
    """Login links whose page was opened, with the codes that they waited for. Unopened ones end too."""


async def end_restored_access(store: Store, bots: Bots, tokens: Tokens, studio: StudioSignIn, clock: Clock) -> Ended:
    """Revoke tokens, end sessions and links. ``bots`` has loaded the active versions. Running it again also ends what
    was made since."""
    await store.set_mark(LINKS_ENDED, clock.now())
    logins, revoked, kept, made = 0, [], [], []
    for bot in await store.bots():
        logins += await store.forget_logins(bot, _EVER)
        deployed = bots.active(bot)
        for row in await tokens.list(bot):
            if row.revoked_at is not None or row.id.partition(":")[0] == GIVEN_ID:
                continue
            if _is_public(row, deployed):
                kept.append(row)
            elif await tokens.revoke(bot, row.id):
                revoked.append(row)
        made += await _make_missing(tokens, deployed)
    return Ended(tuple(revoked), tuple(made), tuple(kept), await studio.sign_all_out(), logins)


def _is_public(row: TokenRow, deployed: Deployed | None) -> bool:
    channel = None if deployed is None or row.channel is None else deployed.channel(row.channel)
    return channel is not None and row_of(channel).caller == "page"


async def _make_missing(tokens: Tokens, deployed: Deployed | None) -> list[TokenRow]:
    """Make a token for each bot and channel without one, which a running service does only at a publish or a start."""
    made: list[TokenRow] = []
    if deployed is None:
        return made
    live = {(row.kind, row.channel) for row in await tokens.list(deployed.bot.id) if row.revoked_at is None}
    for kind, channel, given in tokens_of(deployed.bot):
        if given is None and (kind, channel) not in live:
            id = FIRST_ID if channel is None else f"{FIRST_ID}:{channel}"
            first = await tokens.keep_first(
                deployed.bot.id, id, kind=kind, channel=channel, name="made after a restore"
            )
            made += [] if first is None else [first.row]
    return made
