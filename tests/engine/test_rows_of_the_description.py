"""One flow for each row of the product's description of flows (structure, login, displays, data sources, states).

Each is written from the words of its row alone, without training where the row names none, loaded as JSON and talked to.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from dialoom.engine import compile_flow
from dialoom.engine.events import Response
from dialoom.flow import check_files, read_files
from tests.engine.talking import Chat

API = "https://api.example.com/orders"
PIZZA = {"name": "Pizza", "lookup-strategy": "keywords", "data": [{"value": "Margherita"}, {"value": "Napoli"}]}
MANY = [f"Room {number}" for number in range(1, 8)]
ROOMS = [{"name": "Blue", "floor": 2}, {"name": "Green", "floor": 3}]


def webhook(entity: str | None = "order", *messages: Any, **source: Any) -> dict[str, Any]:
    step = {"type": "webhook", "data-source": {"endpoint": API, "method": "GET"} | source, "messages": list(messages)}
    return step | ({"entity": entity} if entity else {})


def question(type: str = "Text", **more: Any) -> dict[str, Any]:
    return {"type": "question", "entity": "answer", "entity-type": type, "messages": ["Which?"]} | more


def message(*texts: Any) -> dict[str, Any]:
    return {"type": "message", "messages": list(texts)}


def full(status: int, body: Any, **headers: list[str]) -> Response:
    return Response(status, "Reason", {"content-type": ["application/json"], **headers}, json.dumps(body).encode())


def checked(condition: str, error: Any, **more: Any) -> dict[str, Any]:
    return {
        "validations": [{"type": "custom", "parameters": {"condition": condition} | more, "error-message": [error]}]
    }


GOT = message("Got {{answer}}.")
LIST = {"data-source": {"endpoint": API, "method": "GET", "selector": "$.rooms"}}

# Row of the description: steps of the goal "order", what the service answers, and the talk after "order".
ROWS: dict[str, tuple[list[dict[str, Any]], Any, list[tuple[str, list[str]]]]] = {
    "messages, one of several, or a sequence": (
        [message(["One.", "Two."])],
        None,
        [("order", ["One.", "Two."])],
    ),
    "a webhook stores the answer in its entity": (
        [webhook("order", "Number {{order.number}}.")],
        {"number": 7},
        [("order", ["Number 7."])],
    ),
    "an item of an array": ([webhook("order", "{{order.[1].name}}")], ROOMS, [("order", ["Green"])]),
    "a selection must match a value of the entity type": (
        [question("Pizza", display={"type": "quick-reply"}), GOT],
        None,
        [
            ("order", ["Which? [Margherita] [Napoli]"]),
            ("Calzone", ["I am not sure I understood what you said.", "Which? [Margherita] [Napoli]"]),
            ("Napoli", ["Got Napoli."]),
        ],
    ),
    "a condition that does not hold sends the error message": (
        [question("Number", reactions=checked("{{$eq answer 5}}", "Not {{answer}}.")), GOT],
        None,
        [("order", ["Which?"]), ("4", ["Not 4.", "Which?"]), ("5", ["Got 5."])],
    ),
    "a validation by request, with response full": (
        [
            question(
                reactions=checked(
                    "{{$eq _response.status 200}}",
                    "Status {{_response.status}}.",
                    **{"data-source": {"endpoint": API, "method": "get", "response": "full"}},
                )
            )
        ],
        full(404, {}),
        [("order", ["Which?"]), ("x", ["Status 404.", "Which?"])],
    ),
    "helpers": (
        [webhook("order", "{{$currency order.price 'USD'}} {{$encodeURI order.name}} {{$json order.tags}}")],
        {"price": 81.1, "name": "a b", "tags": ["x"]},
        [("order", ['$81.10 a%20b ["x"]'])],
    ),
    "quick replies of static texts": (
        [question(display={"type": "quick-reply", "data": ["Red", "Blue"]}), GOT],
        None,
        [("order", ["Which? [Red] [Blue]"]), ("tap Blue", ["Got Blue."])],
    ),
    "quick replies of option objects, whose value is what the bot receives": (
        [
            question(
                "Pizza", display={"type": "quick-reply", "data": [{"title": "**Napoli**, hot", "value": "Napoli"}]}
            ),
            GOT,
        ],
        None,
        [("order", ["Which? [**Napoli**, hot]"]), ("tap **Napoli**, hot", ["Got Napoli."])],
    ),
    "quick replies of static texts, with a template of one text": (
        [question(display={"type": "quick-reply", "data": ["Red", "Blue"], "template": "The {{this}} one"}), GOT],
        None,
        [("order", ["Which? [The Red one] [The Blue one]"]), ("the blue one", ["Got The Blue one."])],
    ),
    "quick replies of static objects, with a template of title and value": (
        [
            question(
                display={"type": "quick-reply", "data": ROOMS, "template": {"title": "{{name}}", "value": "{{floor}}"}}
            ),
            GOT,
        ],
        None,
        [("order", ["Which? [Blue] [Green]"]), ("green", ["Got 3."])],
    ),
    "quick replies from an endpoint, with a template of one text": (
        [question(display={"type": "quick-reply", "template": "{{name}} ({{floor}})", **LIST}), GOT],
        {"rooms": ROOMS},
        [("order", ["Which? [Blue (2)] [Green (3)]"]), ("tap Green (3)", ["Got Green (3)."])],
    ),
    "quick replies with title, value and image": (
        [
            question(display={"type": "quick-reply", "template": {"title": "{{name}}!", "value": "{{floor}}"}, **LIST}),
            GOT,
        ],
        {"rooms": ROOMS},
        [("order", ["Which? [Blue!] [Green!]"]), ("tap Blue!", ["Got 2."])],
    ),
    "options from an entity in memory": (
        [
            webhook("rooms"),
            question(
                display={
                    "type": "quick-reply",
                    "data-source": {"entity": "rooms", "selector": "$[*].name"},
                }
            ),
            GOT,
        ],
        ROOMS,
        [("order", ["Which? [Blue] [Green]"]), ("Blue", ["Got Blue."])],
    ),
    "five replies at a time": (
        [question(display={"type": "quick-reply", "data": MANY}), GOT],
        None,
        [
            ("order", ["Which? [Room 1] [Room 2] [Room 3] [Room 4] [Room 5] [Next 5]"]),
            ("Next 5", ["Which? [Room 6] [Room 7] [Prev 5]"]),
            ("tap Prev 5", ["Which? [Room 1] [Room 2] [Room 3] [Room 4] [Room 5] [Next 5]"]),
            ("Room 7", ["Got Room 7."]),
        ],
    ),
    "a date picker": (
        [question("Date", display={"type": "date-picker"}), GOT],
        None,
        [("order", ["Which? <date-picker: >"]), ("7 August 2027", ["Got 2027.08.07."])],
    ),
    "a location picker": (
        [question("Location", display={"type": "location-picker", "title": "Where", "button-text": "Here"})],
        None,
        [("order", ["Which? <location-picker: >"])],
    ),
    "a single select": (
        [question(display={"type": "single-select", "title": "Rooms", "data": ["Blue", "Green"]}), GOT],
        None,
        [("order", ["Which? <single-select: Blue, Green>"]), ("tap Green", ["Got Green."])],
    ),
    "a single select with subtitle, image and value": (
        [
            question(
                display={
                    "type": "single-select",
                    "title": "Rooms",
                    "button-text": "OK",
                    "template": {
                        "title": "{{name}}",
                        "subtitle": "Floor {{floor}}",
                        "image": "https://a.example/{{floor}}.png",
                        "value": "{{floor}}",
                    },
                    **LIST,
                }
            ),
            GOT,
        ],
        {"rooms": ROOMS},
        [("order", ["Which? <single-select: Blue, Green>"]), ("tap Green", ["Got 3."])],
    ),
    "a single select of an array of texts": (
        [
            question(
                display={
                    "type": "single-select",
                    "title": "Rooms",
                    "data-source": {"endpoint": API, "method": "GET"},
                    "template": {"title": "{{this}}"},
                }
            ),
            GOT,
        ],
        ["Blue", "Green"],
        [("order", ["Which? <single-select: Blue, Green>"]), ("tap Green", ["Got Green."])],
    ),
    "a multi select of the values of a type": (
        [
            question("Pizza", display={"type": "multi-select", "title": "Pizzas"}, **{"capture-multiple-values": True}),
            message("{{answer.[1]}}"),
        ],
        None,
        [("order", ["Which? <multi-select: Margherita, Napoli>"]), ("Margherita, Napoli", ["Napoli"])],
    ),
    "a multi select": (
        [
            question(
                display={"type": "multi-select", "title": "Rooms", "data": ["Blue", "Green"]},
                **{"capture-multiple-values": True},
            ),
            message("{{answer.length}}"),
        ],
        None,
        [("order", ["Which? <multi-select: Blue, Green>"]), ("Blue, Green", ["2"])],
    ),
    "a carousel": (
        [
            question(
                display={
                    "type": "carousel",
                    "template": {"title": "{{name}}", "image": "https://a.example/{{floor}}.png"},
                    **LIST,
                }
            ),
            GOT,
        ],
        {"rooms": ROOMS},
        [("order", ["Which? <carousel: Blue, Green>"]), ("tap Blue", ["Got Blue."])],
    ),
    "a payload with values of entities": (
        [question("Number"), webhook("order", "Sent.", method="POST", payload={"n": "{{answer}}"})],
        {},
        [("order", ["Which?"]), ("3", ["Sent."])],
    ),
    "a validation by request, with response body": (
        [
            question(
                reactions=checked(
                    "{{_response.ok}}", "{{_response.why}}", **{"data-source": {"endpoint": API, "method": "GET"}}
                )
            )
        ],
        {"ok": False, "why": "No such code."},
        [("order", ["Which?"]), ("x", ["No such code.", "Which?"])],
    ),
    "a selector reaches the array inside of an object": (
        [webhook("order", "{{order.length}} {{order.[0].name}}", selector="$.rooms")],
        {"rooms": ROOMS},
        [("order", ["2 Blue"])],
    ),
    "options that are no array": (
        [question(display={"type": "quick-reply", "data-source": {"endpoint": API, "method": "GET"}})],
        {"rooms": ROOMS},
        [("order", ["We are experiencing technical difficulties at this moment."])],
    ),
    "a response body that is no JSON": (
        [webhook("order", "{{order}}")],
        Response(200, "OK", {"content-type": ["text/plain"]}, b"plain words"),
        [("order", ["plain words"])],
    ),
    "response full with a body that is no JSON": (
        [webhook("order", "{{order.status}} {{order.body}}", response="full")],
        Response(200, "OK", {"content-type": ["text/plain"]}, b"plain words"),
        [("order", ["200 plain words"])],
    ),
    "response body outside of 200 to 299 stops the flow": (
        [webhook("order", "Never."), message("Never.")],
        full(500, {}),
        [("order", ["We are experiencing technical difficulties at this moment."])],
    ),
    "response full stores the whole response and goes on": (
        [
            webhook(
                "order",
                "{{order.status}} {{order.statusText}} {{order.headers.X-Left.[0]}} {{order.body.why}}",
                response="full",
            )
        ],
        full(404, {"why": "gone"}, **{"x-left": ["3"]}),
        [("order", ["404 Reason 3 gone"])],
    ),
}


def chat_of(steps: list[dict[str, Any]], answer: Any, **flow: Any) -> Chat:
    conversations = {"order": {"type": "goal", "display-name": "Order", "steps": steps}}
    files = {
        "bot.json": json.dumps({"id": "b"}),
        "flow.json": json.dumps({"conversations": conversations} | flow),
        "training.json": json.dumps({"entity-definitions": [PIZZA]}),
    }
    assert [str(one) for one in check_files(files) if one.severity == "error"] == []
    return Chat(compile_flow(read_files(files)), {API: answer})


@pytest.mark.parametrize("row", ROWS)
def test_a_flow_of_the_words_of_a_row_does_what_the_row_says(row: str) -> None:
    steps, answer, talk = ROWS[row]
    chat = chat_of(steps, answer)
    for said, answers in talk:
        heard = chat.tap(said.removeprefix("tap ")) if said.startswith("tap ") else chat.say(said)
        assert [text.rstrip() for text in heard] == answers


def test_the_payload_keeps_the_type_of_the_entity() -> None:
    steps, answer, _ = ROWS["a payload with values of entities"]
    chat = chat_of(steps, answer)
    chat.say("order")
    chat.say("3")
    assert [call.request.body for call in chat.calls] == [b'{"n":3}']


def test_endpoint_headers_and_payload_hold_expressions_over_collected_entities() -> None:
    source = {
        "endpoint": API + "?for={{$encodeURI answer}}",
        "method": "PUT",
        "headers": {"Authorization": "Bearer {{auth.access_token}}", "X-Count": 5},
        "payload": {"user": {"id": "{{user.Id}}"}, "for": ["{{answer}}", 1]},
    }
    chat = chat_of([question(), webhook("order", "Sent.", **source)], None)
    chat.answers[API + "?for=a%20%26b"] = {}
    chat.tell(auth={"access_token": "opaque"})
    chat.say("order")
    assert chat.say("a &b") == ["Sent."]
    (request,) = [call.request for call in chat.calls]
    assert (request.method, request.body) == ("PUT", b'{"user":{"id":"u1"},"for":["a &b",1]}')
    sent = {name.lower(): value for name, value in request.headers}
    assert (sent["authorization"], sent["x-count"]) == ("Bearer opaque", "5")


def test_the_buttons_of_a_picker_say_open_and_submit_by_themselves() -> None:
    for type, kind in (("date-picker", "Date"), ("location-picker", "Location")):
        chat = chat_of([question(kind, display={"type": type})], None)
        chat.say("order")
        (dialog,) = [one.dialog for one in chat.messages if one.dialog is not None]
        assert (dialog.title, dialog.button_text) == ("Open", "Submit")


def test_the_labels_of_paging_are_those_of_the_settings() -> None:
    steps = ROWS["five replies at a time"][0]
    chat = chat_of(steps, None, settings={"commands": {"NEXT-PAGE": ["More"], "PREVIOUS-PAGE": ["Back"]}})
    assert chat.say("order")[0].endswith("[Room 5] [More]")
    assert chat.say("More") == ["Which? [Room 6] [Room 7] [Back]"]


LOGIN = {
    "authentication": {
        "entity": "auth",
        "messages": ["Please log in."],
        "acknowledgements": ["Thanks."],
        "display": {"type": "login", "template": {"title": "Log in", "image": "https://a.example/i.png"}},
        "oidc": {"issuer": "https://id.example", "client-id": "b", "client-secret": {"env": "BOT_SECRET"}},
    }
}


EXPIRED = "e30.eyJleHAiOjF9.c2ln"
"""A JSON Web Token that was valid until a second after the beginning of 1970."""


@pytest.mark.parametrize(
    "held", [None, False, 0, "", "null", "undefined", [], {}, {"access_token": ""}, {"access_token": EXPIRED}]
)
def test_a_protected_step_sends_the_login_prompt_and_goes_on_after_the_login(held: Any) -> None:
    chat = chat_of([message("Hello.") | {"protected": True}], None, settings=LOGIN)
    if held is not None:
        chat.tell(auth=held)
    assert chat.say("order") == ["Please log in. <login: >"]
    assert chat.log_in(access_token="opaque") == ["Thanks.", "Hello."]


def test_with_a_valid_token_the_protected_part_runs() -> None:
    chat = chat_of([message("Hello {{auth.access_token}}.") | {"protected": True}], None, settings=LOGIN)
    chat.tell(auth={"access_token": "opaque"})
    assert chat.say("order") == ["Hello opaque."]
