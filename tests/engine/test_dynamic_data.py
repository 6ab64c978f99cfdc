"""Values that an endpoint gives: what is called, what an answer means, and what is understood then."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.engine import compile_flow, dynamic
from dialoom.engine.compiled import Flow
from dialoom.engine.events import Response
from dialoom.errors import RemoteError
from dialoom.understanding import train
from tests.engine.talking import Chat, bot, goal, q, quick, say, trait, unchecked

URL = "https://api.test/cities"
NOW = datetime(2026, 11, 20, tzinfo=UTC)


def city(data: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    source = {"endpoint": URL, "method": "GET"} | more.pop("source", {})
    template = {"value-template": "{{name}}", "synonym-templates": ["{{code}}", "{{ short }}"]} | more
    return {
        "name": "City",
        "lookup-strategy": "keywords",
        "data": data or [],
        "dynamic-data": {"data-source": source, **template},
    }


def flow_of(type: dict[str, Any]) -> Flow:
    ask = q("city", "City", "Where to?", display=quick())
    return bot({"go": goal(ask, say("To {{city}}, {{city.zone}}."))}, trait(go=["travel"]), type)


def json_answer(value: Any, status: int = 200) -> Response:
    return Response(status, headers={"content-type": ["application/json"]}, body=json.dumps(value).encode())


def values(flow: Flow) -> list[str]:
    return [value["value"] for value in flow.recogniser.values("City")]


PARIS = {"name": "Paris", "code": "PAR", "zone": 1}
OSLO = {"name": "Oslo", "code": "OSL", "zone": 2}


def test_only_types_with_dynamic_data_are_dynamic() -> None:
    assert dynamic.dynamic_types(flow_of(city())) == ("City",)
    assert dynamic.dynamic_types(bot({}, {"name": "A", "lookup-strategy": "keywords"})) == ()


def test_the_request_is_what_the_data_source_says() -> None:
    flow = flow_of(city(source={"headers": {"X-A": "b"}, "authentication-method": None, "timeout": 20}))
    sent = dynamic.request(flow, "City")
    assert (sent.method, sent.url, sent.headers, sent.timeout) == ("GET", URL, (("X-A", "b"),), 20)
    assert (sent.trusted_host, sent.retries) == (True, 2)


def test_a_source_that_reads_memory_calls_nothing() -> None:
    source = {"data-source": {"entity": "list"}, "value-template": "{{this}}"}
    definition = {"name": "City", "lookup-strategy": "keywords", "data": [], "dynamic-data": source}
    flow = compile_flow(unchecked({"go": goal(q("city", "City"))}, definition))
    with pytest.raises(RemoteError, match="no endpoint"):
        dynamic.request(flow, "City")


def test_the_selector_picks_the_list_inside_the_answer() -> None:
    flow = flow_of(city(source={"selector": "$.cities"}))
    assert dynamic.elements(flow, "City", json_answer({"cities": [PARIS]})) == [PARIS]


def test_the_list_inside_a_full_answer_is_picked_too() -> None:
    flow = flow_of(city(source={"selector": "$.cities", "response": "full"}))
    assert dynamic.elements(flow, "City", json_answer({"cities": [PARIS]})) == [PARIS]
    with pytest.raises(RemoteError, match="status 503"):
        dynamic.elements(flow, "City", json_answer({"cities": []}, 503))


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (json_answer([], 500), "status 500"),
        (json_answer({"cities": [1]}), "no list"),
        (json_answer(None), "no list"),
        (Response(204), "no list"),
        (Response(200, body=b"<html>"), "no list"),
        (json_answer([0] * 100_001), "100001 elements, at most 100000"),
    ],
)
def test_what_is_no_list_is_refused_in_a_sentence(answer: Response, sentence: str) -> None:
    with pytest.raises(RemoteError, match=sentence):
        dynamic.elements(flow_of(city()), "City", answer)


def test_each_element_is_a_value_with_synonyms_and_itself_as_metadata() -> None:
    flow = dynamic.filled(flow_of(city()), {"City": [PARIS, OSLO]})
    assert flow.recogniser.values("City") == [OSLO | {"value": "Oslo"}, PARIS | {"value": "Paris"}]
    (found,) = flow.recogniser.recognise("to par please", ["City"], NOW)["City"]
    assert found.value == PARIS | {"value": "Paris"}


def test_texts_are_values_without_metadata() -> None:
    flow = dynamic.filled(flow_of(city(**{"value-template": "{{this}}", "synonym-templates": []})), {"City": ["Rome"]})
    assert flow.recogniser.values("City") == [{"value": "Rome"}]


def test_written_and_dynamic_values_stand_side_by_side_and_meet_where_they_are_spelled_alike() -> None:
    written = [{"value": "PARIS", "synonyms": ["Lutetia"], "metadata": {"zone": 9}}, {"value": "Bern"}]
    flow = dynamic.filled(flow_of(city(written)), {"City": [PARIS, OSLO]})
    assert values(flow) == ["Bern", "Oslo", "PARIS"]
    assert flow.recogniser.value_named("City", "lutetia") == {
        "name": "Paris",
        "code": "PAR",
        "zone": 9,
        "value": "PARIS",
    }
    assert flow.recogniser.value_named("City", "par") == flow.recogniser.value_named("City", "lutetia")


def test_values_that_only_signs_tell_apart_stay_apart() -> None:
    flow = dynamic.filled(
        flow_of(city(**{"value-template": "{{this}}", "synonym-templates": []})), {"City": ["C", "C++"]}
    )
    assert values(flow) == ["C", "C++"]


def test_blank_long_unusable_and_doubled_elements_are_counted() -> None:
    elements = [PARIS, {}, {"name": "  "}, None, 7, {"name": "x" * 201}, {"name": " paris ", "code": "CDG"}]
    found = dynamic.gathered(flow_of(city()), "City", elements)
    assert (found.taken, found.blank, found.doubled) == (2, 5, 1)
    (paris,) = found.definition.data
    assert (paris.value, paris.synonyms) == ("Paris", ("PAR", "CDG"))


def test_an_element_whose_template_fails_gives_no_value() -> None:
    found = dynamic.gathered(flow_of(city(**{"value-template": "{{$add name 1}}"})), "City", [PARIS, {"name": 2}])
    assert (found.taken, found.blank) == (1, 1)


def test_a_new_list_takes_the_place_of_the_old_one() -> None:
    plain = flow_of(city([{"value": "Bern"}]))
    first = dynamic.filled(plain, {"City": [PARIS]})
    second = dynamic.filled(first, {"City": [OSLO], "Gone": [1]})
    assert (values(plain), values(first), values(second)) == (["Bern"], ["Bern", "Paris"], ["Bern", "Oslo"])
    assert second.scripts is plain.scripts


def test_a_new_list_trains_nothing_anew() -> None:
    """The model was made of other expressions than those that stand in the bot: only who keeps it knows them."""
    goals = {name: goal(q("city", "City")) for name in ("go", "stay")}
    written = unchecked(goals, trait(go=["travel far"], stay=["remain here"]), city())
    kept = unchecked(goals, trait(go=["fly high", "fly low"], stay=["sleep long", "sleep well"]), city())
    flow = compile_flow(written, train(kept.training.entity_definitions, "en"))
    (found,) = dynamic.filled(flow, {"City": [PARIS]}).recogniser.recognise("fly", ["Conversation"], NOW)[
        "Conversation"
    ]
    assert found.value["value"] == "go"


def test_a_bot_offers_understands_and_prints_the_values() -> None:
    chat = Chat(dynamic.filled(flow_of(city()), {"City": [PARIS, OSLO]}))
    chat.say("travel")
    assert [option.title for option in chat.messages[-1].replies] == ["Oslo", "Paris"]
    assert chat.say("oslo") == ["To Oslo, 2."]


def test_a_talk_goes_on_with_another_list_than_it_began_with() -> None:
    flow = flow_of(city())
    chat = Chat(dynamic.filled(flow, {"City": [PARIS]}))
    chat.say("travel")
    chat.flow = dynamic.filled(flow, {"City": [OSLO]})
    assert chat.say("oslo") == ["To Oslo, 2."]


def test_an_option_that_is_gone_is_not_offered_again() -> None:
    flow = flow_of(city())
    chat = Chat(dynamic.filled(flow, {"City": [PARIS]}))
    assert chat.say("travel") == ["Where to? [Paris]"]
    chat.flow = dynamic.filled(flow, {"City": [OSLO]})
    assert chat.tap("Paris")[-1] == "Where to? [Oslo]"
    assert chat.tap("Oslo") == ["To Oslo, 2."]


def test_an_option_that_is_still_there_keeps_its_key_when_the_question_is_repeated() -> None:
    chat = Chat(dynamic.filled(flow_of(city()), {"City": [PARIS]}))
    chat.say("travel")
    first = chat.messages[-1].replies
    assert chat.say("hm")[-1] == "Where to? [Paris]"
    assert chat.messages[-1].replies == first


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "code", "value"]), inner),
    max_leaves=6,
)
FLOW = flow_of(city([{"value": "Bern"}]))


@settings(max_examples=80, deadline=None)
@given(st.lists(JSON, max_size=8))
def test_any_list_makes_values_that_are_found_again(elements: list[Any]) -> None:
    found = dynamic.gathered(FLOW, "City", elements)
    assert found.taken + found.blank == len(elements)
    assert len(found.definition.data) == 1 + found.taken - found.doubled
    recogniser = dynamic.filled(FLOW, {"City": elements}).recogniser
    assert {value["value"] for value in recogniser.values("City")} == {value.value for value in found.definition.data}
    for value in found.definition.data:
        assert value.value == value.value.strip() != ""
        recogniser.recognise(value.value, ["City"], NOW)
