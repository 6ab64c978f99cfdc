"""The reaction suggestions: what the last two completed runs are good for (flow-language.md section 4)."""

from typing import Any

from dialoom.engine.events import Located
from tests.engine.talking import Chat, bot, check, goal, keywords, q, quick, say, support, trait

START = trait(go=["go"], aside=["aside"])
CITY = keywords("city", Oslo=["oslo"], Paris=["paris"], Rome=["rome"])
AGAIN = {"suggestions": ["{{to}} again?"]}


def trip(*more: dict, type: str = "city", **keys: Any):
    keys.setdefault("reactions", AGAIN)
    return bot({"go": goal(q("to", type, **keys), *more, say("Off to {{to}}."))}, START, CITY)


def chat_after_runs(flow, *runs: str, answers: dict[str, Any] | None = None) -> Chat:
    """A chat that has completed a run for each of these answers."""
    chat = Chat(flow, answers)
    for value in runs:
        chat.say("go")
        chat.say(value)
        assert chat.records[-1] == "success"
    return chat


def test_the_same_value_in_the_last_two_runs_is_suggested_with_yes_and_no() -> None:
    chat = chat_after_runs(trip(), "Rome", "Rome")
    assert chat.say("go") == ["Rome again? [Yes] [No]"]
    assert "to" not in chat.memory


def test_one_run_and_two_values_are_no_suggestion() -> None:
    assert chat_after_runs(trip(), "Rome").say("go") == ["to?"]
    assert not chat_after_runs(trip(), "Rome", "Paris").say("go")[0].startswith("Rome again?")


def test_yes_takes_the_value() -> None:
    chat = chat_after_runs(trip(), "Rome", "Rome")
    chat.say("go")
    assert chat.tap("Yes") == ["Off to Rome."]
    chat.say("go")
    assert chat.say("yes please") == ["Off to Rome."]


def test_no_asks_the_question_and_the_suggestion_does_not_come_again_in_that_run() -> None:
    chat = chat_after_runs(trip(), "Rome", "Rome")
    chat.say("go")
    assert chat.tap("No") == ["to?"]
    assert chat.say("banana") == ["I am not sure I understood what you said.", "to?"]
    assert chat.say("Paris") == ["Off to Paris."]
    assert chat.say("go") == ["to? [Paris] [Rome]"]


def test_another_value_typed_at_the_suggestion_is_taken() -> None:
    chat = chat_after_runs(trip(), "Rome", "Rome")
    chat.say("go")
    assert chat.say("Paris this time") == ["Off to Paris."]


def test_no_with_another_value_takes_that_value() -> None:
    chat = chat_after_runs(trip(), "Rome", "Rome")
    chat.say("go")
    assert chat.say("no, Oslo") == ["Off to Oslo."]


def test_what_is_not_understood_repeats_the_suggestion_with_the_same_replies() -> None:
    chat = chat_after_runs(trip(), "Rome", "Rome")
    chat.say("go")
    replies = chat.messages[-1].replies
    assert chat.say("banana") == ["I am not sure I understood what you said.", "Rome again? [Yes] [No]"]
    assert chat.messages[-1].replies == replies


def test_a_digression_repeats_the_suggestion() -> None:
    flow = bot({"go": goal(q("to", "city", reactions=AGAIN)), "aside": support(say("Aside."))}, START, CITY)
    chat = chat_after_runs(flow, "Rome", "Rome")
    chat.say("go")
    assert chat.say("aside") == ["Aside.", "I am going back to go now.", "Rome again? [Yes] [No]"]
    chat.say("yes")
    assert chat.records == ["success"] * 3


def test_a_text_question_takes_any_other_text_at_its_suggestion() -> None:
    chat = chat_after_runs(trip(type="Text"), "the sea", "the sea")
    assert chat.say("go") == ["the sea again? [Yes] [No]"]
    assert chat.say("the mountains, no doubt") == ["Off to the mountains, no doubt."]
    chat = chat_after_runs(trip(type="Text"), "the sea", "the sea")
    chat.say("go")
    assert chat.say("sure") == ["Off to the sea."]


