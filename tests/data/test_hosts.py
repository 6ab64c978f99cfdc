"""The egress guard as ONE table: how a host may be written, and where it leads. Add a row for each trick you hear of.

Every row goes through the whole fetcher, four ways: the host literal in the flow or from a template, private addresses
allowed or not; then listed. Only the sockets are not real: each one that would be dialled with is written down instead.
"""

from __future__ import annotations

import errno
import socket
from typing import Any, NamedTuple, NoReturn

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from dialoom.data import Egress, HttpFetcher

from .far_ends import call, failure


class Row(NamedTuple):
    url: str
    place: str
    """Where it leads: ``public``, ``private`` (by the operator's choice), ``never``; ``no`` for what is no address."""
    names: tuple[str, ...] | None = None
    """What a name server answers; None where none is asked, or only the system, which knows numbers."""


PUBLIC, PRIVATE, NEVER, NO = "public", "private", "never", "no"
OWN_PORT = 8123

TABLE = (
    # -- plain
    Row("http://8.8.8.8/", PUBLIC),
    Row("https://8.8.8.8/", PUBLIC),
    Row("HTTP://8.8.8.8/", PUBLIC),
    Row("http://[2606:4700::1111]/", PUBLIC),
    Row("http://127.0.0.1/", PRIVATE),
    Row("http://127.255.0.9:81/", PRIVATE),
    Row("http://10.0.0.1/", PRIVATE),
    Row("http://172.16.0.1/", PRIVATE),
    Row("http://192.168.1.1/", PRIVATE),
    Row("http://100.64.0.1/", PRIVATE),
    Row("http://198.18.0.1/", PRIVATE),
    Row("http://[::1]/", PRIVATE),
    Row("http://[0:0:0:0:0:0:0:1]/", PRIVATE),
    Row("http://[fd12:3456::1]/", PRIVATE),
    # -- never
    Row("http://0.0.0.0/", NEVER),
    Row("http://0.1.2.3/", NEVER),
    Row("http://[::]/", NEVER),
    Row("http://255.255.255.255/", NEVER),
    Row("http://224.0.0.1/", NEVER),
    Row("http://[ff02::1]/", NEVER),
    Row("http://240.0.0.1/", NEVER),
    Row("http://192.0.2.1/", NEVER),
    Row("http://[2001:db8::1]/", NEVER),
    Row("http://[fe80::1]/", NEVER),
    Row("http://[fec0::1]/", NEVER),
    # -- metadata services, by number and by name
    Row("http://169.254.169.254/", NEVER),
    Row("http://169.254.170.2/", NEVER),
    Row("http://100.100.100.200/", NEVER),
    Row("http://168.63.129.16/", NEVER),
    Row("http://192.0.0.192/", NEVER),
    Row("http://[fd00:ec2::254]/", NEVER),
    Row("http://[fd20:ce::254]/", NEVER),
    Row("http://metadata.google.internal/", NEVER, ("169.254.169.254",)),
    Row("http://METADATA.google.internal./", NEVER, ("10.0.0.1",)),
    Row("http://metadata.goog/", NEVER, ("8.8.8.8",)),
    Row("http://instance-data.ec2.internal/", NEVER, ("169.254.169.254",)),
    Row("http://innocent.example/", NEVER, ("169.254.169.254",)),
    # -- odd spellings of numbers: refused whatever they mean
    Row("http://2130706433/", NEVER),
    Row("http://134744072/", NEVER),
    Row("http://0x7f000001/", NEVER),
    Row("http://0X7F.0.0.0x1/", NEVER),
    Row("http://0x7f.1/", NEVER),
    Row("http://127.1/", NEVER),
    Row("http://127.0.1/", NEVER),
    Row("http://0177.0.0.1/", NEVER),
    Row("http://0000177.0.0.1/", NEVER),
    Row("http://127.0.0.01/", NEVER),
    Row("http://127.0.0.1./", NEVER),
    Row("http://8.8.8.8./", NEVER),
    Row("http://256.256.256.256/", NEVER),
    Row("http://1.2.3.4.5/", NEVER),
    Row("http://0/", NEVER),
    Row("http://0x/", NEVER),
    Row("http://017700000001/", NEVER),
    Row("http://2852039166/", NEVER),
    Row("http://4294967297/", NEVER),
    # -- IPv4 inside IPv6
    Row("http://[::ffff:127.0.0.1]/", PRIVATE),
    Row("http://[::ffff:7f00:1]/", PRIVATE),
    Row("http://[::FFFF:7F00:1]/", PRIVATE),
    Row("http://[0:0:0:0:0:ffff:7f00:0001]/", PRIVATE),
    Row("http://[::ffff:8.8.8.8]/", PUBLIC),
    Row("http://[::ffff:169.254.169.254]/", NEVER),
    Row("http://[::ffff:0:127.0.0.1]/", PRIVATE),
    Row("http://[::ffff:0:a9fe:a9fe]/", NEVER),
    Row("http://[::127.0.0.1]/", NEVER),
    Row("http://[::8.8.8.8]/", NEVER),
    Row("http://[64:ff9b::7f00:1]/", PRIVATE),
    Row("http://[64:ff9b::10.0.0.1]/", PRIVATE),
    Row("http://[64:ff9b::8.8.8.8]/", PUBLIC),
    Row("http://[64:ff9b::169.254.169.254]/", NEVER),
    Row("http://[64:ff9b:1::7f00:1]/", NEVER),
    Row("http://[64:ff9b:1:ffff::10.0.0.1]/", NEVER),
    Row("http://[2002:7f00:1::]/", PRIVATE),
    Row("http://[2002:0a00:0001::1]/", PRIVATE),
    Row("http://[2002:a9fe:a9fe::1]/", NEVER),
    Row("http://[2002:0808:0808::1]/", PUBLIC),
    Row("http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/", NEVER),
    Row("http://[2001:20::1]/", NEVER),
    Row("http://[fe80::5efe:7f00:1]/", NEVER),
    # -- zones
    Row("http://[fe80::1%25eth0]/", NEVER),
    Row("http://[fe80::1%eth0]/", NEVER),
    Row("http://[::1%25lo]/", PRIVATE),
    # -- other alphabets and encodings
    Row("http://１２７.０.０.１/", PRIVATE),
    Row("http://①②⑦.⓪.⓪.①/", PRIVATE),
    Row("http://127。0。0。1/", PRIVATE),
    Row("http://１６９.２５４.１６９.２５４/", NEVER),
    Row("http://２１３０７０６４３３/", NEVER),
    Row("http://ⓛocalhost/", PRIVATE, ("127.0.0.1",)),
    Row("http://%31%32%37.0.0.1/", NO),
    Row("http://127.0.0.%31/", NO),
    Row("http://%6c%6fcalhost/", NO),
    Row("http://127%2e0%2e0%2e1/", NO),
    Row("http://local\u00adhost/", NO, ("127.0.0.1",)),
    # -- names
    Row("http://shop.example/", PUBLIC, ("8.8.8.8",)),
    Row("http://bücher.example/", PUBLIC, ("8.8.8.8",)),
    Row("http://localhost/", PRIVATE, ("127.0.0.1",)),
    Row("http://LOCALHOST./", PRIVATE, ("127.0.0.1",)),
    Row("http://a.localhost/", PRIVATE, ("::1",)),
    Row("http://127.0.0.1.nip.example/", PRIVATE, ("127.0.0.1",)),
    Row("http://crm_1/", PRIVATE, ("10.0.0.7",)),
    Row("http://inner.example/", PRIVATE, ("10.0.0.1", "fd00::1")),
    Row("http://mapped.example/", NEVER, ("::ffff:169.254.169.254",)),
    Row("http://zero.example/", NEVER, ("0.0.0.0", "::")),
    Row("http://unknown.example/", NO, ()),
    Row("http://a..example/", NO),
    Row("http://" + "a" * 64 + ".example/", NO),
    # -- what is in front of the host, and behind it
    Row("http://me@8.8.8.8/", NO),
    Row("http://8.8.8.8:80@127.0.0.1/", NO),
    Row("http://8.8.8.8%40127.0.0.1/", NO),
    Row("http://@8.8.8.8/", NO),
    Row("http://8.8.8.8\\@127.0.0.1/", NO),
    Row("http://127.0.0.1#@8.8.8.8/", PRIVATE),
    Row("http://8.8.8.8#@127.0.0.1/", PUBLIC),
    Row("http://8.8.8.8?@127.0.0.1/", PUBLIC),
    Row("http://8.8.8.8/@127.0.0.1/", PUBLIC),
    Row("http://8.8.8.8 /", NO),
    Row("http://8.8.8.8\t.example/", NO),
    Row("http://8.8.8.8\r\nHost: x/", NO),
    Row("http://8.8.8.8:0/", NO),
    Row("http://8.8.8.8:65536/", NO),
    Row("http://8.8.8.8:x/", NO),
    Row("http://8.8.8.8:8443/", PUBLIC),
    # -- no host, other schemes
    Row("", NO),
    Row("http://", NO),
    Row("http:///x", NO),
    Row("http://:80/", NO),
    Row("http://./", NO),
    Row("http://[]/", NO),
    Row("http://[127.0.0.1]/", NO),
    Row("http://[::1/", NO),
    Row("http:/127.0.0.1/", NO),
    Row("http:127.0.0.1/", NO),
    Row("//127.0.0.1/", NO),
    Row("127.0.0.1/", NO),
    Row("/etc/passwd", NO),
    Row("ftp://8.8.8.8/", NO),
    Row("file:///etc/passwd", NO),
    Row("file://127.0.0.1/etc/passwd", NO),
    Row("unix:///run/docker.sock", NO),
    Row("http+unix://%2Frun%2Fdocker.sock/", NO),
    Row("gopher://127.0.0.1:6379/_FLUSHALL", NO),
    Row("ws://8.8.8.8/", NO),
    Row("javascript:alert(1)", NO),
    # -- the service itself
    Row(f"http://127.0.0.1:{OWN_PORT}/", NEVER),
    Row(f"http://[::ffff:127.0.0.1]:{OWN_PORT}/", NEVER),
    Row(f"http://[64:ff9b::7f00:1]:{OWN_PORT}/", NEVER),
    Row(f"http://localhost:{OWN_PORT}/", NEVER, ("127.0.0.1", "::1")),
    Row(f"http://innocent.example:{OWN_PORT}/", NEVER, ("127.0.0.1",)),
    Row("https://bots.example.org/", NEVER, ("8.8.8.8",)),
    Row("https://BOTS.example.org.:443/", NEVER, ("8.8.8.8",)),
    Row("https://bots.example.org:8443/", PUBLIC, ("8.8.8.8",)),
)  # fmt: skip

