"""The table of addresses: what each kind of address is, in every spelling."""

import ipaddress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.data.addresses import PLACES, Reach, place_of, read_address

PUBLIC = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::200e", "172.32.0.1", "100.128.0.1"]
PRIVATE = [
    "127.0.0.1",
    "127.255.255.254",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "198.18.0.1",
    "::1",
    "fc00::1",
    "fd12:3456::1",
]
NEVER = [
    "169.254.169.254",
    "169.254.170.2",
    "169.254.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "0.0.0.0",
    "0.1.2.3",
    "224.0.0.1",
    "239.255.255.250",
    "255.255.255.255",
    "240.0.0.1",
    "192.0.2.1",
    "198.51.100.1",
    "203.0.113.1",
    "192.88.99.1",
    "::",
    "::127.0.0.1",
    "::8.8.8.8",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "2001:db8::1",
    "2001:0:1::1",
    "3fff::1",
    "64:ff9b:1::7f00:1",
    "100::1",
    "5f00::1",
    "4000::1",
]


def reach(text: str) -> Reach:
    address = read_address(text)
    assert address is not None
    return place_of(address).reach


@pytest.mark.parametrize("text", PUBLIC)
def test_an_ordinary_address_is_public(text: str) -> None:
    assert reach(text) is Reach.PUBLIC


@pytest.mark.parametrize("text", PRIVATE)
def test_an_inner_address_is_private(text: str) -> None:
    assert reach(text) is Reach.PRIVATE


@pytest.mark.parametrize("text", NEVER)
def test_metadata_link_local_and_special_addresses_are_never_reached(text: str) -> None:
    assert reach(text) is Reach.NEVER


@pytest.mark.parametrize(
    "carrier",
    ["::ffff:{}", "::ffff:0:{}", "64:ff9b::{}"],
)
@pytest.mark.parametrize("inner", ["8.8.8.8", "127.0.0.1", "10.1.2.3", "169.254.169.254", "100.100.100.200"])
def test_an_ipv6_address_that_carries_an_ipv4_address_is_what_it_carries(carrier: str, inner: str) -> None:
    assert reach(carrier.format(inner)) is reach(inner)


@pytest.mark.parametrize("inner", ["8.8.8.8", "127.0.0.1", "169.254.169.254"])
def test_a_6to4_address_is_what_it_carries(inner: str) -> None:
    octets = ipaddress.IPv4Address(inner).packed.hex()
    assert reach(f"2002:{octets[:4]}:{octets[4:]}::1") is reach(inner)


def test_a_zone_is_no_part_of_an_address() -> None:
    assert read_address("::1%lo") == ipaddress.IPv6Address("::1")


def test_a_name_is_no_address() -> None:
    assert read_address("localhost") is None


def test_every_row_of_the_table_is_a_network_of_its_own() -> None:
    networks = [ipaddress.ip_network(place.network) for place in PLACES]
    assert len(set(networks)) == len(networks)


@settings(max_examples=300)
@given(st.ip_addresses())
def test_no_address_that_python_knows_as_inner_is_public(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    inner = address.is_private or address.is_loopback or address.is_link_local or address.is_multicast
    assert not (inner and place_of(address).reach is Reach.PUBLIC)
