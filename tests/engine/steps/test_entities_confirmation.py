"""The step entities-confirmation: all that was said, for a last look (flow-language.md section 4)."""

import pytest

from dialoom.engine.events import Attached, Attachment, Located
from tests.engine.talking import Chat, bot, confirm, do, goal, hook, keywords, q, quick, run, say, support, talk, trait

START = trait(go=["go"], aside=["aside"])


def review(entity: str, *names: str, **more: object) -> dict:
    return {"type": "entities-confirmation", "entity": entity, "entities": list(names), "messages": ["All right?"]} | {
        key.replace("_", "-"): value for key, value in more.items()
    }


def booking(*more: dict, language: str = "en"):
    return bot(
        {"go": goal(q("day", "Date"), q("time", "Time"), review("ok", "day", "time"), *more, say("Booked {{time}}."))},
        START,
        language=language,
    )


def told(flow) -> Chat:
    return talk(
        flow,
        [("go", ["day?"]), ("tomorrow", ["time?"]), ("15:00", ["All right? [Confirm] [2026.11.21] [15:00]"])],
    )


def test_an_entities_confirmation_offers_confirm_and_the_value_of_each_entity() -> None:
    chat = told(booking())
    assert [(reply.title, reply.value) for reply in chat.messages[-1].replies] == [
        ("Confirm", "Confirm"),
        ("2026.11.21", "2026.11.21"),
        ("15:00", "15:00"),
    ]


def test_confirm_goes_on_and_its_entity_is_true() -> None:
    chat = told(booking(q("x")))
    assert chat.tap("Confirm") == ["x?"]
    assert chat.memory["ok"] is True


def test_a_typed_yes_and_a_typed_confirm_confirm() -> None:
    assert told(booking()).say("yes please") == ["Booked 15:00."]
    assert told(booking()).say("confirm") == ["Booked 15:00."]


def test_a_typed_no_sends_the_messages_again() -> None:
    chat = told(booking())
    before = chat.messages[-1].replies
    assert chat.say("no") == ["All right? [Confirm] [2026.11.21] [15:00]"]
    assert "ok" not in chat.memory
    assert chat.messages[-1].replies == before


def test_the_labels_are_in_the_language_of_the_bot() -> None:
    chat = talk(
        booking(language="de"),
        [("go", ["day?"]), ("morgen", ["time?"]), ("15:00", ["All right? [Bestätigen] [2026.11.21] [15:00]"])],
    )
    assert chat.say("nein") == ["All right? [Bestätigen] [2026.11.21] [15:00]"]
    assert chat.say("ja") == ["Booked 15:00."]


def test_choosing_a_value_asks_its_question_again_and_comes_back() -> None:
    chat = told(booking())
    assert chat.tap("15:00") == ["time?"]
    assert chat.memory["time"] == "15:00"
    assert chat.say("16:00") == ["All right? [Confirm] [2026.11.21] [16:00]"]
    assert chat.tap("Confirm") == ["Booked 16:00."]


def test_a_value_may_be_chosen_by_typing_it() -> None:
    chat = told(booking())
    assert chat.say("2026.11.21") == ["day?"]
    assert chat.say("the 23rd") == ["All right? [Confirm] [2026.11.23] [15:00]"]


def test_a_digression_while_the_question_is_asked_again_comes_back_to_it() -> None:
    flow = bot(
        {
            "go": goal(q("n", "Number"), review("ok", "n"), say("Done.")),
            "aside": support(say("Aside.")),
        },
        START,
    )
    chat = talk(flow, [("go", ["n?"]), ("3", ["All right? [Confirm] [3]"])])
    assert chat.tap("3") == ["n?"]
    assert chat.say("aside") == ["Aside.", "I am going back to go now.", "n?"]
    assert chat.say("nonsense") == ["I am not sure I understood what you said.", "n?"]
    assert chat.say("4") == ["All right? [Confirm] [4]"]


def test_the_same_answer_again_undoes_nothing() -> None:
    chat = Chat(
        bot(
            {
                "go": goal(
                    q("n", "Number"), hook("price", "https://api.test/{{n}}", "Costs {{price}}."), review("ok", "n")
                )
            },
            START,
        ),
        {"https://api.test/3": 9, "https://api.test/4": 12},
    )
    chat.say("go")
    assert chat.say("3") == ["Costs 9.", "All right? [Confirm] [3]"]
    assert chat.tap("3") == ["n?"]
    assert chat.say("3") == ["All right? [Confirm] [3]"]
    assert chat.tap("3") == ["n?"]
    assert chat.say("4") == ["Costs 12.", "All right? [Confirm] [4]"]


def test_a_correction_typed_at_it_is_taken_and_it_asks_again() -> None:
    chat = told(booking())
    assert chat.say("make it 16:00") == ["All right? [Confirm] [2026.11.21] [16:00]"]
    assert chat.say("no, 17:00") == ["All right? [Confirm] [2026.11.21] [17:00]"]


