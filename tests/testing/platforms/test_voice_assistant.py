"""The stand-in of Alexa signs as Alexa does, and refuses the answers that Alexa would not speak."""

from __future__ import annotations

import base64
import datetime as dt
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from dialoom.testing.platforms import Alexa
from dialoom.testing.platforms.voice_assistant.certificates import CHAINS
from dialoom.testing.platforms.voice_assistant.interaction_model import intent_for
from dialoom.testing.platforms.voice_assistant.responses import heard, response_faults
from tests.testing.platforms.receiver import Receiver, receiver

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


def say(text: str, **more: Any) -> dict[str, Any]:
    speech = {"type": "SSML", "ssml": f"<speak>{text}</speak>"} if text else None
    return {"version": "1.0", "response": {**({"outputSpeech": speech} if speech else {}), **more}}


REFUSED: list[tuple[Any, str]] = [
    ([], "must be an object"),
    ({"response": {}}, "version must be there"),
    ({"version": "1.0"}, "response must be there"),
    (say("a", speech="b"), "speech is no field"),
    (say("a" * 8000), "The speech has 8015 characters"),
    (say("Fish & chips"), "not well-formed"),
    (say("<b>a</b>"), "no element <b>"),
    (say("<p>a"), "not well-formed"),
    (say('<break time="11s"/>'), "A break may take 10 s"),
    (say('<break length="1s"/>'), "no attribute length"),
    (say("<speak>a</speak>"), "one <speak> around everything"),
    ({"version": "1.0", "response": {"outputSpeech": {"type": "SSML", "ssml": "a"}}}, "not well-formed"),
    ({"version": "1.0", "response": {"outputSpeech": {"type": "SSML", "ssml": "<p>a</p>"}}}, "one <speak>"),
    ({"version": "1.0", "response": {"outputSpeech": {"type": "Text", "text": "a"}}}, "'Text' is none of"),
    (say("a", card={"type": "Login"}), "'Login' is none of"),
    (say("a", card={"type": "LinkAccount", "title": "Log in"}), "title is no field"),
    (say("a", card={"type": "Simple", "title": "a", "content": "b" * 8000}), "The card has 8001 characters"),
    (say("a", card={"type": "Standard", "image": {"largeImageUrl": "http://a.example"}}), "must be an address"),
    (say("a", shouldEndSession="no"), "must be true or false"),
    (say("a", directives=[{"type": "Dialog.Ask"}]), "'Dialog.Ask' is none of"),
    (say("a", reprompt={"outputSpeech": {"type": "SSML", "ssml": "<speak>"}}), "not well-formed"),
    ({**say("a"), "sessionAttributes": {"a": "b" * 25000}}, "bytes and may have 24576"),
    ({**say("a"), "sessionAttributes": []}, "sessionAttributes must be an object"),
]


@pytest.mark.parametrize(("body", "problem"), REFUSED)
def test_what_the_platform_does_not_speak_is_refused(body: Any, problem: str) -> None:
    assert problem in " ".join(response_faults(json.dumps(body).encode(), "IntentRequest"))


@pytest.mark.parametrize(
    "body",
    [
        say("a" * 7985),
        say('You can say <break time="200ms"/> <say-as interpret-as="ordinal">1</say-as> &amp; <p>more</p>'),
        say("a", card={"type": "LinkAccount"}, shouldEndSession=True),
        say("a", reprompt={"outputSpeech": {"type": "PlainText", "text": "b"}}, shouldEndSession=False),
        {**say(""), "sessionAttributes": {"a": 1}},
    ],
)
def test_what_the_platform_speaks_is_taken(body: Any) -> None:
    assert list(response_faults(json.dumps(body).encode(), "IntentRequest")) == []


def test_the_end_of_a_session_takes_no_speech() -> None:
    assert list(response_faults(json.dumps(say("")).encode(), "SessionEndedRequest")) == []
    assert list(response_faults(json.dumps(say("a")).encode(), "SessionEndedRequest"))


@asynccontextmanager
async def talk() -> AsyncIterator[tuple[Alexa, Receiver]]:
    async with receiver() as hook, Alexa() as alexa:
        alexa.endpoint = hook.url
        yield alexa, hook


def verify(alexa: Alexa, pem: bytes) -> x509.Certificate:
    leaf, *others = x509.load_pem_x509_certificates(pem)
    roots = Store(x509.load_pem_x509_certificates(alexa.certificates.roots_pem()))
    verifier = (
        PolicyBuilder()
        .store(roots)
        .time(dt.datetime.now(dt.UTC))
        .build_server_verifier(x509.DNSName("echo-api.amazon.com"))
    )
    verifier.verify(leaf, others)
    return leaf


