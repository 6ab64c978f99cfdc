"""That a browser on a login's start page is the chat's own: what is signed, for whom, and for how long."""

from __future__ import annotations

import base64
import hashlib

import pytest
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.errors import RequestError
from dialoom.service.access.tokens import Tokens
from dialoom.service.bots.bots import Bots
from dialoom.service.chat.login_values import LINK_LIFETIME_MS
from dialoom.service.chat.signed_links import SignedLinks
from dialoom.service.login.proof import CHALLENGE_MS, Proofs
from dialoom.storage.store import ChatKey
from dialoom.testing.clock import MovedClock

ADA, BEN = ChatKey("bank", "web", "ada-lovelace"), ChatKey("bank", "web", "ben")
BROWSER, OTHER = hashlib.sha256(b"one").digest(), hashlib.sha256(b"two").digest()


class Desk:
    def __init__(self) -> None:
        vault, store = Vault.from_keys([bytes(32)]), TemporaryStore()
        self.clock = MovedClock()
        self.addresses = SignedLinks("https://bots.example", vault, self.clock)
        tokens = Tokens(store, vault, Bots(store, vault, self.clock), self.clock)
        self.proofs = Proofs(tokens, self.addresses, self.clock)

    def state(self, key: ChatKey, link: str = "link") -> str:
        return self.addresses.login(key, link).partition("state=")[2]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def refused(desk: Desk, challenge: str, key: ChatKey) -> RequestError:
    with pytest.raises(RequestError) as caught:
        desk.proofs.prove(challenge, key)
    assert caught.value.code == "login-challenge"
    return caught.value


def test_the_link_s_own_user_proves_it_for_the_browser_that_asked(desk: Desk) -> None:
    state = desk.state(ADA)
    proof = desk.proofs.prove(desk.proofs.challenge(state, BROWSER), ADA)
    assert desk.proofs.is_proven(proof, state, BROWSER)
    assert not desk.proofs.is_proven(proof, state, OTHER)
    assert not desk.proofs.is_proven(proof, desk.state(ADA, "another"), BROWSER)


@pytest.mark.parametrize("key", [BEN, ADA._replace(channel="mobile"), ADA._replace(bot="shop")])
def test_nobody_else_proves_it(desk: Desk, key: ChatKey) -> None:
    refused(desk, desk.proofs.challenge(desk.state(ADA), BROWSER), key)


def test_another_user_and_a_forged_challenge_are_refused_in_the_same_words(desk: Desk) -> None:
    challenge = desk.proofs.challenge(desk.state(ADA), BROWSER)
    words = {str(refused(desk, text, BEN)) for text in (challenge, challenge[:-2] + "AA", "", "x.y")}
    assert len(words) == 1


def test_a_challenge_of_a_state_that_is_not_ours_proves_nothing(desk: Desk) -> None:
    refused(desk, desk.proofs.challenge("not-sealed-here", BROWSER), ADA)


def test_challenge_proof_and_question_do_not_stand_for_one_another(desk: Desk) -> None:
    state = desk.state(ADA)
    challenge, question = desk.proofs.challenge(state, BROWSER), desk.proofs.question(state, BROWSER)
    proof = desk.proofs.prove(challenge, ADA)
    assert not desk.proofs.is_proven(challenge, state, BROWSER)
    assert not desk.proofs.is_proven(question, state, BROWSER)
    assert not desk.proofs.is_answered(proof, state, BROWSER)
    for text in (proof, question):
        refused(desk, text, ADA)


def test_challenge_and_proof_live_two_minutes_together_and_a_question_as_long_as_a_link(desk: Desk) -> None:
    state = desk.state(ADA)
    challenge, question = desk.proofs.challenge(state, BROWSER), desk.proofs.question(state, BROWSER)
    desk.clock.move(CHALLENGE_MS / 2000)
    proof = desk.proofs.prove(challenge, ADA)
    desk.clock.move(CHALLENGE_MS / 2000)
    refused(desk, challenge, ADA)
    assert not desk.proofs.is_proven(proof, state, BROWSER)
    assert desk.proofs.is_answered(question, state, BROWSER)
    desk.clock.move((LINK_LIFETIME_MS - CHALLENGE_MS) / 1000)
    assert not desk.proofs.is_answered(question, state, BROWSER)


def test_a_question_is_answered_in_its_browser_for_its_link(desk: Desk) -> None:
    state = desk.state(ADA)
    question = desk.proofs.question(state, BROWSER)
    assert desk.proofs.is_answered(question, state, BROWSER)
    assert not desk.proofs.is_answered(question, state, OTHER)
    assert not desk.proofs.is_answered(question, desk.state(BEN), BROWSER)
    assert not desk.proofs.is_answered("", state, BROWSER)


def test_nothing_that_is_signed_says_whose_link_it_is(desk: Desk) -> None:
    state = desk.state(ADA)
    for text in (desk.proofs.challenge(state, BROWSER), desk.proofs.question(state, BROWSER)):
        plain = base64.urlsafe_b64decode(text.partition(".")[0] + "==")
        assert b"ada" not in plain.lower().replace(state.lower().encode(), b"")
