"""Serves ``/``: what runs here and where. The bots are listed for a browser of this machine alone: their names are
nobody else's to collect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from dialoom import __version__
from dialoom.flow.channels import row_of
from dialoom.http.pages.card import Button, Card, PageOwner, Row, page, policy
from dialoom.http.server.limits.client_address import is_from_this_machine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.http.server.exchange import Exchange
    from dialoom.service.bots.bots import Deployed
    from dialoom.service.service import Service

_OWNER: Final = PageOwner("en")
"""It is for developers and operators, as is the reference that it leads to."""
_REFERENCE: Final = Row("API reference", "Every address of this service, with examples", "docs")
_STUDIO: Final = Button("Open the studio", "studio")
PUBLIC: Final = Card(
    title="Dialoom runs here",
    texts=("Bots are talked to at addresses of their own. Ask whoever runs them for the right one.",),
    lists=(("For developers", (_REFERENCE,)),),
    button=_STUDIO,
)


class StartPage:
    def __init__(self, service: Service) -> None:
        self._service = service

    async def show(self, exchange: Exchange) -> None:
        exchange.query()
        is_here = self._service.settings.is_local and is_from_this_machine(exchange.scope)
        card = self._whole() if is_here else PUBLIC
        headers = {"content-security-policy": policy(card)}
        await exchange.answer(200, page(card, _OWNER).encode(), "text/html; charset=utf-8", **headers)

    def _whole(self) -> Card:
        bots = sorted(self._service.bots.all(), key=lambda deployed: deployed.bot.name.casefold())
        lists = [(deployed.bot.name, tuple(_rows(deployed))) for deployed in bots]
        running = f"Version {__version__}, with {len(bots)} {'bot' if len(bots) == 1 else 'bots'}."
        return Card(
            title="Dialoom runs here",
            texts=(running if bots else f"Version {__version__}, without a bot yet: dialoom init makes one.",),
            lists=(*lists, ("For developers", (_REFERENCE,))),
            button=_STUDIO,
        )


def _rows(deployed: Deployed) -> Iterator[Row]:
    """Yield a row for each channel, in the order of ``bot.json``: a link where it is a page."""
    for channel in deployed.bot.channels:
        row = row_of(channel)
        title = channel.name or row.shown_as
        closed = deployed.closed.get(channel.id)
        if closed is not None:
            yield Row(title, f"Closed: {closed}")
        elif row.caller == "page":
            address = f"chat/{quote(deployed.bot.id, safe='')}/{quote(channel.id, safe='')}"
            yield Row(title, f"/{address}", address)
        else:
            yield Row(title, f"/v1/bots/{deployed.bot.id}/channels/{channel.id}/{row.address or channel.type}")