async def test_requests_are_signed_with_a_chain_that_the_root_vouches_for() -> None:
    async with talk() as (alexa, hook):
        hook.answers = [(200, say("Hello", shouldEndSession=False)), (200, say("Bye", shouldEndSession=True))]
        user = alexa.user()
        await user.open()
        call = hook.received[0]
        address = call.headers["signaturecertchainurl"]
        assert address.startswith("https://s3.amazonaws.com/echo.api/")
        async with hook.client.get(alexa.url + address.removeprefix("https://s3.amazonaws.com")) as answer:
            leaf = verify(alexa, await answer.read())
        key = leaf.public_key()
        assert isinstance(key, rsa.RSAPublicKey)
        key.verify(base64.b64decode(call.headers["signature-256"]), call.body, padding.PKCS1v15(), hashes.SHA256())
        assert (call.json["request"]["type"], call.json["session"]["new"]) == ("LaunchRequest", True)
        await user.say("book a table")
        second = hook.received[1].json
        assert (second["session"]["new"], second["session"]["sessionId"]) == (False, call.json["session"]["sessionId"])
        assert second["request"]["intent"]["slots"]["query"]["value"] == "book a table"
        assert user.heard == ["Hello", "Bye"]
        assert not user.is_in_session


async def test_chains_for_attacks_are_refused_by_a_right_check() -> None:
    async with talk() as (alexa, _):
        for name in CHAINS[1:]:
            pem = alexa.certificates.served(alexa.certificates.address(name).removeprefix("https://s3.amazonaws.com"))
            assert pem is not None
            with pytest.raises(VerificationError):
                verify(alexa, pem)


async def test_a_wrong_answer_ends_the_session_and_the_skill_is_told() -> None:
    async with talk() as (alexa, hook):
        hook.answers = [(200, say("1 < 2")), (200, say(""))]
        user = alexa.user()
        await user.open()
        assert user.heard == ["There was a problem with the requested skill's response."]
        assert "not well-formed" in alexa.faults[0]
        ended = hook.received[1].json["request"]
        assert (ended["type"], ended["reason"], ended["error"]["type"]) == (
            "SessionEndedRequest",
            "ERROR",
            "INVALID_RESPONSE",
        )


async def test_an_answer_that_comes_too_late_is_not_spoken() -> None:
    async with talk() as (alexa, hook):
        hook.answers = [(200, say("Hello"))]
        alexa.answer_seconds = 0.0
        await alexa.user().open()
        assert "may take 0" in alexa.faults[0]


async def test_progressive_responses_are_taken_while_the_request_is_open() -> None:
    async with talk() as (alexa, hook):
        user = alexa.user()
        envelope = alexa.envelope(user, {"type": "LaunchRequest"}, new=True)
        token, id = envelope["context"]["System"]["apiAccessToken"], envelope["request"]["requestId"]
        body = {
            "header": {"requestId": id},
            "directive": {"type": "VoicePlayer.Speak", "speech": "<speak>Wait</speak>"},
        }
        address, headers = f"{alexa.url}/v1/directives", {"Authorization": f"Bearer {token}"}
        assert (await hook.post(address, body, headers))[0] == 401
        alexa.under_way[id] = (user, token, 0)  # the request is on its way
        for status in (204, 204, 204, 204, 204, 403):
            assert (await hook.post(address, body, headers))[0] == status
        assert (await hook.post(address, body, {"Authorization": "Bearer x"}))[0] == 401
        body["directive"]["speech"] = "a" * 601
        assert (await hook.post(address, body, headers))[0] == 400
        assert user.heard == ["Wait"] * 5


async def test_a_linked_account_comes_with_each_request() -> None:
    async with talk() as (alexa, hook):
        hook.answers = [(200, say("Log in", card={"type": "LinkAccount"}, shouldEndSession=True)), (200, say("Hello"))]
        user = alexa.user("de-DE")
        await user.open()
        assert user.spoken[-1]["card"] == {"type": "LinkAccount"}
        user.link_account("token-1")
        await user.open()
        request = hook.received[-1].json
        assert request["context"]["System"]["user"]["accessToken"] == "token-1"
        assert request["request"]["locale"] == "de-DE"


def test_the_model_finds_the_intent_of_a_sentence() -> None:
    slots = [{"name": "city", "type": "AMAZON.City"}]
    model = {
        "interactionModel": {
            "languageModel": {
                "invocationName": "the clinic",
                "intents": [
                    {"name": "AMAZON.StopIntent", "samples": []},
                    {"name": "Weather", "slots": slots, "samples": ["weather in {city}"]},
                    {
                        "name": "Anything",
                        "slots": [{"name": "query", "type": "AMAZON.SearchQuery"}],
                        "samples": ["please {query}", "i want {query}"],
                    },
                ],
            }
        }
    }
    assert (intent_for("Stop", model) or {})["name"] == "AMAZON.StopIntent"
    assert (intent_for("weather in Rome", model) or {})["slots"]["city"]["value"] == "rome"
    assert (intent_for("I want a table", model) or {})["slots"]["query"]["value"] == "a table"
    assert (intent_for("a table", model) or {})["slots"]["query"]["value"] == "a table"
    assert intent_for("a table", None) is None


def test_speech_is_heard_without_its_marks() -> None:
    assert heard({"type": "SSML", "ssml": "<speak><p>One</p><p>two &amp; three</p></speak>"}) == "One two & three"
