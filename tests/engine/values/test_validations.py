"""Each type of validation, at its edges (flow-language.md section 4). When they run is told in rule 4."""

import json
from typing import Any

import msgspec
import pytest

from dialoom.engine import Flow, compile_flow
from dialoom.engine.events import Attached, Attachment, NoResponse
from dialoom.flow import read_files
from tests.engine.talking import Answers, Chat, bot, check, goal, keywords, q, say, status, trait

GO = trait(go=["go"])
FAILURE = "We are experiencing technical difficulties at this moment."


def asking(type: str, *checks: dict, **more: Any) -> Chat:
    flow = bot(
        {"go": goal(q("x", type, reactions={"validations": list(checks)}, **more), say("Got it."))},
        GO,
        keywords("size", big=["large"], small=[]),
    )
    chat = Chat(flow)
    chat.say("go")
    return chat


def passes(chat: Chat, said: str) -> bool:
    answer = chat.say(said)
    assert answer in (["Got it."], ["No.", "x?"]), answer
    return answer == ["Got it."]


@pytest.mark.parametrize(
    ("said", "region", "is_right"),
    [
        ("12345", None, True),
        ("1234", None, False),
        ("123456789012345", None, True),
        ("1234567890123456", None, False),
        ("+43 (0)1 - 234.56/78", None, True),
        ("  +43 1 23456  ", None, True),
        ("４３１２３４５６", None, True),
        ("+", None, False),
        ("++43123456", None, False),
        ("43+123456", None, False),
        ("12345 ext 6", None, False),
        ("call me", None, False),
        ("0888 123 456", "BG", True),
        ("+359 888 123 456", "bg", True),
        ("+43 1 234567", "BG", False),
        ("0888 12", "BG", False),
        ("00359888123456", "BG", True),
    ],
)
def test_phone_accepts_numbers_of_the_region(said: str, region: str | None, is_right: bool) -> None:
    parameters = {} if region is None else {"region": region}
    assert passes(asking("Text", check("phone", "No.", **parameters)), said) is is_right


@pytest.mark.parametrize(
    ("said", "is_right"),
    [
        ("ada@example.org", True),
        (" Ada.L+x@mail.example.org ", True),
        ("ada@example", False),
        ("ada at example.org", False),
        ("it is ada@example.org", False),
        ("@example.org", False),
    ],
)
def test_email_accepts_addresses(said: str, is_right: bool) -> None:
    assert passes(asking("Text", check("email", "No.")), said) is is_right


@pytest.mark.parametrize(
    ("pattern", "said", "is_right"),
    [
        ("[A-Z]{2}\\d", "my AB1 code", True),
        ("^[A-Z]{2}\\d$", "my AB1 code", False),
        ("^[^\\W\\d]+$", "Žofie", True),
        ("b", "a", False),
    ],
)
def test_a_regex_is_searched_in_the_text(pattern: str, said: str, is_right: bool) -> None:
    assert passes(asking("Text", check("regex", "No.", value=pattern)), said) is is_right


def test_a_regex_sees_a_number_as_it_prints() -> None:
    assert passes(asking("Number", check("regex", "No.", value="^12$")), "12")


@pytest.mark.parametrize(
    ("limits", "said", "is_right"),
    [
        ({"min": 3}, "ab", False),
        ({"min": 3}, "abc", True),
        ({"max": "3"}, "abcd", False),
        ({"min": "2", "max": "2"}, "жя", True),
        ({"min": 0}, "a", True),
        ({"max": 1}, "🙂", True),
    ],
)
def test_length_counts_characters(limits: dict, said: str, is_right: bool) -> None:
    assert passes(asking("Text", check("length", "No.", **limits)), said) is is_right


@pytest.mark.parametrize(
    ("type", "limits", "said", "is_right"),
    [
        ("Number", {"min": 1, "max": 5}, "1", True),
        ("Number", {"min": 1, "max": 5}, "5", True),
        ("Number", {"min": 1, "max": 5}, "5.01", False),
        ("Number", {"min": "1"}, "0.9", False),
        ("Number", {"max": " 10 "}, "9", True),
        ("Number", {"min": -5, "max": -1}, "-3", True),
        ("Number", {"min": 9}, "10", True),
        ("Text", {"min": "9"}, "10", True),
        ("Date", {"min": "today"}, "yesterday", False),
        ("Date", {"min": "today"}, "today", True),
        ("Date", {"min": "2026-11-25", "max": "2026.11.27"}, "26.11.2026", True),
        ("Date", {"min": "2026-11-25", "max": "2026.11.27"}, "28.11.2026", False),
        ("Date", {"max": "next Friday"}, "1.1.2030", False),
        ("Time", {"min": "9:00", "max": "17:30"}, "17:30", True),
        ("Time", {"min": "9:00", "max": "17:30"}, "17:31", False),
        ("Time", {"min": "9 am"}, "10:00", True),
        ("Time", {"min": "9:00"}, "10:00", True),
        ("Datetime", {"min": "2026-11-21T12:00"}, "2026-11-21T11:59", False),
        ("Datetime", {"min": "2026-11-21T12:00"}, "2026-11-21T12:00", True),
        ("Amount", {"min": 10}, "$9.99", False),
        ("Amount", {"min": 10}, "$10", True),
    ],
)
def test_range_accepts_values_between_its_limits(type: str, limits: dict, said: str, is_right: bool) -> None:
    assert passes(asking(type, check("range", "No.", **limits)), said) is is_right


