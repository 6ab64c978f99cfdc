"""What the doctor says of other machines, tried on real ones of loopback."""

from __future__ import annotations

import asyncio
import socket
import ssl
from typing import TYPE_CHECKING

import pytest
from tests.data.authority import Authority, door

from dialoom.data.egress import Egress
from dialoom.service.doctor.reachability import base_line, name_lines, receiver_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

PRIVATE = Egress(allow_private=True)
NO_NAME = "a" * 64 + ".example"


@pytest.fixture
async def port() -> AsyncIterator[int]:
    """Takes connections and counts what is said to it."""
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    yield int(server.sockets[0].getsockname()[1])
    server.close()


@pytest.fixture
def closed() -> Iterator[int]:
    """Return an address where nobody listens, and nobody else can."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        yield int(door.getsockname()[1])


def trusting(authority: Authority) -> Callable[[], ssl.SSLContext]:
    return lambda: ssl.create_default_context(cadata=authority.certificate)


async def test_a_receiver_that_takes_a_connection_is_fine_and_its_path_is_not_shown(port: int) -> None:
    line = await receiver_line("The callback", f"http://127.0.0.1:{port}/secret-hook?key=hidden", PRIVATE)
    assert (line.level, line.text) == ("ok", f"The callback (http://127.0.0.1:{port}) takes a connection.")


async def test_a_receiver_that_is_away_fails(closed: int) -> None:
    line = await receiver_line("The callback", f"http://127.0.0.1:{closed}/", PRIVATE)
    assert line.level == "fail"
    assert f"port {closed} takes no connection" in line.text


async def test_a_receiver_that_the_guard_refuses_fails_with_its_reason(port: int) -> None:
    line = await receiver_line("The callback", f"http://127.0.0.1:{port}/", Egress())
    assert line.level == "fail"
    assert "egress_allow" in line.text
    assert (
        await receiver_line("It", f"http://127.0.0.1:{port}/", Egress(False, frozenset({"127.0.0.1"})))
    ).level == "ok"
    own = Egress(True, frozenset(), frozenset({("127.0.0.1", port)}))
    assert "the service's own address" in (await receiver_line("It", f"http://127.0.0.1:{port}/", own)).text


async def test_a_receiver_without_an_address_fails() -> None:
    line = await receiver_line("The callback", f"https://{NO_NAME}/", PRIVATE)
    assert line.level == "fail"
    assert "there is no address for the name" in line.text
    assert (await receiver_line("The callback", "https://[::1", PRIVATE)).text.endswith("Mend bot.json.")


async def test_a_certificate_of_the_base_address_is_named_with_its_days(tmp_path: Path) -> None:
    authority = Authority()
    async with door(tmp_path, authority.server(), None) as there:
        line = await base_line(there.url, tls=trusting(authority))
        assert (line.level, "good for 30 days" in line.text) == ("ok", True)
        late = ssl.cert_time_to_seconds("Jan  1 00:00:00 2200 GMT")
        assert (await base_line(there.url, lambda: late, trusting(authority))).text.endswith("Renew it.")
        line = await base_line(there.url, tls=trusting(Authority("Another")))
        assert line.level == "fail"
        assert "its certificate is not valid" in line.text


async def test_a_base_address_that_is_away_is_a_warning_for_it_may_be_kept_from_here(closed: int) -> None:
    line = await base_line(f"http://127.0.0.1:{closed}")
    assert line.level == "warn"
    assert "Does the service run" in line.text


async def test_a_base_address_that_takes_a_connection_is_fine(port: int) -> None:
    assert (await base_line(f"http://127.0.0.1:{port}")).level == "ok"


async def test_a_base_address_without_a_name_fails() -> None:
    assert (await base_line(f"https://{NO_NAME}")).level == "fail"


async def test_hosts_of_data_sources_that_lead_nowhere_fail() -> None:
    (line,) = await name_lines(["localhost", NO_NAME, NO_NAME, "127.0.0.1"])
    assert line.level == "fail"
    assert NO_NAME in line.text
    assert [line.text for line in await name_lines(["localhost"])] == ["All 1 hosts of data sources have an address."]
    assert await name_lines(["127.0.0.1"]) == []