OWN = frozenset({("0.0.0.0", OWN_PORT), ("bots.example.org", 443)})


class Names(AbstractResolver):
    def __init__(self, addresses: tuple[str, ...]) -> None:
        self.addresses = addresses

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        if not self.addresses:
            raise OSError("no such name")
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in self.addresses
        ]

    async def close(self) -> None: ...


async def dialled(row: Row, egress: Egress, *, trusted: bool) -> set[str]:
    """The addresses that the call would have dialled."""
    made: set[str] = set()

    def no_socket(info: tuple[Any, ...]) -> NoReturn:
        made.add(info[4][0])
        raise OSError(errno.ECONNREFUSED, "not in a test")

    resolver = None if row.names is None else Names(row.names)
    fetcher = HttpFetcher(egress, resolver=resolver, pauses=(0.0,), sockets=no_socket)
    try:
        result = failure(await fetcher.fetch(call(row.url, trusted_host=trusted)))
    finally:
        await fetcher.close()
    # Where a name leads to several places, the last one tried says why there is no answer.
    assert result.kind in ({"refused", "egress"} if made else {"egress", "request", "name"}), result
    return made


@pytest.mark.parametrize("row", TABLE, ids=[row.url or "nothing" for row in TABLE])
async def test_a_host_is_dialled_where_it_may_be_and_nowhere_else(row: Row) -> None:
    for trusted in (True, False):
        for private in (True, False):
            egress = Egress(allow_private=private, own_addresses=OWN)
            expected = row.place == PUBLIC or (row.place == PRIVATE and trusted and private)
            assert bool(await dialled(row, egress, trusted=trusted)) is expected, (trusted, private)


