"""The provider's side of a login over real sockets, as the pages use it: an address, then what the browser brings back."""

from __future__ import annotations

import contextlib
import functools
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tests.service.login.misbehaving import CLIENT, REDIRECT, SECRET

from dialoom.auth.provider import read_callback
from dialoom.data import Egress, HttpFetcher
from dialoom.data.fetcher import NO_SECRETS
from dialoom.engine.events import Response
from dialoom.flow import read_files
from dialoom.messages import Profile
from dialoom.service.bots.bots import deploy
from dialoom.service.chat.login_values import LinkInfo
from dialoom.service.login.links import Opened
from dialoom.service.login.provider_calls import MAX_BODY_BYTES
from dialoom.service.login.providers import Providers, SocialPlaces
from dialoom.service.observe.instruments import Counts
from dialoom.storage.store import ChatKey, LoginRow
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from tests.service.login.misbehaving import Provider

    from dialoom.data.fetcher import Fetcher
    from dialoom.data.identity import Identity
    from dialoom.engine.effects import Request
    from dialoom.engine.events import NoResponse
    from dialoom.service.bots.bots import Deployed
    from dialoom.service.chat.login_values import Login

BASE = REDIRECT.removesuffix("/v1/account-linking")
STATE = "the-state-of-the-link"
NONCE = "nonce-0123456789"
VERIFIER = "verifier-0123456789-0123456789-0123456789-0123456789"
SECRETS = (SECRET, NONCE, VERIFIER, STATE, "the-code-of-the-login", "the-access-token", "the-refresh-token")
"""What no sentence may hold."""


def authentication(**blocks: Any) -> dict[str, Any]:
    return {
        "entity": "auth",
        "messages": ["Please log in."],
        "acknowledgements": ["Thank you."],
        "display": {"type": "login", "template": {"title": "Log in"}},
        **blocks,
    }


def oidc(issuer: str, **more: Any) -> dict[str, Any]:
    return authentication(oidc={"issuer": issuer, "client-id": CLIENT, "client-secret": SECRET, **more})


@functools.cache
def _deployed(flow: str) -> Deployed:
    return deploy(read_files({"bot.json": json.dumps({"id": "bank"}), "flow.json": flow}))


def compiled_bot(settings: dict[str, Any]) -> Deployed:
    """Return a compiled bot with this ``authentication``."""
    flow = {
        "conversations": {"help": {"type": "support", "steps": [{"type": "message", "messages": ["Hello."]}]}},
        "settings": {"authentication": settings},
    }
    # Reading and compiling a bot is nothing for an event loop; here it may wait.
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(_deployed, json.dumps(flow)).result()


def opened(settings: dict[str, Any]) -> Opened:
    bot = compiled_bot(settings)
    key, about = ChatKey("bank", "rest", "ada"), LinkInfo(bot.version, NONCE, VERIFIER, tied_by="off")
    channel, found = bot.channel("rest"), bot.bot.flow.settings.authentication
    assert channel is not None
    assert found is not None
    return Opened(
        key=key,
        link="link",
        row=LoginRow(key, "link", b"sealed", 0),
        about=about,
        deployed=bot,
        channel=channel,
        authentication=found,
        rule="off",
        profile=Profile(id="ada", channel="rest", provider="rest"),
        state=STATE,
    )


@contextlib.asynccontextmanager
async def providers(
    clock: MovedClock,
    fetcher: Fetcher | None = None,
    *,
    seconds: float = 5.0,
    in_all: float = 6.0,
    egress: Egress | None = None,
    places: SocialPlaces | None = None,
    counted: Counts | None = None,
) -> AsyncIterator[Providers]:
    """Return the providers' side. ``counted``: counts revoked tokens."""
    egress = egress or Egress(allow_private=True)
    made = Providers(
        fetcher or HttpFetcher(egress, body_limit=MAX_BODY_BYTES),
        egress,
        lambda _, secret: str(secret),
        clock,
        BASE,
        places or SocialPlaces("https://social.example/dialog", "https://graph.social.example"),
        counted or Counts("tokens_taken_back", "", "bot", "outcome"),
        call_seconds=seconds,
        login_seconds=in_all,
    )
    try:
        yield made
    finally:
        await made.close()


class Answers:
    """Answers requests by the ends of their paths, and with ``other`` at all others."""

    def __init__(self, bodies: Mapping[str, bytes], other: bytes, status: int) -> None:
        self._bodies = bodies
        self._other = other
        self._status = status

    async def fetch(
        self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS, identity: Identity | None = None
    ) -> Response | NoResponse:
        for end, body in self._bodies.items():
            if urlsplit(request.url).path.endswith(end):
                return Response(status=200, body=body)
        return Response(status=self._status, body=self._other)

    async def close(self) -> None:
        """Nothing is open."""


async def log_in(there: Provider, made: Providers, link: Opened) -> Login:
    """Do all of a login, as a browser and the pages do it together."""
    params = there.authorize(await made.address(link))
    return await made.login(link, read_callback(params))