def test_a_value_that_changes_later_takes_the_yes_back() -> None:
    chat = told(booking(q("x", "Number")))
    assert chat.tap("Confirm") == ["x?"]
    assert chat.say("make it 16:00") == ["All right? [Confirm] [2026.11.21] [16:00]"]
    assert "ok" not in chat.memory


def test_entities_without_a_value_are_left_out() -> None:
    flow = bot(
        {
            "go": goal(
                q("a", "Number"), q("b", "Number", conditions=["{{$gt a 5}}"]), review("ok", "a", "b"), say("Done.")
            )
        },
        START,
    )
    talk(flow, [("go", ["a?"]), ("3", ["All right? [Confirm] [3]"]), ("yes", ["Done."])])


def test_false_and_zero_are_values() -> None:
    flow = bot({"go": goal(confirm("gift"), q("n", "Number"), review("ok", "gift", "n"))}, START)
    chat = talk(flow, [("go", ["Right? [Yes] [No]"]), ("no", ["n?"]), ("0", ["All right? [Confirm] [false] [0]"])])
    assert chat.tap("false") == ["Right? [Yes] [No]"]
    assert chat.say("yes") == ["All right? [Confirm] [true] [0]"]


def test_values_that_no_question_here_can_ask_for_again_are_no_replies() -> None:
    flow = bot({"go": goal(do("set-entity", entity="a", data="A"), q("b"), review("ok", "a", "b"))}, START)
    talk(flow, [("go", ["b?"]), ("B", ["All right? [Confirm] [B]"])])


def test_a_question_whose_conditions_do_not_hold_is_not_offered_and_another_of_its_entity_is() -> None:
    flow = bot(
        {
            "go": goal(
                q("far", "Confirmation"),
                q("n", "Number", "How many miles?", conditions=["{{far}}"]),
                q("n", "Number", "How many steps?", conditions=["{{$not far}}"]),
                review("ok", "n"),
            )
        },
        START,
    )
    chat = talk(flow, [("go", ["far?"]), ("no", ["How many steps?"]), ("7", ["All right? [Confirm] [7]"])])
    assert chat.tap("7") == ["How many steps?"]


def test_of_two_equal_values_the_first_listed_is_meant() -> None:
    flow = bot({"go": goal(q("a", "Number"), q("b", "Number"), review("ok", "b", "a"), say("Done."))}, START)
    chat = talk(flow, [("go", ["a?"]), ("3", ["b?"]), ("3", ["All right? [Confirm] [3] [3]"])])
    assert chat.pick(key=chat.messages[-1].replies[2].key) == ["b?"]
    assert chat.say("4") == ["All right? [Confirm] [4] [3]"]


def test_an_entities_confirmation_shows_values_by_their_entity_display() -> None:
    flow = bot({"go": goal(q("n", "Number", entity_display="{{n}} people"), review("ok", "n"))}, START)
    chat = talk(flow, [("go", ["n?"]), ("3", ["All right? [Confirm] [3 people]"])])
    assert chat.say("3 people") == ["n?"]


def test_confirm_stands_on_every_page_and_is_none_of_its_five() -> None:
    names = [f"e{number}" for number in range(7)]
    flow = bot({"go": goal(*(q(name) for name in names), review("ok", *names), say("Done."))}, START)
    chat = Chat(flow)
    chat.say("go")
    for name in names[:-1]:
        chat.say(f"v-{name}")
    assert chat.say("v-e6") == ["All right? [Confirm] [v-e0] [v-e1] [v-e2] [v-e3] [v-e4] [Next 5]"]
    assert chat.tap("Next 5") == ["All right? [Confirm] [v-e5] [v-e6] [Prev 5]"]
    assert chat.say("next 5") == [
        "Nothing is done yet.",
        "All right? [Confirm] [v-e0] [v-e1] [v-e2] [v-e3] [v-e4] [Next 5]",
    ]
    assert chat.say("next 5") == ["All right? [Confirm] [v-e5] [v-e6] [Prev 5]"]
    assert chat.tap("v-e6") == ["e6?"]
    assert chat.say("new") == ["All right? [Confirm] [v-e0] [v-e1] [v-e2] [v-e3] [v-e4] [Next 5]"]
    assert chat.tap("Confirm") == ["Done."]


def test_five_values_need_no_second_page() -> None:
    names = [f"e{number}" for number in range(5)]
    chat = Chat(bot({"go": goal(*(q(name) for name in names), review("ok", *names))}, START))
    chat.say("go")
    for name in names[:-1]:
        chat.say(name)
    assert chat.say("e4") == ["All right? [Confirm] [e0] [e1] [e2] [e3] [e4]"]


def test_an_entities_confirmation_reviews_answers_of_a_conversation_run_in_place() -> None:
    flow = bot({"go": goal(run("who"), review("ok", "name"), say("Hi {{name}}.")), "who": support(q("name"))}, START)
    chat = talk(flow, [("go", ["name?"]), ("Ada", ["All right? [Confirm] [Ada]"])])
    assert chat.tap("Ada") == ["name?"]
    assert chat.say("Eve") == ["All right? [Confirm] [Eve]"]
    assert chat.say("yes") == ["Hi Eve."]