def test_a_limit_may_be_an_entity_and_one_without_a_value_holds() -> None:
    chat = asking("Number", check("range", "No.", min="{{least}}"))
    assert passes(chat, "1")
    chat = asking("Number", check("range", "No.", min="{{least}}"))
    chat.tell(least="5")
    assert not passes(chat, "4")
    assert passes(chat, "5")


@pytest.mark.parametrize(
    ("type", "values", "said", "is_right"),
    [
        ("Text", ["red", "blue"], "red", True),
        ("Text", ["red", "blue"], "green", False),
        ("Number", ["1", 2], "1", True),
        ("Number", ["1", 2], "3", False),
        ("Date", ["2026.11.21"], "tomorrow", True),
        ("Time", ["9:00"], "09:00", True),
        ("size", ["big"], "large", True),
        ("size", ["small"], "large", False),
        ("Confirmation", [True], "yes", True),
        ("Confirmation", [True], "no", False),
        ("Text", ["{{user.FirstName}}"], "Ada", True),
    ],
)
def test_match_accepts_listed_values(type: str, values: list, said: str, is_right: bool) -> None:
    assert passes(asking(type, check("match", "No.", values=values)), said) is is_right


@pytest.mark.parametrize(
    ("condition", "said", "is_right"),
    [
        ("{{$lt x 5}}", "4", True),
        ("{{$lt x 5}}", "5", False),
        ("{{nothing}}", "1", False),
        ("{{$not nothing}}", "1", True),
    ],
)
def test_custom_accepts_what_its_condition_holds_for(condition: str, said: str, is_right: bool) -> None:
    assert passes(asking("Number", check("custom", "No.", condition=condition)), said) is is_right


def test_each_of_several_values_must_pass() -> None:
    chat = asking("Number", check("range", "No.", max=5), capture_multiple_values=True)
    assert not passes(chat, "3 and 9")
    assert "x" not in chat.memory
    assert passes(chat, "3 and 4")


def test_an_answer_that_fails_leaves_what_else_the_message_told() -> None:
    flow = bot(
        {
            "go": goal(
                q("n", "Number", reactions={"validations": [check("range", "No.", max=5)]}),
                q("day", "Date"),
                say("Ok."),
            )
        },
        GO,
    )
    chat = Chat(flow)
    chat.say("go")
    assert chat.say("9 tomorrow") == ["No.", "n?"]
    assert chat.say("4") == ["Ok."]


# ---- images -------------------------------------------------------------------------------------------------------

LABELLER = "https://labels.test/what"


def photographing(*labels: str, labeller: str | None = LABELLER) -> Chat:
    checks = [check("image", f"No {label}.", contains=label) for label in labels]
    flow = {"conversations": {"go": goal(q("x", "File", reactions={"validations": checks}), say("Got {{x.name}}."))}}
    files = {
        "bot.json": json.dumps({"id": "b"} | ({"image-labeller": labeller} if labeller else {})),
        "flow.json": json.dumps(flow),
        "training.json": json.dumps({"entity-definitions": [GO]}),
    }
    compiled: Flow = compile_flow(read_files(files))
    chat = Chat(compiled)
    chat.say("go")
    return chat


def test_an_image_passes_with_one_of_several_labels() -> None:
    several = {"type": "image", "parameters": {"contains": ["Cat", "dog"]}, "error-message": "No pet."}
    flow = bot({"go": goal(q("x", "File", reactions={"validations": [several]}), say("Got it."))}, GO)
    for label, answer in (("dog", ["Got it."]), ("cat", ["Got it."]), ("car", ["No pet.", "x?"])):
        chat = Chat(flow)
        chat.say("go")
        assert attach(chat, "a", label) == answer


def attach(chat: Chat, name: str = "a", *labels: str, type: str | None = "image/png") -> list[str]:
    return chat.send(Attached, files=(Attachment(f"https://files.test/{name}", type, name, labels),))


def test_an_image_must_have_the_label_in_any_case() -> None:
    chat = photographing("Cat")
    assert attach(chat, "a", "dog") == ["No Cat.", "x?"]
    assert attach(chat, "b", "dog", "CAT ") == ["Got b."]
    assert chat.calls == []