@pytest.mark.parametrize("row", [row for row in TABLE if row.place != NO], ids=lambda row: row.url)
async def test_listing_a_host_opens_what_is_private_and_never_what_is_forbidden(row: Row) -> None:
    listed = frozenset({URL(row.url).host or ""})
    egress = Egress(allow_private=False, allowed_hosts=listed, own_addresses=OWN)
    for trusted in (True, False):
        assert bool(await dialled(row, egress, trusted=trusted)) is (row.place in (PUBLIC, PRIVATE))


@pytest.mark.parametrize(
    ("names", "allowed", "expected"),
    [
        (("8.8.8.8", "10.0.0.1"), False, {"8.8.8.8"}),
        (("8.8.8.8", "10.0.0.1"), True, {"8.8.8.8", "10.0.0.1"}),
        (("169.254.169.254", "10.0.0.1", "8.8.8.8"), True, {"8.8.8.8", "10.0.0.1"}),
        (("169.254.169.254", "::1"), False, set()),
    ],
)
async def test_of_a_name_that_leads_to_several_places_only_the_allowed_ones_are_dialled(
    names: tuple[str, ...], allowed: bool, expected: set[str]
) -> None:
    row = Row("http://both.example/", "", names)
    assert await dialled(row, Egress(allow_private=allowed), trusted=True) == expected


def test_no_row_stands_twice() -> None:
    assert len({row.url for row in TABLE}) == len(TABLE)