def test_a_tap_on_an_earlier_suggestion_is_stale() -> None:
    flow = trip(q("n", "Number"))
    chat = Chat(flow)
    for _ in range(2):
        chat.say("go")
        chat.say("Rome")
        chat.say("1")
    chat.say("go")
    yes = chat.messages[-1].replies[0].key
    chat.say("yes")
    assert chat.pick(key=yes) == ["n?"]


def test_values_that_differ_come_first_among_the_options() -> None:
    chat = chat_after_runs(trip(display=quick()), "Rome", "Paris")
    assert chat.say("go") == ["to? [Paris] [Rome] [Oslo]"]
    assert chat.tap("Rome") == ["Off to Rome."]


def test_without_options_they_are_the_replies() -> None:
    chat = chat_after_runs(trip(type="Date"), "tomorrow", "the 23rd")
    assert chat.say("go") == ["to? [2026.11.23] [2026.11.21]"]
    assert chat.tap("2026.11.21") == ["Off to 2026.11.21."]


def test_they_read_as_the_entity_display_says() -> None:
    chat = chat_after_runs(trip(type="Number", entity_display="{{to}} miles"), "3", "4")
    assert chat.say("go") == ["to? [4 miles] [3 miles]"]
    assert chat.tap("3 miles") == ["Off to 3 miles."]


def test_a_static_display_keeps_its_titles_and_gets_what_it_does_not_have() -> None:
    display = quick({"title": "**Two**", "value": "2"}, {"title": "One", "value": "1"})
    chat = chat_after_runs(trip(type="Number", display=display), "7", "1")
    assert chat.say("go") == ["to? [One] [7] [**Two**]"]
    assert chat.tap("7") == ["Off to 7."]


def test_options_of_a_data_source_are_only_put_in_another_order() -> None:
    display = quick(data_source={"endpoint": "https://api.test/slots"})
    chat = chat_after_runs(
        trip(type="Time", display=display), "11:00", "10:00", answers={"https://api.test/slots": ["09:00", "10:00"]}
    )
    assert chat.say("go") == ["to? [10:00] [09:00]"]


def test_the_order_stays_from_page_to_page() -> None:
    display = quick(*(str(number) for number in range(1, 9)))
    chat = chat_after_runs(trip(type="Number", display=display), "7", "8")
    assert chat.say("go") == ["to? [8] [7] [1] [2] [3] [Next 5]"]
    assert chat.tap("Next 5") == ["to? [4] [5] [6] [Prev 5]"]
    assert chat.tap("5") == ["Off to 5."]


def test_a_suggested_value_that_no_longer_passes_is_turned_away_and_asked_for() -> None:
    rules = {"suggestions": ["{{to}} again?"], "validations": [check("range", "Too early.", min="today")]}
    chat = chat_after_runs(trip(type="Date", reactions=rules), "tomorrow", "the 21st")
    chat.now += 3 * 24 * 60 * 60_000
    assert chat.say("go") == ["2026.11.21 again? [Yes] [No]"]
    assert chat.say("yes") == ["Too early.", "to?"]


def test_a_value_that_its_type_no_longer_has_is_not_suggested() -> None:
    chat = chat_after_runs(trip(), "Rome", "Rome")
    without = keywords("city", Oslo=[], Paris=[])
    chat.flow = bot({"go": goal(q("to", "city", reactions=AGAIN))}, START, without)
    assert chat.say("go") == ["to?"]


def test_several_values_are_suggested_together() -> None:
    chat = chat_after_runs(trip(capture_multiple_values=True), "Rome and Oslo", "Rome and Oslo")
    assert chat.say("go") == ["Rome, Oslo again? [Yes] [No]"]
    assert chat.say("yes") == ["Off to Rome, Oslo."]


