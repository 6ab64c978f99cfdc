"""What stands in the addresses that messages carry, and who can read it."""

from __future__ import annotations

import msgspec
import pytest

from dialoom.auth.vault import Vault
from dialoom.messages import BotMessage, Dialog
from dialoom.service.addresses import Addresses, Ticket
from dialoom.service.transcript import Spoken
from dialoom.storage.store import ChatKey
from dialoom.testing.clock import MovedClock

ADA = ChatKey("tea & co", "rest/1", "ada@example.org")
QUESTION = Spoken("m1", BotMessage("Which?", dialog=Dialog("single-select", "Open", "Submit", key="4")))


@pytest.fixture
def addresses() -> Addresses:
    return Addresses("https://bots.example/base", Vault.from_keys([b"k" * 32]), MovedClock(1000))


def test_a_picker_address_leads_back_to_the_message_and_shows_nothing_of_it(addresses: Addresses) -> None:
    address = addresses.with_picker(ADA, QUESTION).picker or ""
    place, _, text = address.rpartition("/")
    assert place == "https://bots.example/base/v1/bots/tea%20%26%20co/channels/rest%2F1/pick"
    assert addresses.ticket(ADA.bot, ADA.channel, text) == Ticket("ada@example.org", "m1", "4", 1000 + 30 * 60_000)
    assert addresses.ticket(ADA.bot, "web", text) is None
    assert "ada" not in text
    assert len(address) < 300


@pytest.mark.parametrize(
    "message", [BotMessage("Hi"), BotMessage(dialog=Dialog("login", key="4")), BotMessage(dialog=Dialog("carousel"))]
)
def test_only_a_dialog_of_an_open_question_has_one(addresses: Addresses, message: BotMessage) -> None:
    assert addresses.with_picker(ADA, Spoken("m1", message)).picker is None


def test_a_login_dialog_gets_the_link_of_its_conversation_and_nothing_else_is_touched(addresses: Addresses) -> None:
    login = Spoken("m1", BotMessage("Please log in.", dialog=Dialog("login", "Log in")), conversation="c1")
    found = addresses.put_in(ADA, login)
    assert found.message.dialog is not None
    url = found.message.dialog.url or ""
    start, _, state = url.partition("?state=")
    assert (start, len(state) >= 43) == ("https://bots.example/base/v1/account-linking/start", True)
    assert msgspec.structs.replace(found.message.dialog, url=None) == Dialog("login", "Log in")
    plain = Spoken("m1", BotMessage("Hi"))
    assert addresses.put_in(ADA, plain) is plain


def test_a_further_prompt_has_the_same_link_and_another_user_or_conversation_another_one(addresses: Addresses) -> None:
    links = {addresses.login(key, talk) for key in (ADA, ADA, ADA._replace(user="bob")) for talk in ("c1", "c2")}
    assert len(links) == 4
    assert not any("ada" in link for link in links)
