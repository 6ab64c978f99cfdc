"""Health checks are answered also when all connections are taken."""

from __future__ import annotations

import json

import pytest
from tests.http.raw import Clock, EachAddress, listening

from dialoom.http.server.limits.client_address import ConnectionsPerAddress
from dialoom.http.server.limits.connection_limits import Limits
from dialoom.http.server.limits.health_reserve import HealthReserve

LIMITS = Limits(connections=2, min_connections_per_address=2, linger_seconds=0.1)
CHECK = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.mark.parametrize("path", [b"/healthz", b"/readyz", b"/readyz?from=balancer"])
@pytest.mark.parametrize("addresses", [None, ConnectionsPerAddress(EachAddress())])
async def test_a_health_check_is_answered_beyond_the_limit_and_its_connection_ends(
    path: bytes, addresses: ConnectionsPerAddress | None
) -> None:
    async with listening(limits=LIMITS, reserve=HealthReserve(), addresses=addresses) as door:
        for _ in range(2):
            await door.open()
        await door.heard()
        check = await door.open()
        await check.send(CHECK.replace(b"/healthz", path))
        assert (await check.answer())[0] == 200
        assert await check.rest() == b""


async def test_any_other_request_beyond_the_limit_is_told_that_there_are_too_many() -> None:
    async with listening(limits=LIMITS, reserve=HealthReserve()) as door:
        for _ in range(2):
            await door.open()
        await door.heard()
        for request in (CHECK.replace(b"/healthz", b"/"), CHECK.replace(b"/healthz", b"/healthz/../v1")):
            other = await door.open()
            await other.send(request)
            status, body = await other.answer()
            assert (status, json.loads(body)["code"]) == (503, "too-many-connections")
            assert await other.rest() == b""


async def test_who_asks_nothing_beyond_the_limit_is_told_so_in_a_moment() -> None:
    async with listening(limits=LIMITS, reserve=HealthReserve(), clock=Clock()) as door:
        for _ in range(2):
            await door.open()
        await door.heard()
        silent = await door.open()
        await door.pass_time(LIMITS.reserve_seconds)
        assert (await silent.answer())[0] == 503


async def test_strangers_who_wait_keep_no_health_check_out() -> None:
    async with listening(limits=LIMITS, reserve=HealthReserve(4)) as door:
        strangers = [await door.open() for _ in range(20)]
        await door.heard()
        check = await door.open()
        await check.send(CHECK)
        assert (await check.answer())[0] == 200
        # Each took the place of the one that had waited longest.
        assert (await strangers[2].answer())[0] == 503