def test_without_labels_and_without_a_labeller_it_holds() -> None:
    assert attach(photographing("cat", labeller=None)) == ["Got a."]


@pytest.mark.parametrize(
    "answer",
    [
        {"labels": ["Dog", "cat"]},
        ["cat"],
        [{"label": "cat"}, {"name": "dog"}],
        {"labels": [{"name": "Cat", "score": 0.9}, 5, None, {"label": 3}]},
    ],
)
def test_the_labeller_is_asked_for_an_image_without_labels(answer: Any) -> None:
    chat = photographing("cat")
    chat.answers[LABELLER] = answer
    assert attach(chat) == ["Got a."]
    [fetch] = chat.calls
    assert (fetch.request.method, fetch.request.url, fetch.step) == ("POST", LABELLER, "go/0")
    assert msgspec.json.decode(fetch.request.body) == {"url": "https://files.test/a"}
    assert fetch.request.trusted_host
    assert fetch.request.idempotency_key
    assert "labels" not in chat.memory.get("x", {})


def test_an_image_that_lacks_the_label_is_turned_away() -> None:
    chat = photographing("cat")
    chat.answers[LABELLER] = Answers({"labels": ["dog"]}, {"labels": []}, {"labels": ["cat"]})
    assert attach(chat, "a") == ["No cat.", "x?"]
    assert attach(chat, "b") == ["No cat.", "x?"]
    assert attach(chat, "c") == ["Got c."]


def test_two_image_validations_of_one_picture_are_one_call() -> None:
    chat = photographing("cat", "sofa")
    chat.answers[LABELLER] = {"labels": ["cat", "sofa"]}
    assert attach(chat) == ["Got a."]
    assert len(chat.calls) == 1


def test_what_is_no_image_is_turned_away_without_a_call() -> None:
    chat = photographing("cat")
    assert attach(chat, type="application/pdf") == ["No cat.", "x?"]
    assert chat.calls == []
    assert attach(photographing("cat", labeller=None), type="application/pdf") == ["Got a."]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (status(500), "The image labeller answered with the status 500."),
        (
            NoResponse("timeout", "labels.test did not answer in 10 s."),
            "The image labeller gave no answer: labels.test did not answer in 10 s.",
        ),
        ({"tags": []}, 'The image labeller gave no list of labels. It must answer with {"labels": [...]}.'),
        ("cat", 'The image labeller gave no list of labels. It must answer with {"labels": [...]}.'),
    ],
)
def test_a_labeller_that_fails_fails_the_turn_and_the_question_stays_open(answer: Any, reason: str) -> None:
    chat = photographing("cat")
    chat.answers[LABELLER] = answer
    assert attach(chat) == [FAILURE]
    assert chat.failures == [("go/0", reason)]
    chat.answers[LABELLER] = ["cat"]
    assert attach(chat) == ["Got a."]


# ---- ambiguities and acknowledgements -----------------------------------------------------------------------------


def test_an_ambiguity_of_numbers_is_settled_by_a_tap_or_by_words() -> None:
    flow = bot({"go": goal(q("n", "Number", reactions={"ambiguities": ["Which?"]}), say("{{n}}"))}, GO)
    for choose in (lambda chat: chat.tap("4"), lambda chat: chat.say("the 4")):
        chat = Chat(flow)
        chat.say("go")
        assert chat.say("3 or 4") == ["Which? [3] [4]"]
        assert choose(chat) == ["4"]


def test_what_is_ambiguous_reads_as_the_entity_display_says_and_amounts_with_their_currency() -> None:
    flow = bot({"go": goal(q("n", "Number", entity_display="{{n}} people"), say("{{n}}"))}, GO)
    chat = Chat(flow)
    chat.say("go")
    assert chat.say("3 or 4") == ["n? [3 people] [4 people]"]
    assert chat.tap("4 people") == ["4 people"]
    chat = Chat(bot({"go": goal(q("price", "Amount"), say("{{price}} {{price.currency}}"))}, GO))
    chat.say("go")
    assert chat.say("$5 or €5") == ["price? [5 USD] [5 EUR]"]
    assert chat.tap("5 EUR") == ["5 EUR"]


def test_a_chosen_candidate_is_validated() -> None:
    rules = {"validations": [check("range", "Too many.", max=3)], "ambiguities": ["Which?"]}
    chat = Chat(bot({"go": goal(q("n", "Number", reactions=rules), say("{{n}}"))}, GO))
    chat.say("go")
    chat.say("3 or 4")
    assert chat.tap("4") == ["Too many.", "n?"]


def test_what_is_asked_for_is_not_acknowledged() -> None:
    chat = Chat(bot({"go": goal(q("n", "Number", reactions={"acknowledgements": ["{{n}}!"]}), say("Ok."))}, GO))
    chat.say("go")
    assert chat.say("3") == ["Ok."]
