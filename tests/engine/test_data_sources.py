"""Data sources: requests as the flow says, answers as they are stored (flow-language.md section 7)."""

import msgspec
import pytest

from dialoom.engine.events import NoResponse, Response
from tests.engine.talking import Chat, bot, goal, hook, q, say, trait

GO = trait(go=["go"])
FAILURE = "We are experiencing technical difficulties at this moment."
URL = "https://api.test/x"


def chat_with_webhook(source: dict | None = None, endpoint: str = URL, **context: object) -> Chat:
    chat = Chat(
        bot({"go": goal(q("day", "Date"), hook("x", endpoint, "{{$json x}}", source=source), q("end"))}, GO),
        {URL: "ok"},
    )
    chat.say("go", context=context)
    return chat


def request(chat: Chat):
    chat.say("tomorrow")
    return chat.calls[-1].request


def answered(answer: Response, **source: object) -> Chat:
    chat = chat_with_webhook({key.replace("_", "-"): value for key, value in source.items()})
    chat.answers[URL] = answer
    chat.say("tomorrow")
    return chat


# ---- requests ----------------------------------------------------------------------------------------------------


def test_a_get_is_retried_and_has_no_body() -> None:
    sent = request(chat_with_webhook())
    assert (sent.method, sent.url, sent.body, sent.retries, sent.idempotency_key) == ("GET", URL, None, 2, None)
    assert sent.trusted_host


def test_a_post_is_not_retried_and_has_a_key_of_bot_event_step_and_number() -> None:
    sent = request(chat_with_webhook({"method": "POST", "payload": {"day": "{{day}}"}}))
    assert (sent.retries, sent.idempotency_key) == (0, "b:e2:go/1:0")
    assert sent.body == b'{"day":"2026.11.21"}'
    assert sent.headers == (("Content-Type", "application/json"),)


def test_a_post_with_the_flows_own_key_may_be_retried() -> None:
    sent = request(chat_with_webhook({"method": "POST", "headers": {"idempotency-key": "mine"}}))
    assert (sent.retries, sent.idempotency_key) == (2, None)


def test_full_mode_never_retries_because_of_a_status() -> None:
    assert request(chat_with_webhook()).retries_statuses
    assert not request(chat_with_webhook({"response": "full"})).retries_statuses


def test_a_form_goes_out_when_the_flow_says_so() -> None:
    source = {
        "method": "POST",
        "headers": {"Content-Type": "application/x-www-form-urlencoded"},
        "payload": {"day": "{{day}}", "tag": ["a b", "ü"], "none": None, "yes": True},
    }
    sent = request(chat_with_webhook(source))
    assert sent.body == b"day=2026.11.21&tag=a+b&tag=%C3%BC&yes=true"
    assert sent.headers == (("Content-Type", "application/x-www-form-urlencoded"),)


def test_a_text_payload_is_sent_as_plain_text() -> None:
    sent = request(chat_with_webhook({"method": "POST", "payload": "day={{day}}"}))
    assert sent.body == b"day=2026.11.21"
    assert sent.headers == (("Content-Type", "text/plain; charset=utf-8"),)


def test_headers_are_rendered_and_secret_ones_left_to_the_runner() -> None:
    sent = request(chat_with_webhook({"headers": {"X-Day": "{{day}}", "Authorization": {"env": "BOT_TOKEN"}}}))
    assert sent.headers == (("X-Day", "2026.11.21"),)
    assert sent.secret_headers == (("Authorization", "BOT_TOKEN"),)


def test_the_time_limit_is_ten_seconds_unless_the_flow_says_so() -> None:
    assert request(chat_with_webhook()).timeout == 10
    assert request(chat_with_webhook({"timeout": 2.5})).timeout == 2.5


def test_a_host_from_memory_is_not_trusted() -> None:
    chat = chat_with_webhook(None, "https://{{host}}/x", host="api.test")
    assert not request(chat).trusted_host


def test_a_line_break_in_a_header_fails_the_turn() -> None:
    chat = chat_with_webhook({"headers": {"X": "{{secret}}"}}, secret="a\r\nb")
    assert chat.say("tomorrow") == [FAILURE]
    assert chat.calls == []
    assert "a\r\nb" not in chat.failures[0][1]


# ---- answers -----------------------------------------------------------------------------------------------------


def json_of(value: object) -> Response:
    return Response(
        status=200, headers={"content-type": ["application/json; charset=utf-8"]}, body=msgspec.json.encode(value)
    )


