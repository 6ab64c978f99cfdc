"""The egress guard where it acts: at the moment of dialling, for every address that is dialled."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.data import Egress

from .far_ends import Call, answer_ok, call, failure, far_end, fetching, response

if TYPE_CHECKING:
    from dialoom.data import HttpFetcher


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "localhost", "localhost.", "127.0.0.1."],
)
async def test_no_spelling_of_loopback_is_reached_without_leave(host: str) -> None:
    async with fetching(Egress()) as fetcher, far_end(answer_ok) as there:
        result = failure(await fetcher.fetch(call(f"http://{host}:{there.port}/")))
        # A name server may know some of these names not at all; none is ever connected to.
        assert result.kind in {"egress", "name"}
        assert there.connections == []


@pytest.mark.parametrize(
    "host", ["[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[::127.0.0.1]"]
)
async def test_no_ipv6_spelling_of_loopback_is_reached_without_leave(host: str) -> None:
    async with fetching(Egress()) as fetcher:
        assert failure(await fetcher.fetch(call(f"http://{host}:9/"))).kind == "egress"


@pytest.mark.parametrize(
    "host",
    ["169.254.169.254", "[::ffff:169.254.169.254]", "[fe80::1%25lo]", "[fd00:ec2::254]", "2852039166", "0.0.0.0"],
)
async def test_metadata_and_link_local_are_refused_even_where_private_is_allowed(
    fetcher: HttpFetcher, host: str
) -> None:
    assert failure(await fetcher.fetch(call(f"http://{host}/latest/meta-data?token=s3cret"))).kind == "egress"


async def test_a_host_from_a_template_may_not_be_private_even_after_a_trusted_call_opened_a_connection(
    fetcher: HttpFetcher,
) -> None:
    async with far_end(answer_ok) as there:
        response(await fetcher.fetch(call(there.url)))
        assert failure(await fetcher.fetch(call(there.url, trusted_host=False))).kind == "egress"
        assert len(there.calls) == 1


async def test_the_services_own_address_is_refused() -> None:
    async with far_end(answer_ok) as there:
        egress = Egress(allow_private=True, own_addresses=frozenset({("127.0.0.1", there.port)}))
        async with fetching(egress) as fetcher:
            for host in ("127.0.0.1", "localhost", "2130706433"):
                result = failure(await fetcher.fetch(call(f"http://{host}:{there.port}/")))
                assert result.kind in {"egress", "refused"}
        assert there.connections == []


class Names(AbstractResolver):
    """A name server of our own: each look-up of a name takes its next list of addresses."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        if not self.answers:
            raise OSError("no such name")
        addresses = self.answers.pop(0)
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in addresses
        ]

    async def close(self) -> None: ...


@pytest.mark.parametrize("addresses", [["10.0.0.1"], ["127.0.0.1", "::1"], ["169.254.169.254", "10.0.0.1", "::1"]])
async def test_a_name_that_resolves_to_inner_addresses_is_refused(addresses: list[str]) -> None:
    async with fetching(Egress(allow_private=True), resolver=Names(addresses)) as fetcher:
        result = failure(await fetcher.fetch(call("http://inner.example/x", trusted_host=False)))
    assert result.kind == "egress"


async def test_of_a_names_addresses_only_those_are_dialled_that_may_be() -> None:
    async with far_end(answer_ok) as there:
        names = Names(["169.254.169.254", "127.0.0.1"])
        async with fetching(Egress(allow_private=True), resolver=names) as fetcher:
            assert response(await fetcher.fetch(call(f"http://both.example:{there.port}/"))).status == 200


async def test_a_name_that_changes_its_address_gains_nothing() -> None:
    async def close(call: Call) -> None:
        await call.reply("200 OK", b"", "Connection: close")

    names = Names(["127.0.0.1"], ["169.254.169.254"])
    egress = Egress(allowed_hosts=frozenset({"rebind.example"}))
    async with far_end(close) as there:
        request = call(f"http://rebind.example:{there.port}/", trusted_host=False)
        async with fetching(egress, resolver=names) as fetcher:
            response(await fetcher.fetch(request))
        async with fetching(egress, resolver=names) as fetcher:
            assert failure(await fetcher.fetch(request)).kind == "egress"


@pytest.mark.parametrize("host", ["a" * 70 + ".example", "a..example", "nowhere.invalid", "%6c%6f", "a_b.invalid", "-"])
async def test_a_name_that_is_none_is_said_to_be_unknown(host: str) -> None:
    async with fetching(Egress()) as fetcher:
        assert failure(await fetcher.fetch(call(f"http://{host}/"))).kind in {"name", "request"}


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=30), st.text(max_size=10), st.text(max_size=10))
def test_no_text_for_an_address_or_header_raises(place: str, name: str, value: str) -> None:
    async def ask() -> None:
        async with fetching(Egress(), resolver=Names()) as fetcher:
            for url in (place, f"http://{place}", f"http://{place}/", f"https://host.invalid/{place}"):
                failure(await fetcher.fetch(call(url, headers=((name, value),), trusted_host=False)))
                failure(await fetcher.fetch(call(url, trusted_host=False)))

    asyncio.run(ask())


async def test_an_unknown_name_is_said_to_be_unknown() -> None:
    async with fetching(Egress(), resolver=Names()) as fetcher:
        assert failure(await fetcher.fetch(call("http://nowhere.example/"))).kind == "name"
