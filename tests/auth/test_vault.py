"""What the vault seals opens with its keys, in its place, unchanged; nothing else does."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.auth.secret import Secret
from dialoom.auth.vault import Vault
from dialoom.errors import SettingError, VaultError

OLD, NEW = bytes(range(32)), bytes(range(1, 33))
VAULT = Vault.from_keys([OLD])


@given(st.binary(max_size=300), st.text(st.characters(exclude_categories=("Cs",)), max_size=30))
def test_what_is_sealed_opens_in_its_row(plain: bytes, row: str) -> None:
    assert VAULT.open(VAULT.seal(plain, row), row) == plain


@given(st.binary(min_size=1, max_size=60), st.data())
def test_a_sealed_value_that_was_changed_does_not_open(plain: bytes, data: st.DataObject) -> None:
    sealed = bytearray(VAULT.seal(plain, "row"))
    sealed[data.draw(st.integers(0, len(sealed) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(VaultError):
        VAULT.open(bytes(sealed), "row")


@pytest.mark.parametrize("length", [0, 1, 5, 16, 32])
def test_a_sealed_value_that_was_cut_does_not_open(length: int) -> None:
    with pytest.raises(VaultError):
        VAULT.open(VAULT.seal(b"memory", "row")[:length], "row")


def test_a_value_moved_to_another_row_does_not_open() -> None:
    with pytest.raises(VaultError, match="another row"):
        VAULT.open(VAULT.seal(b"memory", "chat of Ann"), "chat of Ben")


def test_the_same_value_never_looks_the_same_twice() -> None:
    assert len({VAULT.seal(b"memory", "row") for _ in range(1000)}) == 1000


def test_a_sealed_value_does_not_show_what_is_in_it() -> None:
    assert b"red hair" not in VAULT.seal(b"red hair, please", "row")


def test_the_first_key_seals_and_all_open() -> None:
    old = VAULT.seal(b"memory", "row")
    both = Vault.from_keys([NEW, OLD])
    assert both.open(old, "row") == b"memory"
    new = both.seal(b"memory", "row")
    assert Vault.from_keys([NEW]).open(new, "row") == b"memory"
    assert not old.startswith(both.mark)
    assert new.startswith(both.mark)


def test_keys_have_names_in_their_order_that_stand_in_what_they_seal() -> None:
    both = Vault.from_keys([NEW, OLD])
    assert both.names == (*Vault.from_keys([NEW]).names, *VAULT.names)
    assert both.mark.hex().endswith(both.names[0])
    assert OLD.hex()[:8] not in both.names


def test_a_missing_key_is_named_with_what_to_do() -> None:
    with pytest.raises(
        VaultError, match=r"sealed with key [0-9a-f]{8}, and the vault has only [0-9a-f]{8}\. Put that"
    ) as caught:
        Vault.from_keys([NEW]).open(VAULT.seal(b"memory", "row"), "row")
    assert "If it is lost for good, so is what it sealed: begin with a new data folder" in str(caught.value)


def test_no_error_shows_a_key_or_the_row() -> None:
    with pytest.raises(VaultError) as caught:
        VAULT.open(VAULT.seal(b"memory", "chat of Ann"), "chat of Ben")
    assert "Ann" not in str(caught.value)
    assert "Ben" not in str(caught.value)
    assert repr(VAULT) == "Vault(***)"


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_process_draws_nonces_of_its_own() -> None:
    vault = Vault.from_keys([OLD])
    vault.seal(b"", "row")
    read, written = os.pipe()
    if (child := os.fork()) == 0:
        os.write(written, vault.seal(b"", "row"))
        os._exit(0)
    os.waitpid(child, 0)
    theirs = os.read(read, 100)
    os.close(read)
    os.close(written)
    assert theirs[5:13] != vault.seal(b"", "row")[5:13]


@pytest.mark.parametrize("keys", [[], [b"short"], [OLD, b""]])
def test_a_vault_without_whole_keys_is_refused(keys: list[bytes]) -> None:
    with pytest.raises(SettingError, match="32 bytes"):
        Vault.from_keys(keys)


def test_a_token_is_hashed_by_the_newest_key_and_looked_for_under_every_key() -> None:
    old, new, both = VAULT, Vault.from_keys([NEW]), Vault.from_keys([NEW, OLD])
    assert both.hash_token("token") == new.hash_token("token")
    assert both.token_hashes("token") == (new.hash_token("token"), old.hash_token("token"))
    assert len({old.hash_token("token"), new.hash_token("token"), old.hash_token("tokem")}) == 3


def test_what_was_signed_tells_whether_it_outlives_the_older_keys() -> None:
    both = Vault.from_keys([NEW, OLD])
    assert not both.is_signed_by_newest(VAULT.sign(b"user 1", "session"))
    assert both.is_signed_by_newest(both.sign(b"user 1", "session"))


@given(st.binary(max_size=100), st.text(st.characters(exclude_categories=("Cs",)), max_size=20))
def test_what_is_signed_for_a_purpose_is_verified_for_it(payload: bytes, purpose: str) -> None:
    assert VAULT.verify(VAULT.sign(payload, purpose), purpose) == payload


@given(st.text(max_size=120))
def test_a_text_that_was_not_signed_here_is_refused(text: str) -> None:
    with pytest.raises(VaultError):
        VAULT.verify(text, "session")


@given(st.data())
def test_a_signed_text_of_which_any_letter_was_changed_is_refused(data: st.DataObject) -> None:
    text = VAULT.sign(b"user 1", "session")
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.sampled_from("AQgw-_.=\n z").filter(lambda other: other != text[place]))
    with pytest.raises(VaultError):
        VAULT.verify(text[:place] + letter + text[place + 1 :], "session")


def test_a_signature_for_another_purpose_or_by_another_key_is_refused() -> None:
    text = VAULT.sign(b"user 1", "session")
    with pytest.raises(VaultError):
        VAULT.verify(text, "file")
    with pytest.raises(VaultError):
        Vault.from_keys([NEW]).verify(text, "session")
    assert Vault.from_keys([NEW, OLD]).verify(text, "session") == b"user 1"


def test_purpose_and_payload_cannot_flow_into_each_other() -> None:
    payload, mac = VAULT.sign(b"b", "a").split(".")
    assert VAULT.sign(b"ab", "").split(".")[1] != mac
    assert payload == "Yg"


@given(st.binary(max_size=100), st.text(st.characters(exclude_categories=("Cs",)), max_size=20))
def test_what_is_sealed_alike_looks_the_same_each_time_and_opens_at_its_place_alone(plain: bytes, row: str) -> None:
    sealed = VAULT.seal_alike(plain, row)
    assert Vault.from_keys([OLD]).seal_alike(plain, row) == sealed
    assert VAULT.open(sealed, row) == plain
    with pytest.raises(VaultError):
        VAULT.open(sealed, f"{row} ")


def test_other_values_places_and_keys_share_nothing_with_what_is_sealed_alike() -> None:
    nonces = {
        vault.seal_alike(plain, row)[5:17]
        for vault in (VAULT, Vault.from_keys([NEW]))
        for plain, row in ((b"a", "b"), (b"b", "b"), (b"a", "a"), (b"", "ab"), (b"ab", ""))
    }
    assert len(nonces) == 10


def test_a_value_that_is_sealed_alike_is_none_that_was_sealed_and_the_other_way_round() -> None:
    alike, sealed = VAULT.seal_alike(b"user 1", "row"), VAULT.seal(b"user 1", "row")
    for text, first in ((alike, sealed), (sealed, alike)):
        with pytest.raises(VaultError):
            VAULT.open(first[:1] + text[1:], "row")


def test_what_was_sealed_alike_opens_while_its_key_is_there() -> None:
    sealed = VAULT.seal_alike(b"user 1", "row")
    assert Vault.from_keys([NEW, OLD]).open(sealed, "row") == b"user 1"
    with pytest.raises(VaultError, match="was sealed with key"):
        Vault.from_keys([NEW]).open(sealed, "row")


def test_keys_in_their_wrapping_serve_alike() -> None:
    assert Vault.from_keys([Secret(OLD)]).open(VAULT.seal(b"memory", "row"), "row") == b"memory"