def test_json_is_stored_parsed_with_the_selector_applied() -> None:
    assert answered(json_of({"a": [1, 2.5, None]})).memory["x"] == {"a": [1, 2.5, None]}
    assert answered(json_of({"a": [{"b": 1}, {"b": 2}]}), selector="$.a[*].b").memory["x"] == [1, 2]
    assert answered(json_of({"a": [{"b": 1}]}), selector="$.a[0].b").memory["x"] == 1


@pytest.mark.parametrize(
    ("response", "stored"),
    [
        (Response(status=200, headers={"content-type": ["text/plain"]}, body=b' {"a":1}'), {"a": 1}),
        (Response(status=200, headers={"content-type": ["text/plain"]}, body=b"[1"), "[1"),
        (Response(status=200, headers={"content-type": ["application/problem+json"]}, body=b"5"), 5),
        (Response(status=200, headers={}, body=b"5"), "5"),
        (Response(status=200, headers={"content-type": ["text/plain; charset=iso-8859-1"]}, body=b"\xfc"), "ü"),
        (Response(status=200, headers={"content-type": ["text/plain; charset=nonsense"]}, body="ü".encode()), "ü"),
        (Response(status=200, headers={"content-type": ["text/plain; charset=hex"]}, body=b"00"), "00"),
        (Response(status=200, body="\ufeffa".encode()), "a"),
        (Response(status=200, body=b"\xff\x00"), "\ufffd\ufffd"),
    ],
)
def test_a_body_is_json_by_its_type_or_its_shape_else_text(response: Response, stored: object) -> None:
    assert answered(response).memory["x"] == stored


def test_204_is_null() -> None:
    chat = answered(Response(status=204, body=b"ignored"))
    assert "x" not in chat.memory
    assert chat.failures == []


def test_full_mode_stores_everything_and_a_bad_status_is_no_failure() -> None:
    response = Response(status=404, reason="Not Found", headers={"a": ["1", "2"]}, body=b'{"why":"gone"}')
    chat = answered(response, response="full", selector="$.why")
    assert chat.memory["x"] == {
        "status": 404,
        "statusText": "Not Found",
        "headers": {"a": ["1", "2"]},
        "body": {"why": "gone"},
    }


@pytest.mark.parametrize("code", [199, 300, 302, 404, 500])
def test_in_body_mode_any_other_status_than_2xx_fails(code: int) -> None:
    assert answered(Response(status=code, body=b"{}")).failures == [
        ("go/1", f"The data source answered with the status {code}.")
    ]


@pytest.mark.parametrize("mode", ["body", "full"])
def test_no_answer_fails_in_both_modes(mode: str) -> None:
    chat = chat_with_webhook({"response": mode})
    chat.answers[URL] = NoResponse("timeout", "GET https://api.test: no whole answer within 10 s.")
    assert chat.say("tomorrow") == [FAILURE]
    assert "no whole answer" in chat.failures[0][1]


def test_a_body_nested_too_deep_fails() -> None:
    body = b"[" * 200 + b"]" * 200
    assert "nested deeper" in answered(Response(status=200, body=body)).failures[0][1]


def test_a_selector_that_a_value_breaks_fails_without_telling_the_value() -> None:
    chat = chat_with_webhook({"selector": "$.{{part}}"}, part="]topsecret[")
    chat.answers[URL] = json_of({"a": 1})
    assert chat.say("tomorrow") == [FAILURE]
    assert "topsecret" not in chat.failures[0][1]


def test_a_webhook_may_read_an_entity_instead() -> None:
    flow = bot(
        {
            "go": goal(
                {"type": "webhook", "entity": "x", "data-source": {"entity": "list", "selector": "$[0]"}}, say("{{x}}")
            )
        },
        GO,
    )
    assert Chat(flow).say("go", context={"list": ["first"]}) == ["first"]


def test_a_webhook_may_have_no_entity() -> None:
    flow = bot({"go": goal(hook(None, URL, "Told."))}, GO)
    assert Chat(flow, {URL: 1}).say("go") == ["Told."]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (rb'{"a\u0000": "x\u0000y"}', {"a\ufffd": "x\ufffdy"}),
        (
            rb'["\ud83d\ude00", "\ud83d", "\ude00!", "\uD83Dx\ude00"]',
            ["\U0001f600", "\ufffd", "\ufffd!", "\ufffdx\ufffd"],
        ),
        (rb'["\\u0000", "\\\u0000", "\n"]', ["\\u0000", "\\\ufffd", "\n"]),
        (b'["x\x00y"]', ["x\ufffdy"]),
    ],
)
def test_what_no_store_takes_is_replaced_inside_the_values_of_json(body: bytes, value: object) -> None:
    chat = answered(Response(status=200, headers={"content-type": ["application/json"]}, body=body))
    assert chat.memory["x"] == value
