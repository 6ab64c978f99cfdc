"""Where a flow's calls may go. No test here opens a connection."""

import ipaddress

import pytest
from yarl import URL

from dialoom.data import Egress
from dialoom.data.egress import is_of_this_machine, plain_host
from dialoom.errors import RemoteError


def refusal(egress: Egress, url: str) -> RemoteError | None:
    try:
        egress.check_target(URL(url, encoded=True))
    except RemoteError as error:
        return error
    return None


def may_dial(egress: Egress, address: str, port: int = 80, *, private: bool = False) -> bool:
    try:
        egress.check_address(address, port, private=private)
    except RemoteError:
        return False
    return True


@pytest.mark.parametrize("url", ["ftp://h/", "file:///etc/passwd", "gopher://h/", "//h/x", "unix:///run/x", "/path"])
def test_only_http_and_https_are_called(url: str) -> None:
    error = refusal(Egress(allow_private=True), url)
    assert error is not None
    assert error.kind == "egress"


@pytest.mark.parametrize("url", ["http://user@h/", "http://user:secret@h/", "http://:secret@h/"])
def test_user_info_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    error = refusal(Egress(), url)
    assert error is not None
    assert "secret" not in str(error)


def test_an_address_without_a_host_is_refused() -> None:
    assert refusal(Egress(), "http:///x") is not None


@pytest.mark.parametrize("host", ["2130706433", "127.1", "0177.0.0.1", "127.0.0.1.", "10.0.0.1."])
def test_odd_spellings_of_an_address_in_digits_are_refused(host: str) -> None:
    error = refusal(Egress(allow_private=True, allowed_hosts=frozenset({host})), f"http://{host}/")
    assert error is not None
    assert "odd spelling" in str(error)


def test_an_ordinary_address_passes() -> None:
    assert refusal(Egress(), "https://api.example.com/x?y=1") is None


def test_a_private_address_needs_both_a_literal_host_and_the_operators_leave() -> None:
    url = URL("http://127.0.0.1:8089/")
    assert Egress(allow_private=True).may_be_private(url, trusted=True)
    assert not Egress(allow_private=True).may_be_private(url, trusted=False)
    assert not Egress(allow_private=False).may_be_private(url, trusted=True)


@pytest.mark.parametrize(
    ("listed", "url"),
    [
        ("crm.internal", "http://crm.internal/"),
        ("CRM.internal.", "http://crm.INTERNAL/"),
        ("crm.internal", "https://crm.internal.:8443/"),
        ("crm.internal:8443", "https://crm.internal:8443/"),
        ("10.0.0.5", "http://10.0.0.5/"),
        ("10.0.0.5", "http://[::ffff:10.0.0.5]/"),
        ("[fd00::5]:8080", "http://[fd00:0::5]:8080/"),
        ("fd00::5", "http://[fd00::5]/"),
        ("bücher.example", "http://xn--bcher-kva.example/"),
    ],
)
def test_a_listed_host_may_be_private_even_when_it_comes_from_a_template(listed: str, url: str) -> None:
    assert Egress(allowed_hosts=frozenset({listed})).may_be_private(URL(url, encoded=True), trusted=False)


@pytest.mark.parametrize(
    ("listed", "url"),
    [
        ("crm.internal:8443", "https://crm.internal/"),
        ("crm.internal", "http://crm.internal.evil.com/"),
        ("crm.internal", "http://evilcrm.internal/"),
        ("10.0.0.5", "http://10.0.0.50/"),
        ("", "http:///"),
    ],
)
def test_listing_one_host_lists_no_other(listed: str, url: str) -> None:
    assert not Egress(allowed_hosts=frozenset({listed} - {""})).may_be_private(URL(url), trusted=False)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.0.0.1", "::ffff:192.168.0.1", "2002:7f00:1::", "::1%lo"])
def test_private_addresses_are_dialled_only_where_they_may_be(address: str) -> None:
    assert may_dial(Egress(), address, private=True)
    assert not may_dial(Egress(), address, private=False)


@pytest.mark.parametrize("address", ["169.254.169.254", "fe80::1%eth0", "::ffff:169.254.169.254", "0.0.0.0", "::"])
def test_metadata_and_link_local_addresses_are_never_dialled(address: str) -> None:
    egress = Egress(allow_private=True, allowed_hosts=frozenset({address}))
    assert not may_dial(egress, address, private=True)


def test_a_public_address_is_dialled() -> None:
    assert may_dial(Egress(), "8.8.8.8")


def test_what_is_no_address_is_not_dialled() -> None:
    assert not may_dial(Egress(), "localhost", private=True)


@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1", "::ffff:7f00:1", "64:ff9b::7f00:1"])
def test_the_services_own_address_is_never_dialled_in_any_spelling(address: str) -> None:
    egress = Egress(allow_private=True, own_addresses=frozenset({("127.0.0.1", 8080)}))
    assert not may_dial(egress, address, 8080, private=True)
    assert may_dial(egress, address, 8089, private=True)


def test_a_service_on_localhost_is_reached_by_no_loopback_address() -> None:
    egress = Egress(own_addresses=frozenset({("localhost", 8080)}))
    assert not may_dial(egress, "127.0.0.1", 8080, private=True)
    assert not may_dial(egress, "::1", 8080, private=True)


@pytest.mark.parametrize("listens_on", ["0.0.0.0", "::"])
def test_a_service_on_every_address_is_reached_by_none_of_them(listens_on: str) -> None:
    mine = ipaddress.ip_address("10.0.0.7")
    egress = Egress(own_addresses=frozenset({(listens_on, 8080)}))
    with pytest.raises(RemoteError, match="own address"):
        egress.check_address("10.0.0.7", 8080, private=True, is_local=lambda address: address == mine)
    egress.check_address("10.0.0.8", 8080, private=True, is_local=lambda address: address == mine)


def test_the_name_of_the_service_is_refused_before_anything_is_resolved() -> None:
    egress = Egress(own_addresses=frozenset({("bots.example.org", 443)}))
    assert refusal(egress, "https://BOTS.example.org./v1/bots") is not None
    assert refusal(egress, "https://bots.example.org:8443/") is None


def test_loopback_is_of_this_machine_and_a_far_address_is_not() -> None:
    assert is_of_this_machine(ipaddress.ip_address("127.0.0.1"))
    assert not is_of_this_machine(ipaddress.ip_address("8.8.8.8"))


def test_hosts_are_compared_in_one_spelling() -> None:
    assert plain_host("[::1]") == plain_host("0:0:0:0:0:0:0:1") == "::1"
    assert plain_host("Example.COM.") == "example.com"


def test_a_refusal_says_what_the_operator_can_do() -> None:
    with pytest.raises(RemoteError, match="egress_allow"):
        Egress().check_address("10.0.0.1", 80, private=False)
