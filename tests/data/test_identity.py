"""Client certificates, against a real TLS server that asks for one."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import PrivateFormat

from dialoom.data import Egress, HttpFetcher, Identity
from dialoom.data.identity import Identities
from dialoom.errors import RemoteError

from .authority import Authority, Pair, door, key_text
from .far_ends import answer_ok, call, failure, far_end, response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


@pytest.fixture
async def fetcher(authority: Authority) -> AsyncIterator[HttpFetcher]:
    made = HttpFetcher(Egress(allow_private=True), pauses=(0.0,), authorities=authority.certificate)
    yield made
    await made.close()


def shown(pair: Pair) -> Identity:
    return Identity(pair.certificate, pair.key)


async def test_a_call_shows_its_certificate_to_who_asks_for_one(
    tmp_path: Path, authority: Authority, fetcher: HttpFetcher
) -> None:
    async with door(tmp_path, authority.server(), authority) as there:
        response(await fetcher.fetch(call(there.url), identity=shown(authority.pair("bot-a"))))
        assert there.callers == ["bot-a"]


@pytest.mark.parametrize("form", [PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL])
async def test_rsa_keys_and_older_forms_are_taken(
    tmp_path: Path, authority: Authority, fetcher: HttpFetcher, form: PrivateFormat
) -> None:
    key = rsa.generate_private_key(65537, 2048)
    pair = authority.pair("bot-r", key=key)
    async with door(tmp_path, authority.server(), authority) as there:
        response(await fetcher.fetch(call(there.url), identity=Identity(pair.certificate, key_text(key, form=form))))
        assert there.callers == ["bot-r"]


async def test_line_breaks_may_be_written_as_their_escape(
    tmp_path: Path, authority: Authority, fetcher: HttpFetcher
) -> None:
    pair = authority.pair("bot-e")
    flat = Identity(pair.certificate.replace("\n", "\\n"), pair.key.replace("\n", "\\n"))
    async with door(tmp_path, authority.server(), authority) as there:
        response(await fetcher.fetch(call(there.url), identity=flat))
        assert there.callers == ["bot-e"]


async def test_calls_of_two_certificates_never_share_a_connection(
    tmp_path: Path, authority: Authority, fetcher: HttpFetcher
) -> None:
    one, other = shown(authority.pair("bot-a")), shown(authority.pair("bot-b"))
    async with door(tmp_path, authority.server(), authority) as there:
        for identity in (one, other, one, other):
            response(await fetcher.fetch(call(there.url), identity=identity))
        assert there.callers == ["bot-a", "bot-b"]
        assert failure(await fetcher.fetch(call(there.url))).kind == "broken"


async def test_who_shows_none_or_a_wrong_certificate_is_told_what_it_may_be(
    tmp_path: Path, authority: Authority, fetcher: HttpFetcher
) -> None:
    stranger, expired = Authority("Somebody else").pair("bot-a"), authority.pair("bot-a", days=-1)
    async with door(tmp_path, authority.server(), authority) as there:
        for identity in (None, shown(stranger), shown(expired)):
            result = failure(await fetcher.fetch(call(there.url), identity=identity))
            assert "client certificate" in result.detail
        assert there.callers == []


async def test_a_far_end_that_nobody_vouches_for_never_sees_the_call(tmp_path: Path, authority: Authority) -> None:
    fetcher = HttpFetcher(Egress(allow_private=True))
    identity = shown(authority.pair("bot-a"))
    async with door(tmp_path, authority.server(), None) as there:
        for who in (None, identity):
            assert failure(await fetcher.fetch(call(there.url), identity=who)).kind == "tls"
    await fetcher.close()


async def test_a_far_end_with_the_certificate_of_another_name_is_a_tls_failure(
    tmp_path: Path, authority: Authority, fetcher: HttpFetcher
) -> None:
    async with door(tmp_path, authority.server("127.0.0.2"), None) as there:
        assert failure(await fetcher.fetch(call(there.url))).kind == "tls"


async def test_a_certificate_goes_to_https_alone(authority: Authority, fetcher: HttpFetcher) -> None:
    async with far_end(answer_ok) as there:
        result = failure(await fetcher.fetch(call(there.url), identity=shown(authority.pair("bot-a"))))
        assert (result.kind, there.calls) == ("credential", [])


def _broken(authority: Authority) -> dict[str, tuple[str, str, str]]:
    pair, other = authority.pair("bot-a"), authority.pair("bot-b")
    locked = key_text(ec.generate_private_key(ec.SECP256R1()), "password")
    half = pair.certificate[: len(pair.certificate) // 2]
    return {
        "no certificate": ("s3cret", pair.key, "the certificate cannot be read"),
        "half a certificate": (half, pair.key, "the certificate cannot be read"),
        "the key in its place": (pair.key, pair.key, "the certificate cannot be read"),
        "no key": (pair.certificate, "s3cret", "the key cannot be read"),
        "nothing": ("", "", "the key cannot be read"),
        "the certificate in the key's place": (pair.certificate, pair.certificate, "the key cannot be read"),
        "another key": (pair.certificate, other.key, "not the one of the certificate"),
        "a locked key": (pair.certificate, locked, "locked with a password"),
        "no text at all": ("\ud800\x00", "\ud800", "the key cannot be read"),
    }


@pytest.mark.parametrize("name", list(_broken(Authority())))
async def test_a_broken_certificate_says_so_and_holds_nothing_of_it(
    authority: Authority, fetcher: HttpFetcher, name: str
) -> None:
    certificate, key, sentence = _broken(authority)[name]
    result = failure(await fetcher.fetch(call("https://127.0.0.1:9/"), identity=Identity(certificate, key)))
    assert (result.kind, sentence in result.detail) == ("credential", True), result
    assert "s3cret" not in result.detail
    assert "BEGIN" not in result.detail


def test_a_context_is_made_once_for_each_content(authority: Authority) -> None:
    identities, pair = Identities(), authority.pair("bot-a")
    assert identities.known(shown(pair)) is None
    made = identities.context(shown(pair))
    assert identities.known(Identity(pair.certificate, pair.key)) is made
    assert identities.known(shown(authority.pair("bot-a"))) is None
    assert identities.known(None) is True


def test_contexts_are_kept_in_bounded_number(authority: Authority) -> None:
    identities = Identities(most=2)
    first = shown(authority.pair("bot-0"))
    identities.context(first)
    for number in range(2):
        identities.context(shown(authority.pair(f"bot-{number}")))
    assert identities.known(first) is None


def test_neither_text_shows_in_a_representation_or_stays_in_a_file(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # that of the machine is everybody's
    pair = authority.pair("bot-a")
    assert repr(shown(pair)) == "Identity(***)"
    Identities().context(shown(pair))
    with pytest.raises(RemoteError):
        Identities().context(Identity(pair.certificate, "none"))
    assert list(tmp_path.iterdir()) == []