def test_several_values_that_differ_come_first_one_by_one() -> None:
    chat = chat_after_runs(trip(capture_multiple_values=True, display=quick()), "Rome and Oslo", "Paris and Rome")
    assert chat.say("go") == ["to? [Paris] [Rome] [Oslo]"]


def test_what_is_known_already_is_not_suggested_over() -> None:
    chat = chat_after_runs(trip(), "Rome", "Rome")
    chat.tell(to="Oslo")
    assert chat.say("go") == ["Off to Oslo."]


def test_a_yes_or_no_question_suggests_its_last_answer() -> None:
    rules = {"suggestions": ["{{#if to}}Taxi again?{{else}}No taxi again?{{/if}}"]}
    chat = Chat(bot({"go": goal(q("to", "Confirmation", "Taxi?", reactions=rules), say("{{to}}"))}, START))
    for _ in range(2):
        chat.say("go")
        assert chat.say("no") == ["false"]
    assert chat.say("go") == ["No taxi again? [Yes] [No]"]
    assert chat.say("yes") == ["false"]
    chat.say("go")
    assert chat.say("no") == ["Taxi?"]
    assert chat.say("yes") == ["true"]


def test_places_are_suggested_and_come_first_by_their_names() -> None:
    flow = bot({"go": goal(q("to", "Location", reactions={"suggestions": ["{{to.name}} again?"]}))}, START)
    chat = Chat(flow)
    for _ in range(2):
        chat.say("go")
        chat.send(Located, latitude=1.0, longitude=2.0, name="Home")
    assert chat.say("go") == ["Home again? [Yes] [No]"]
    chat.send(Located, latitude=3.0, longitude=4.0, name="Work")
    assert chat.say("go") == ["to? [Work] [Home]"]
    assert [reply.value for reply in chat.messages[-1].replies] == ["Work", "Home"]
    chat.tap("Home")
    assert chat.state.past["to"][0] == {"latitude": 1.0, "longitude": 2.0, "name": "Home"}


def test_an_option_that_counts_as_a_value_can_be_typed_at_the_suggestion() -> None:
    slots = {"name": "slot", "lookup-strategy": "keywords", "data": []}
    display = quick(data_source={"endpoint": "https://api.test/slots"}, template="{{name}}")
    flow = bot({"go": goal(q("to", "slot", reactions=AGAIN, display=display), say("{{to.id}}"))}, START, slots)
    answers = {"https://api.test/slots": [{"name": "A", "id": 1}, {"name": "B", "id": 2}]}
    chat = Chat(flow, answers)
    for _ in range(2):
        chat.say("go")
        assert chat.tap("A") == ["1"]
    assert chat.say("go") == ["A again? [Yes] [No]"]
    assert chat.say("B") == ["2"]


def test_a_run_that_was_not_completed_does_not_count() -> None:
    chat = Chat(trip(q("n", "Number")))
    for _ in range(2):
        chat.say("go")
        chat.say("Rome")
        chat.say("restart")
    assert set(chat.records) == {"abandoned"}
    assert chat.say("go") == ["to?"]


def test_yes_and_no_stay_in_their_order() -> None:
    rules = {"suggestions": ["Again?"]}
    chat = Chat(bot({"go": goal(q("to", "Confirmation", "Taxi?", display=quick(), reactions=rules))}, START))
    for answer in ("no", "yes"):
        assert chat.say("go") == ["Taxi? [Yes] [No]"]
        chat.say(answer)
    assert chat.say("go") == ["Taxi? [Yes] [No]"]


def test_amounts_come_first_with_their_currency() -> None:
    chat = chat_after_runs(trip(type="Amount"), "$5", "€7")
    assert chat.say("go") == ["to? [7 EUR] [5 USD]"]
    assert chat.tap("5 USD") == ["Off to 5."]
    assert chat.state.past["to"][0] == {"value": 5, "currency": "USD"}
