"""Alexa as people speak to it: the service and the strict stand-in of the platform call each other."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import datetime as dt
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.channels.platform_service import running_service
from tests.data.far_ends import far_end
from tests.engine.talking import say, support, trait
from tests.http.support import FLOW, TRAINING

from dialoom.channels import CHANNELS
from dialoom.channels.alexa.channel import is_of_amazon
from dialoom.channels.alexa.interaction_model import model_of
from dialoom.channels.alexa.proof import certificate_path
from dialoom.service.chat.chat_row import open_chat
from dialoom.service.settings import Settings
from dialoom.storage.store import ChatKey
from dialoom.testing.platforms.voice_assistant import Alexa

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.channels.platform_service import Running
    from tests.data.far_ends import Call

    from dialoom.testing.platforms.voice_assistant import AlexaUser

SKILL = "amzn1.ask.skill.00000000-0000-4000-8000-000000000001"
CHANNEL = {"id": "speaker", "type": "voice-assistant", "skill-id": SKILL}
TEAS = ["Green", "Black", "Mint", *(f"Herb {letter}" for letter in "ABCDEFG")]
OPTIONS = "You can say Black, Green or Mint."


@pytest.fixture
async def alexa() -> AsyncIterator[Alexa]:
    async with Alexa(SKILL) as platform:
        yield platform


@contextlib.asynccontextmanager
async def speaking(
    alexa: Alexa,
    folder: Path,
    flow: dict[str, Any] | None = None,
    training: dict[str, Any] | None = None,
    **settings: Any,
) -> AsyncIterator[Running]:
    """Run the tea bot as the skill of this platform."""
    flow = flow or asking({"type": "quick-reply", "data": ["Black", "Green", "Mint"]})
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    roots = folder / "roots.pem"
    roots.write_bytes(alexa.certificates.roots_pem())
    named = {"voice_assistant_roots": str(roots), "voice_assistant_certificate_url": alexa.url} | settings
    async with running_service(folder, CHANNEL, flow, training or training_with(TEAS), **named) as running:
        alexa.endpoint = f"{running.url}/v1/bots/tea/channels/speaker/voice-assistant"
        yield running


def training_with(teas: list[str]) -> dict[str, Any]:
    training = copy.deepcopy(TRAINING)
    training["entity-definitions"][1]["data"] = [{"value": tea} for tea in teas]
    return training


def asking(display: dict[str, Any]) -> dict[str, Any]:
    """Return the tea flow with its question shown in this form."""
    flow = copy.deepcopy(FLOW)
    flow["conversations"]["tea"]["steps"][0]["display"] = display
    return flow


async def test_a_user_opens_the_skill_speaks_and_is_answered(alexa: Alexa, tmp_path: Path) -> None:
    async with speaking(alexa, tmp_path):
        ada = alexa.user()
        await ada.open()
        await ada.say("I want tea")
        await ada.say("the second one")
        assert ada.heard == ["Hello!", f"Which tea? {OPTIONS}", "The password?"]
        assert alexa.faults == []
        assert ada.is_in_session
        assert ada.spoken[3]["card"] == {"type": "Simple", "title": "tea", "content": f"Which tea?\n{OPTIONS}"}


@pytest.mark.parametrize(
    ("answer", "then"), [("the first one", "Blocked."), ("unblock a card", "Unblocked."), ("neither", "Say card.")]
)
async def test_what_was_not_understood_is_asked_with_or_and_answered_by_voice(
    alexa: Alexa, tmp_path: Path, answer: str, then: str
) -> None:
    training = trait(
        block=["block my card", "I lost my card", "freeze the card please"],
        unblock=["unblock my card", "I found my card", "lift the block on the card"],
    )
    flow = {
        "conversations": {
            "help": support(say("Say card.")),
            "block": support(say("Blocked."), name="block a card"),
            "unblock": support(say("Unblocked."), name="unblock a card"),
        },
        "settings": {"understanding": {"ask": 0.1, "threshold": 1}},
    }
    async with speaking(alexa, tmp_path, flow, {"entity-definitions": [training]}):
        ada = alexa.user()
        await ada.open()
        await ada.say("my card and the block")
        await ada.say(answer)
        names = "block a card or unblock a card"
        assert ada.heard[1:] == [f"Did you mean {names}? You can say block a card, unblock a card or Neither.", then]
        assert alexa.faults == []


# ---- what is spoken ----------------------------------------------------------------------------------------------


async def test_signs_of_ssml_and_markdown_are_spoken_as_text(alexa: Alexa, tmp_path: Path) -> None:
    flow = copy.deepcopy(FLOW)
    flow["conversations"]["welcome"]["steps"][0]["messages"] = [
        '**Tea** & <b>"cake"</b>\u0007 isn\'t [here](https://t)'
    ]
    async with speaking(alexa, tmp_path, flow):
        ada = alexa.user()
        await ada.open()
        assert (ada.heard, alexa.faults) == (['Tea & <b>"cake"</b> isn\'t here'], [])


@pytest.mark.parametrize(
    ("answer", "spoken"),
    [
        (
            "<speak>At <say-as interpret-as='time'>8am</say-as> &amp; <b_r_/></speak>",
            "<p>At 8am &amp; </p>",
        ),
        ("<speak>At <emphasis>eight</emphasis> &amp; ten.</speak>", "At <emphasis>eight</emphasis> &amp; ten."),
        ("<speak>At eight", "<p>At eight</p>"),
    ],
)
async def test_answers_for_voice_are_spoken_as_the_ssml_that_they_are(
    alexa: Alexa, tmp_path: Path, answer: str, spoken: str
) -> None:
    faq = {"value": "hours", "expressions": ["when are you open"], "answers": ["At 8."], "ssmlAnswers": [answer]}
    training = training_with(TEAS)
    training["entity-definitions"].append({"name": "FAQ", "lookup-strategy": "QnA", "data": [faq]})
    async with speaking(alexa, tmp_path, training=training):
        ada = alexa.user()
        await ada.open()
        said = (await ada.say("when are you open")).json()["response"]
        assert said["outputSpeech"]["ssml"] == f"<speak>{spoken}</speak>"
        assert "<" not in said["card"]["content"] + ada.heard[-1]
        assert alexa.faults == []


async def test_a_long_list_is_heard_page_by_page(alexa: Alexa, tmp_path: Path) -> None:
    teas = [f"Herb {letter}" for letter in "ABCDEFG"]
    async with speaking(alexa, tmp_path, asking({"type": "single-select", "title": "Choose", "data": teas})):
        ada = alexa.user()
        await ada.open()
        await ada.say("I want tea")
        assert ada.heard[-1] == (
            "Which tea? You can say Herb A, Herb B, Herb C, Herb D or Herb E. Say more to hear the rest."
        )
        await ada.say("more")
        assert ada.heard[-1] == "You can say Herb F or Herb G."


async def test_a_text_of_any_length_is_cut_at_sentences_and_goes_on_to_its_end(alexa: Alexa, tmp_path: Path) -> None:
    flow = copy.deepcopy(FLOW)
    sentences = [f"Tea number {number} isn't \u00e0 la carte & costs much." for number in range(1400)]
    flow["conversations"]["help"]["steps"] = [
        {"type": "message", "messages": [" ".join(sentences[start : start + 700])]} for start in (0, 700)
    ]
    async with speaking(alexa, tmp_path, flow):
        ada = alexa.user()
        await ada.intent("AMAZON.HelpIntent")
        while ada.heard[-1].endswith("Say more to hear the rest."):
            await ada.intent("AMAZON.NextIntent")
        assert alexa.faults == []
        assert len(" ".join(sentences)) > 60_000
        assert len(ada.heard) > 8
        parts = [text.removesuffix("Say more to hear the rest.").strip() for text in ada.heard]
        assert all(part.endswith(".") for part in parts)
        said = " ".join(parts)
        assert said.removeprefix("Hello! ") == " ".join(sentences)


async def test_the_session_keeps_no_text_and_what_was_erased_is_not_read_out(alexa: Alexa, tmp_path: Path) -> None:
    flow = copy.deepcopy(FLOW)
    flow["conversations"]["help"]["steps"][0]["messages"] = ["All of our many teas. " * 1000]
    async with speaking(alexa, tmp_path, flow) as running:
        ada = alexa.user()
        await ada.intent("AMAZON.HelpIntent")
        assert "tea" not in str(ada.attributes)
        await running.service.erasure.erase("tea", ada.id)
        await ada.say("continue")
        assert (ada.heard[-1], ada.is_in_session, alexa.faults) == ("", False, [])


async def test_the_skill_closes_when_nothing_is_asked_any_more_and_on_stop(alexa: Alexa, tmp_path: Path) -> None:
    flow = asking({"type": "quick-reply", "data": ["Black", "Green", "Mint"]})
    steps = flow["conversations"]["tea"]["steps"]
    steps[1:] = [{"type": "message", "messages": ["Here is {{kind}}."]}]
    async with speaking(alexa, tmp_path, flow):
        ada = alexa.user()
        await ada.open()
        await ada.intent("AMAZON.HelpIntent")
        assert ada.is_in_session
        await ada.say("I want tea")
        await ada.say("stop")
        await ada.intent("AMAZON.StopIntent")
        assert not ada.is_in_session
        await ada.open()
        assert ada.heard[-1] == f"Which tea? {OPTIONS}"
        await ada.say("Mint")
        assert (ada.heard[-1], ada.is_in_session) == ("Here is Mint.", False)
        await ada.open()
        assert (ada.heard[-1], ada.is_in_session) == ("Hello!", True)
        await ada.end()
        assert alexa.faults == []


# ---- what is heard -----------------------------------------------------------------------------------------------


async def test_intents_mean_what_a_user_of_the_bots_language_says(alexa: Alexa, tmp_path: Path) -> None:
    teas = [f"Herb {letter}" for letter in "ABCDEFG"]
    async with speaking(alexa, tmp_path, asking({"type": "quick-reply", "data": teas})):
        ada = alexa.user()
        await ada.intent("GoalTeaIntent")
        assert ada.heard[-1].endswith("Which tea? You can say Herb A, Herb B, Herb C, Herb D, Herb E or Next 5.")
        await ada.intent("AMAZON.NextIntent")
        assert ada.heard[-1] == "Which tea? You can say Herb F, Herb G or Prev 5."
        await ada.intent("AMAZON.PreviousIntent")
        await ada.intent("AMAZON.RepeatIntent")
        assert ada.heard[-1] == ada.heard[-2]
        await ada.intent("AMAZON.FallbackIntent")
        assert ada.heard[-1].startswith("I am not sure I understood what you said.")
        await ada.intent("OrderIntent", kind="Herb G")
        assert ada.heard[-1] == "The password?"
        assert alexa.faults == []


async def test_the_written_model_brings_sentences_to_the_bot(alexa: Alexa, tmp_path: Path) -> None:
    async with speaking(alexa, tmp_path) as running:
        deployed = running.service.bots.active("tea")
        assert deployed is not None
        alexa.model = model_of(deployed.bot)
        ada = alexa.user()
        await ada.open()
        for sentence in ("I want tea", "no", "Green"):
            await ada.say(sentence)
        assert ada.heard[1::2] == [f"Which tea? {OPTIONS}", "The password?"]
        names = [
            one.body["request"].get("intent", {}).get("name") for one in alexa.exchanges if one.caller == "platform"
        ]
        assert names == [None, "GoalTeaIntent", "AMAZON.NoIntent", "AnswerIntent"]


# ---- what proves a request ---------------------------------------------------------------------------------------

ATTACKS: dict[str, dict[str, Any]] = {
    "no signature": {"headers": {"Signature-256": None}},
    "no certificates": {"headers": {"SignatureCertChainUrl": None}},
    "neither": {"headers": {"Signature-256": None, "SignatureCertChainUrl": None}},
    "a signature that is no base64": {"headers": {"Signature-256": "$$$"}},
    "the signature of another body": {"headers": {"Signature-256": "other"}},
    "a chain below another root": {"chain": "other-root"},
    "a chain of another host": {"chain": "other-host"},
    "a chain that has expired": {"chain": "expired"},
    "a chain that signed itself": {"chain": "self-signed"},
    "too old": {"seconds": -151},
    "from the future": {"seconds": 151},
    "for another skill": {"skill": "amzn1.ask.skill.other"},
} | {
    f"certificates at {url}": {"headers": {"SignatureCertChainUrl": url}}
    for url in (
        "http://s3.amazonaws.com/echo.api/echo-api-cert-right.pem",
        "https://s3.amazonaws.com.evil.example/echo.api/echo-api-cert-right.pem",
        "https://notamazon.com/echo.api/echo-api-cert-right.pem",
        "https://s3.amazonaws.com@evil.example/echo.api/echo-api-cert-right.pem",
        "https://s3.amazonaws.com:563/echo.api/echo-api-cert-right.pem",
        "https://s3.amazonaws.com:99999/echo.api/echo-api-cert-right.pem",
        "https://s3.amazonaws.com/EcHo.aPi/echo-api-cert-right.pem",
        "https://s3.amazonaws.com/invalid.path/echo-api-cert-right.pem",
        "https://s3.amazonaws.com/echo.api/../evil/echo-api-cert-right.pem",
        "https://s3.amazonaws.com/echo.api/%2e%2e/evil/echo-api-cert-right.pem",
        "https://s3.amazonaws.com/echo.api/none.pem",
        "https://[::1/echo.api/x.pem",
        "",
    )
}


async def test_a_request_that_amazon_did_not_make_for_this_skill_is_400_and_counted(
    alexa: Alexa, tmp_path: Path
) -> None:
    async with speaking(alexa, tmp_path) as running:
        ada = alexa.user()
        for name, attack in ATTACKS.items():
            envelope = alexa.envelope(ada, {"type": "LaunchRequest"}, new=True)
            if "skill" in attack:
                envelope["session"]["application"]["applicationId"] = attack["skill"]
            if "seconds" in attack:
                made = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=attack["seconds"])
                envelope["request"]["timestamp"] = made.strftime("%Y-%m-%dT%H:%M:%SZ")
            headers = dict(attack.get("headers", {}))
            if headers.get("Signature-256") == "other":
                headers["Signature-256"] = alexa.certificates.signature(b"other")
            answer = await alexa.post(envelope, chain=attack.get("chain", "right"), headers=headers)
            assert (answer.status, answer.json()["code"]) == (400, "bad-skill-request"), (name, answer.json())
        found = await running.service.metrics.scrape(running.service.store, running.service.clock)
        assert f'dialoom_forged_calls_total{{channel_type="voice-assistant"}} {len(ATTACKS)}.0'.encode() in found[1]
        assert not await running.service.store.chat(ChatKey("tea", "speaker", ada.id))


@pytest.mark.parametrize(
    "url",
    [
        "https://s3.amazonaws.com/echo.api/echo-api-cert.pem",
        "https://s3.amazonaws.com:443/echo.api/echo-api-cert.pem",
        "HTTPS://S3.AMAZONAWS.COM/echo.api//../echo.api/echo-api-cert.pem",
    ],
)
def test_an_address_of_certificates_is_normalised(url: str) -> None:
    assert certificate_path(url) == "/echo.api/echo-api-cert.pem"


async def test_certificates_are_fetched_once(alexa: Alexa, tmp_path: Path) -> None:
    async with speaking(alexa, tmp_path):
        ada = alexa.user()
        await ada.open()
        await ada.say("I want tea")
        assert len(alexa.calls("/echo.api/")) == 1


async def test_a_test_client_without_signature_is_let_in_by_the_setting_alone(alexa: Alexa, tmp_path: Path) -> None:
    unsigned: dict[str, str | None] = {"Signature-256": None, "SignatureCertChainUrl": None}
    async with speaking(alexa, tmp_path, unsigned_calls="allow"):
        envelope = alexa.envelope(alexa.user(), {"type": "LaunchRequest"}, new=True)
        assert (await alexa.post(envelope, headers=unsigned)).status == 200
        for forwarded in ({"X-Forwarded-For": "192.0.2.7"}, {"Host": "bots.example.org"}, {"Signature-256": "x"}):
            assert (await alexa.post(envelope, headers=unsigned | forwarded)).status == 400


async def test_a_request_that_comes_again_gets_the_stored_answer(alexa: Alexa, tmp_path: Path) -> None:
    async with speaking(alexa, tmp_path):
        envelope = alexa.envelope(alexa.user(), {"type": "LaunchRequest"}, new=True)
        first, again = await alexa.post(envelope), await alexa.post(envelope)
        assert first.content() == again.content()
        assert b"Hello!" in first.content()


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"request": 1}', b'{"request": {"type": "x"}}', b"\xff"])
async def test_a_signed_body_that_is_no_request_is_refused(alexa: Alexa, tmp_path: Path, body: bytes) -> None:
    async with speaking(alexa, tmp_path):
        headers = {
            "SignatureCertChainUrl": alexa.certificates.address(),
            "Signature-256": alexa.certificates.signature(body),
        }
        assert (await alexa.send(alexa.endpoint, body, headers)).status == 400


# ---- a turn that takes long --------------------------------------------------------------------------------------


async def test_a_result_that_comes_too_late_is_heard_with_the_next_request_and_once(
    alexa: Alexa, tmp_path: Path
) -> None:
    gate = asyncio.Event()

    async def brew(call: Call) -> None:
        await gate.wait()
        await call.reply("200 OK", b'{"number": 7}', "Content-Type: application/json")

    async with far_end(brew) as kitchen:
        flow = asking({"type": "quick-reply", "data": ["Black", "Green", "Mint"]})
        flow["conversations"]["tea"]["steps"][2]["data-source"]["endpoint"] = f"{kitchen.url}/tea"
        async with speaking(alexa, tmp_path, flow) as running:
            ada = alexa.user()
            for text in ("I want tea", "Mint", "secret"):
                await ada.say(text)
            assert ada.heard[-2:] == ["One moment, please.", "I am still working on it. Ask me again in a moment."]
            assert ada.is_in_session
            gate.set()
            await ada.say("is it there")
            await running.settled()
            await ada.open()
            assert ada.heard[-2:] == ["Order 7: Mint.", "Hello!"]
            assert len(kitchen.calls) == 1
            assert alexa.faults == []
            assert [one.status for one in alexa.calls("/v1/directives")] == [204]


@pytest.mark.parametrize(
    "endpoint",
    ["https://api.amazonalexa.com.evil.example", "http://api.amazonalexa.com", "https://evil.example/.amazonalexa.com"],
)
def test_a_token_for_progress_goes_to_amazon_alone(endpoint: str) -> None:
    settings = Settings()
    assert not is_of_amazon(endpoint, settings)
    assert is_of_amazon("https://api.eu.amazonalexa.com", settings)


# ---- account linking ---------------------------------------------------------------------------------------------


def protected() -> dict[str, Any]:
    """Return the tea flow with a step that needs a login."""
    flow = asking({"type": "quick-reply", "data": ["Black", "Green", "Mint"]})
    flow["conversations"]["tea"]["steps"][1:] = [
        {"type": "message", "protected": True, "messages": ["Here is {{kind}}."]}
    ]
    flow["settings"] = {
        "authentication": {
            "entity": "auth",
            "messages": ["Please log in."],
            "acknowledgements": ["Thank you for logging in."],
            "display": {"type": "login", "template": {"title": "Log in"}},
            "oidc": {"issuer": "https://id.example", "client-id": "tea", "client-secret": "secret"},
        }
    }
    return flow


PROMPT = "Please log in. Please link your account in the app, then start again."


async def order(ada: AlexaUser, tea: str) -> None:
    await ada.say("I want tea")
    await ada.say(tea)


async def test_a_protected_step_asks_to_link_the_account_and_goes_on_when_it_is_linked(
    alexa: Alexa, tmp_path: Path
) -> None:
    async with speaking(alexa, tmp_path, protected()):
        ada = alexa.user()
        await ada.open()
        await order(ada, "Mint")
        last = ada.spoken[-1]
        assert (last["text"], last["card"], last["ended"]) == (PROMPT, {"type": "LinkAccount"}, True)
        ada.link_account("token-1")
        await ada.open()
        assert ada.heard[-1] == "Thank you for logging in. Here is Mint."
        await order(ada, "Black")
        assert ada.heard[-1] == "Here is Black."
        assert alexa.faults == []


async def test_a_token_that_is_renewed_is_taken_in_silence_and_one_that_goes_logs_out(
    alexa: Alexa, tmp_path: Path
) -> None:
    async with speaking(alexa, tmp_path, protected()) as running:
        ada = alexa.user()
        ada.link_account("token-1")
        await ada.open()
        assert ada.heard == ["Thank you for logging in. Hello!"]
        await ada.say("restart")
        ada.link_account("token-2")
        await order(ada, "Mint")
        assert ada.heard[-1] == "Here is Mint."
        assert sum("Thank you" in text for text in ada.heard) == 1
        ada.access_token = None
        await order(ada, "Black")
        assert ada.heard[-1] == PROMPT
        ada.link_account("token-3")
        await ada.open()
        assert ada.heard[-1] == "Thank you for logging in. Here is Black."
        chat = await running.service.store.chat(ChatKey("tea", "speaker", ada.id))
        kept = open_chat(running.service.vault, ChatKey("tea", "speaker", ada.id), chat).kept
        assert kept.state.entities["auth"]["access_token"] == "token-3"
        assert alexa.faults == []


# ---- bodies and faults -------------------------------------------------------------------------------------------

_PLACES = [
    ("request",),
    ("request", "type"),
    ("request", "requestId"),
    ("request", "timestamp"),
    ("request", "locale"),
    ("request", "intent"),
    ("request", "intent", "name"),
    ("request", "intent", "slots"),
    ("request", "error"),
    ("session",),
    ("session", "user"),
    ("session", "attributes"),
    ("session", "attributes", "first"),
    ("context",),
    ("context", "System"),
    ("context", "System", "apiEndpoint"),
    ("version",),
]
_plain = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from(["IntentRequest", "LaunchRequest"])
)
_nested = _plain | st.lists(_plain, max_size=3) | st.dictionaries(st.text(max_size=8), _plain, max_size=3)
_values = _nested | st.lists(_nested, max_size=3) | st.dictionaries(st.text(max_size=8), _nested, max_size=3)


@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(changes=st.lists(st.tuples(st.sampled_from(_PLACES), _values), min_size=25, max_size=25))
async def test_whatever_a_signed_body_holds_is_answered_or_refused(
    alexa: Alexa, tmp_path: Path, changes: list[tuple[tuple[str, ...], Any]]
) -> None:
    async with speaking(alexa, Path(tempfile.mkdtemp(dir=tmp_path))):
        intent = {"name": "AnswerIntent", "slots": {"answer": {"name": "answer", "value": "tea"}}}
        for path, value in changes:
            envelope = alexa.envelope(alexa.user(), {"type": "IntentRequest", "intent": intent}, new=True)
            inner = envelope
            for name in path[:-1]:
                inner = inner[name]
            inner[path[-1]] = value
            answer = await alexa.post(envelope)
            assert answer.status in (200, 400), (path, value, answer.content())


async def test_while_amazons_certificates_cannot_be_fetched_requests_are_refused(alexa: Alexa, tmp_path: Path) -> None:
    for fault, refused in (({"status": 500}, 400), ({"half": True}, 503), ({"close": True}, 503)):
        async with speaking(alexa, tmp_path / str(fault)):
            alexa.fail_next(on="/echo.api/", **fault)
            envelope = alexa.envelope(alexa.user(), {"type": "LaunchRequest"}, new=True)
            answer = await alexa.post(envelope)
            assert answer.status == refused  # what is no fault of the caller's counts as no forged call


async def test_the_console_steps_are_said(alexa: Alexa, tmp_path: Path) -> None:
    async with speaking(alexa, tmp_path, protected()) as running:
        deployed = running.service.bots.active("tea")
        assert deployed is not None
        place = running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])
        told = await CHANNELS["voice-assistant"].connect(place, alexa.endpoint)
        assert [one.state for one in told] == ["ok", *["by-hand"] * 4]
        assert alexa.endpoint in told[2].text
        unset = {"voice_assistant_certificate_url": Settings().voice_assistant_certificate_url}
        place.bot_channels.settings = msgspec.structs.replace(place.settings, **unset)
        told = await CHANNELS["voice-assistant"].check(place, alexa.endpoint)
        (wrong,) = (one.text for one in told if one.state == "wrong")
        assert wrong.startswith("Alexa calls https addresses only")


async def test_what_alexa_found_wrong_with_an_answer_stands_in_the_log_on_one_line(
    alexa: Alexa, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with speaking(alexa, tmp_path):
        error = {"type": "INVALID_RESPONSE", "message": "No <speak>\nin it"}
        request = {"type": "SessionEndedRequest", "reason": "ERROR", "error": error}
        answer = await alexa.post(alexa.envelope(alexa.user(), request, new=True))
        assert (answer.status, answer.json()["response"]) == (200, {})
        assert "channel speaker of bot tea: INVALID_RESPONSE No <speak>\\nin it" in caplog.text


async def test_a_skill_of_goals_alone_greets_and_stays_open(alexa: Alexa, tmp_path: Path) -> None:
    question = {"type": "question", "entity": "tea", "entity-type": "Text", "messages": ["Which tea?"]}
    conversations = {"tea": {"type": "goal", "display-name": "order tea", "steps": [question]}}
    async with speaking(alexa, tmp_path, {"conversations": conversations}, {"entity-definitions": []}):
        ada = alexa.user()
        opened = (await ada.open()).json()["response"]
        assert "What would you like to do?" in opened["outputSpeech"]["ssml"]
        assert "You can say order tea" in opened["outputSpeech"]["ssml"]
        assert not opened["shouldEndSession"]
        assert b"Which tea?" in (await ada.say("order tea")).content()
