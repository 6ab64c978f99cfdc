"""Logs in at the social network, call by call: the exchange of the code, the inspection of the token. What an answer
has to fit stands in ``auth.provider``. Both addresses are the operator's settings, so that they may be private.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from dialoom.auth.provider import (
    Asked,
    CallbackParams,
    SocialClient,
    Wrong,
    code_of,
    dialog_address,
    exchange_request,
    inspection_request,
    read_inspection,
    read_token_answer,
    social_value,
)
from dialoom.service.chat.login_values import Grant, Login
from dialoom.service.clock import Clock
from dialoom.service.login.provider_calls import Calls, failed, read

REDIRECT: Final = "The social login's redirect"
EXCHANGE: Final = "The exchange of the code"
INSPECTION: Final = "The inspection of the token"


class Social:
    """Calls the social network. Every method raises ``ProviderFailed``."""

    def __init__(self, calls: Calls, clock: Clock) -> None:
        self._calls = calls
        self._clock = clock

    def address(self, client: SocialClient, asked: Asked) -> str:
        return dialog_address(client, asked)

    async def login(self, client: SocialClient, asked: Asked, params: CallbackParams, version: str) -> Login:
        try:
            code = code_of(params)
        except Wrong as wrong:
            raise failed(REDIRECT, wrong) from wrong
        request = exchange_request(client, code, asked.redirect_uri, trusted_host=True)
        exchanged = await self._calls.call(EXCHANGE, request)
        answer = await read(EXCHANGE, partial(read_token_answer, exchanged.status, exchanged.body))
        request = inspection_request(client, answer.access_token, trusted_host=True)
        inspected = await self._calls.call(INSPECTION, request)
        now = self._clock.now() / 1000
        inspection = await read(INSPECTION, partial(read_inspection, inspected.status, inspected.body, client, now))
        # What else came with it is of no use: the network renews no token silently, and takes none back. What it does
        # take back is the user's whole consent to the app, with all their logins by it; and a token that failed its
        # inspection may be of another app, whose consent that would then be.
        return Login(social_value(answer, inspection, now), Grant(version))
