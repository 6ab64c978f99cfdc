"""What stands in the addresses that messages carry, and who can read it."""

from __future__ import annotations

import msgspec
import pytest

from dialoom.auth.provider import Wrong, read_callback
from dialoom.auth.vault import Vault
from dialoom.messages import BotMessage, Dialog
from dialoom.service.chat.signed_links import PickerTicket, SignedLinks
from dialoom.service.chat.transcript import Spoken
from dialoom.storage.store import ChatKey
from dialoom.testing.clock import MovedClock

ADA = ChatKey("tea & co", "rest/1", "ada@example.org")
QUESTION = Spoken("m1", BotMessage("Which?", dialog=Dialog("single-select", "Open", "Submit", key="4")))


@pytest.fixture
def addresses() -> SignedLinks:
    return SignedLinks("https://bots.example/base", Vault.from_keys([b"k" * 32]), MovedClock(1000))


def test_a_picker_address_leads_back_to_the_message_and_shows_nothing_of_it(addresses: SignedLinks) -> None:
    address = addresses.with_picker(ADA, QUESTION).picker or ""
    place, _, text = address.rpartition("/")
    assert place == "https://bots.example/base/v1/bots/tea%20%26%20co/channels/rest%2F1/pick"
    assert addresses.ticket(ADA.bot, ADA.channel, text) == PickerTicket(
        "ada@example.org", "m1", "4", 1000 + 30 * 60_000
    )
    assert addresses.ticket(ADA.bot, "web", text) is None
    assert "ada" not in text
    assert len(address) < 300


@pytest.mark.parametrize(
    "message", [BotMessage("Hi"), BotMessage(dialog=Dialog("login", key="4")), BotMessage(dialog=Dialog("carousel"))]
)
def test_only_a_dialog_of_an_open_question_has_one(addresses: SignedLinks, message: BotMessage) -> None:
    assert addresses.with_picker(ADA, Spoken("m1", message)).picker is None


def test_a_login_dialog_gets_the_address_of_its_link_and_nothing_else_is_touched(addresses: SignedLinks) -> None:
    login = Spoken("m1", BotMessage("Please log in.", dialog=Dialog("login", "Log in", key="l1")))
    found = addresses.put_in(ADA, login)
    assert found.message.dialog is not None
    url = found.message.dialog.url or ""
    start, _, state = url.partition("?state=")
    assert start == "https://bots.example/base/v1/account-linking/start"
    assert addresses.read_state(state) == (ADA, "l1")
    assert msgspec.structs.replace(found.message.dialog, url=None) == Dialog("login", "Log in", key="l1")
    plain = Spoken("m1", BotMessage("Hi"))
    assert addresses.put_in(ADA, plain) is plain


def test_a_login_dialog_that_names_no_link_has_no_address(addresses: SignedLinks) -> None:
    old = Spoken("m1", BotMessage("Please log in.", dialog=Dialog("login", "Log in")))
    assert addresses.put_in(ADA, old) is old


def test_a_link_has_one_address_and_another_user_or_link_another_one(addresses: SignedLinks) -> None:
    links = {addresses.login(key, link) for key in (ADA, ADA, ADA._replace(user="bob")) for link in ("l1", "l2")}
    assert len(links) == 4
    assert not any("ada" in link for link in links)


def test_the_state_of_a_login_address_is_read_by_whoever_has_the_keys_and_only_as_it_was_made(
    addresses: SignedLinks,
) -> None:
    key = ADA._replace(user="\N{GRINNING FACE}" * 256)
    state = addresses.login(key, "l1").partition("?state=")[2]
    assert addresses.read_state(state) == (key, "l1")
    assert read_callback([("code", "c"), ("state", state)]).state == state
    others = (state[:-1], state + "A", f"{state[:40]}{'A' if state[40] != 'A' else 'B'}{state[41:]}", "", "?", "\xe9")
    assert [addresses.read_state(other) for other in others] == [None] * len(others)
    ticket = (addresses.with_picker(ADA, QUESTION).picker or "").rpartition("/")[2]
    assert addresses.read_state(ticket) is None
    assert addresses.ticket(ADA.bot, ADA.channel, state) is None


def test_a_state_is_as_long_on_the_way_out_as_it_may_be_on_the_way_back(addresses: SignedLinks) -> None:
    for length, is_taken in ((1400, True), (1500, False)):
        state = addresses.login(ADA._replace(user="a" * length), "l1").partition("?state=")[2]
        assert (addresses.read_state(state) is not None) is is_taken
        if is_taken:
            assert read_callback([("code", "c"), ("state", state)]).state == state
        else:
            with pytest.raises(Wrong):
                read_callback([("code", "c"), ("state", state)])


def test_a_login_address_outlives_a_new_key_and_not_the_loss_of_its_own() -> None:
    def made(*keys: bytes) -> SignedLinks:
        return SignedLinks("https://bots.example", Vault.from_keys(keys), MovedClock(1000))

    state = made(b"k" * 32).login(ADA, "l1").partition("?state=")[2]
    assert made(b"n" * 32, b"k" * 32).read_state(state) == (ADA, "l1")
    assert made(b"n" * 32).read_state(state) is None
