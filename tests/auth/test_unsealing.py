"""What was sealed whole opens in pieces, however it is cut; what was changed is found at its end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.auth.vault import Vault
from dialoom.errors import VaultError

OLD, NEW = bytes(range(32)), bytes(range(1, 33))
VAULT = Vault.from_keys([OLD])


def opened(sealed: bytes, cuts: list[int], vault: Vault = VAULT, row: str = "row") -> bytes:
    opening = vault.opening(row)
    ends = sorted({0, len(sealed), *(min(cut, len(sealed)) for cut in cuts)})
    plain = b"".join([opening.take(sealed[start:end]) for start, end in pairwise(ends)])
    opening.end()
    return plain


@given(st.binary(max_size=300), st.lists(st.integers(0, 340), max_size=8))
def test_a_sealed_value_opens_in_pieces_of_any_size(plain: bytes, cuts: list[int]) -> None:
    assert opened(VAULT.seal(plain, "row"), cuts) == plain


@given(st.binary(min_size=1, max_size=60), st.lists(st.integers(0, 100), max_size=4), st.data())
def test_one_that_was_changed_does_not_come_to_its_end(plain: bytes, cuts: list[int], data: st.DataObject) -> None:
    sealed = bytearray(VAULT.seal(plain, "row"))
    sealed[data.draw(st.integers(0, len(sealed) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(VaultError):
        opened(bytes(sealed), cuts)


@pytest.mark.parametrize("length", [0, 1, 5, 16, 17, 32, 38])
def test_one_that_was_cut_does_not_come_to_its_end(length: int) -> None:
    with pytest.raises(VaultError):
        opened(VAULT.seal(b"memory", "row")[:length], [])


def test_one_that_was_moved_to_another_row_does_not_come_to_its_end() -> None:
    with pytest.raises(VaultError, match="another row"):
        opened(VAULT.seal(b"memory", "chat of Ann"), [20], row="chat of Ben")


def test_each_key_opens_what_it_has_sealed_and_a_missing_one_is_named() -> None:
    sealed = VAULT.seal(b"memory", "row")
    assert opened(sealed, [3, 20], Vault.from_keys([NEW, OLD])) == b"memory"
    with pytest.raises(VaultError, match=VAULT.names[0]):
        opened(sealed, [3, 20], Vault.from_keys([NEW]))


def test_what_is_kept_back_is_less_than_a_piece() -> None:
    """The last bytes may be the tag, all others come out with their piece."""
    opening = VAULT.opening("row")
    sealed = VAULT.seal(bytes(1000), "row")
    assert [len(opening.take(sealed[start : start + 100])) for start in range(0, 1000, 100)] == [67, *[100] * 9]
