"""Single rules of the flow language, each with the words that its description uses."""

from __future__ import annotations

import pytest

from dialoom.engine.events import Response
from tests.engine.talking import Chat, bot, check, goal, hook, keywords, q, say, support, trait

CALL = "https://api.example.com/x"


def of(*steps: dict, answer: object = None, **settings: object) -> Chat:
    flow = bot({"go": goal(*steps), "help": support(say("Help"))}, trait(go=["go"]), **settings)
    return Chat(flow, {CALL: answer})


def test_the_error_message_of_a_validation_sees_the_response_as_its_condition_does() -> None:
    right = check("custom", "No: {{_response.reason}}.", condition="{{_response.ok}}", data_source={"endpoint": CALL})
    chat = of(q("code", reactions={"validations": [right]}), answer={"ok": False, "reason": "it has ended"})
    chat.say("go")
    assert chat.say("SUMMER") == ["No: it has ended.", "code?"]


@pytest.mark.parametrize("name", ["Content-Type", "content-type", "CONTENT-TYPE", "[Content-Type]"])
def test_a_header_of_a_full_response_is_found_in_any_case(name: str) -> None:
    answer = Response(200, "OK", {"content-type": ["text/csv"]}, b"a,b")
    text = "{{all.status}} {{all.headers." + name + ".[0]}}{{other.headers." + name + "}}"
    chat = of(hook("all", CALL, text, source={"method": "get", "response": "full"}), answer=answer)
    assert chat.say("go") == ["200 text/csv"]


def test_only_the_headers_of_a_response_are_found_in_any_case() -> None:
    chat = of(hook("all", CALL, "{{all.headers.Name}}-{{all.Headers.name}}"), answer={"headers": {"name": "a"}})
    assert chat.say("go") == ["-"]


def test_a_selector_without_a_dollar_picks_what_it_plainly_means() -> None:
    chat = of(hook("last", CALL, "{{last}}", source={"selector": "Result[(@.length-1)]"}), answer={"Result": [1, 2, 3]})
    assert chat.say("go") == ["3"]


def test_a_currency_that_is_none_does_not_stop_the_talk() -> None:
    chat = of(hook("price", CALL, "{{$currency price USD}} or {{$currency price 'Dollars'}}"), answer=5)
    assert chat.say("go") == ["5.00 or 5.00 Dollars"]


@pytest.mark.parametrize("type", ["Text", "Doctor", "Empty"])
def test_names_with_commas_between_them_pick_several_at_a_multi_select(type: str) -> None:
    doctors = keywords("Doctor", Adams=[], Clark=[], Li=[])
    display = {"type": "multi-select", "title": "Who", "data-source": {"endpoint": CALL}}
    asked = q("who", type, capture_multiple_values=True, display=display)
    types = [doctors, {"name": "Empty", "lookup-strategy": "keywords", "data": []}]
    flow = bot({"go": goal(asked, say("{{who.length}}: {{who}}"))}, trait(go=["go"]), *types)
    for said, answer in (("Adams, Clark", "2: Adams, Clark"), ("li;ADAMS", "2: Li, Adams"), ("Clark", "1: Clark")):
        chat = Chat(flow, {CALL: ["Adams", "Clark", "Li"]})
        chat.say("go")
        assert chat.say(said) == [answer]


@pytest.mark.parametrize(("sensitive", "said"), [({}, ["Order ab123."]), ({"case-sensitive": True}, None)])
def test_a_regex_type_fits_in_any_case_and_is_stored_as_typed(sensitive: dict, said: list[str] | None) -> None:
    order = {"name": "Order", "lookup-strategy": "regex", "data": {"pattern": "[A-Z]{2}[0-9]{3}", **sensitive}}
    flow = bot({"go": goal(q("order", "Order"), say("Order {{order}}."))}, trait(go=["go"]), order)
    chat = Chat(flow)
    chat.say("go")
    heard = chat.say("it is ab123, please")
    assert heard == said if said is not None else heard[-1] == "order?"
