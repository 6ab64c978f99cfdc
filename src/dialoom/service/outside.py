"""Outside calls of turns: credentials put in, the time that all calls of a turn share held."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING

import msgspec

from dialoom.engine.events import NoResponse, Response
from dialoom.errors import SettingError
from dialoom.flow.model import BasicCredential, BearerCredential

if TYPE_CHECKING:
    from dialoom.data.fetcher import Fetcher
    from dialoom.engine.effects import Request
    from dialoom.flow.model import Bot, Credential
    from dialoom.service.bots import Bots


def _is_under(url: str, prefix: str) -> bool:
    """A prefix ends at a boundary: ``https://api.example`` is none of ``https://api.example.evil``."""
    rest = url.removeprefix(prefix)
    return rest != url and (prefix.endswith("/") or rest[:1] in {"", "/", "?", "#"})


class Outside:
    def __init__(self, fetcher: Fetcher, bots: Bots, seconds_per_turn: float) -> None:
        self._fetcher = fetcher
        self._bots = bots
        self._seconds = seconds_per_turn

    def deadline(self) -> float:
        """When the outside calls of a turn that begins its first one now must all be done (loop time)."""
        return asyncio.get_running_loop().time() + self._seconds

    async def call(self, bot: Bot, request: Request, deadline: float) -> Response | NoResponse:
        left = deadline - asyncio.get_running_loop().time()
        if left <= 0:
            return NoResponse(
                "turn-deadline",
                f"The outside calls of one turn share {self._seconds:g} s, which are used up. Call less in one turn.",
            )
        try:
            request, secrets = self._with_credentials(bot, request)
        except SettingError as error:
            return NoResponse("credential", str(error))
        if request.timeout > left:
            request = msgspec.structs.replace(request, timeout=left)
        return await self._fetcher.fetch(request, secrets=secrets)

    def _with_credentials(self, bot: Bot, request: Request) -> tuple[Request, dict[str, str]]:
        credential = self._credential(bot, request)
        named = credential is not None or bool(request.secret_headers)
        prefix = credential.url_prefix if credential is not None else None
        if named and not request.trusted_host and not (prefix and _is_under(request.url, prefix)):
            raise SettingError(
                "A secret goes only to a host that stands literally in the endpoint, or under its credential's "
                "url-prefix. Write the host out, or give the credential a url-prefix."
            )
        secrets = {variable: self._bots.variable(variable) for _, variable in request.secret_headers}
        if credential is not None and not any(name.lower() == "authorization" for name, _ in request.headers):
            header = ("Authorization", self._authorization(credential))
            request = msgspec.structs.replace(request, headers=(*request.headers, header))
        return request, secrets

    def _credential(self, bot: Bot, request: Request) -> Credential | None:
        if request.credential is not None:
            return bot.file.credentials.get(request.credential)
        for credential in bot.file.credentials.values():
            if credential.url_prefix and request.trusted_host and _is_under(request.url, credential.url_prefix):
                return credential
        return None

    def _authorization(self, credential: Credential) -> str:
        if isinstance(credential, BasicCredential):
            pair = f"{self._bots.secret(credential.username)}:{self._bots.secret(credential.password)}"
            return "Basic " + base64.b64encode(pair.encode()).decode()
        if isinstance(credential, BearerCredential):
            return "Bearer " + self._bots.secret(credential.token)
        raise SettingError("Client certificates cannot be used yet. Use a basic or bearer credential.")