def test_a_question_behind_it_that_was_answered_already_can_be_chosen() -> None:
    flow = bot({"go": goal(q("n", "Number"), review("ok", "n", "day"), q("day", "Date"), say("Done."))}, START)
    chat = talk(flow, [("go", ["n?"]), ("3 tomorrow", ["All right? [Confirm] [3] [2026.11.21]"])])
    assert chat.tap("2026.11.21") == ["day?"]
    assert chat.say("the 23rd") == ["All right? [Confirm] [3] [2026.11.23]"]
    assert chat.say("yes") == ["Done."]


def test_a_new_answer_that_fails_its_validation_is_asked_for_until_it_fits() -> None:
    rules = {"validations": [{"type": "range", "parameters": {"max": 5}, "error-message": ["Too many."]}]}
    flow = bot({"go": goal(q("n", "Number", reactions=rules), review("ok", "n"), say("Done."))}, START)
    chat = talk(flow, [("go", ["n?"]), ("3", ["All right? [Confirm] [3]"])])
    chat.tap("3")
    assert chat.say("9") == ["Too many.", "n?"]
    assert chat.say("4") == ["All right? [Confirm] [4]"]


def test_the_question_that_is_asked_again_shows_its_options() -> None:
    flow = bot(
        {"go": goal(q("size", "size", display=quick()), review("ok", "size"), say("Done."))},
        START,
        keywords("size", big=["large"], small=[]),
    )
    chat = talk(flow, [("go", ["size? [big] [small]"]), ("large", ["All right? [Confirm] [big]"])])
    assert chat.tap("big") == ["size? [big] [small]"]
    assert chat.tap("small") == ["All right? [Confirm] [small]"]


def test_a_reply_of_an_earlier_confirmation_is_never_applied_to_a_later_one() -> None:
    chat = told(booking())
    old = chat.messages[-1].replies[0].key
    assert chat.say("make it 16:00") == ["All right? [Confirm] [2026.11.21] [16:00]"]
    assert chat.pick(key=old) == ["All right? [Confirm] [2026.11.21] [16:00]"]
    assert "ok" not in chat.memory


@pytest.mark.parametrize("said", ["tomorrow and 3 at 16:00", "banana"])
def test_an_entities_confirmation_is_asked_again_after_a_text_not_understood(said: str) -> None:
    flow = bot({"go": goal(q("n", "Number"), review("ok", "n"))}, START)
    chat = talk(flow, [("go", ["n?"]), ("3", ["All right? [Confirm] [3]"])])
    assert chat.say(said)[-1] == "All right? [Confirm] [3]"


def test_with_nothing_to_review_only_confirm_is_offered() -> None:
    talk(
        bot({"go": goal(review("ok", "a"), say("Done."))}, START),
        [("go", ["All right? [Confirm]"]), ("yes", ["Done."])],
    )


def over_a_goal() -> Chat:
    """A review in a support conversation of what the goal below it asks."""
    flow = bot(
        {
            "go": goal(q("x", "Text"), q("n", "Number"), q("day", "Date"), say("Done: {{n}}.")),
            "aside": support(review("ok", "n", "day"), say("Fine.")),
        },
        START,
    )
    return talk(
        flow,
        [("go", ["x?"]), ("y", ["n?"]), ("3", ["day?"]), ("aside", ["All right? [Confirm] [3]"])],
    )


def test_a_question_of_the_goal_below_can_be_asked_again_too() -> None:
    chat = over_a_goal()
    assert chat.tap("3") == ["n?"]
    assert chat.say("banana") == ["I am not sure I understood what you said.", "n?"]
    assert chat.say("4") == ["All right? [Confirm] [4]"]
    assert chat.tap("Confirm") == ["Fine.", "I am going back to go now.", "day?"]
    assert chat.say("tomorrow") == ["Done: 4."]
    assert chat.records == ["success"]


def test_naming_the_review_again_meanwhile_leaves_the_goal_open() -> None:
    chat = over_a_goal()
    chat.tap("3")
    assert chat.say("aside") == ["I am going back to aside now.", "All right? [Confirm] [3]"]
    assert chat.say("yes") == ["Fine.", "I am going back to go now.", "day?"]


def test_places_and_files_read_by_their_names() -> None:
    flow = bot({"go": goal(q("at", "Location"), q("doc", "File"), review("ok", "at", "doc"))}, START)
    chat = Chat(flow)
    chat.say("go")
    chat.send(Located, latitude=48.2, longitude=16.4)
    files = (Attachment("https://files.test/1", "application/pdf", "offer.pdf"),)
    assert chat.send(Attached, files=files) == ["All right? [Confirm] [48.2, 16.4] [offer.pdf]"]
    assert chat.tap("offer.pdf") == ["doc?"]
