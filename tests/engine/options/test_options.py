"""Options: where they come from, how they read, what choosing one stores (flow-language.md sections 7 and 8)."""

import pytest

from dialoom.engine import compile_flow
from dialoom.engine.events import Response
from dialoom.messages import Option
from tests.engine.talking import Chat, bot, do, goal, keywords, q, quick, say, status, support, talk, trait, unchecked

GO = trait(go=["go"])
INVALID = "I am not sure I understood what you said."
FAILURE = "We are experiencing technical difficulties at this moment."
SLOTS = {"data-source": {"endpoint": "https://api.test/slots"}, "type": "quick-reply"}


def choosing(display: dict, type: str = "Text", *types: dict, text: str = "{{x}}"):
    return bot({"go": goal(q("x", type, display=display), say(text))}, GO, *types)


def test_static_texts_are_their_own_titles_and_values() -> None:
    chat = talk(choosing(quick("Small", "Large")), [("go", ["x? [Small] [Large]"])])
    assert chat.messages[0].replies[0] == Option("Small", "Small", "1.0")


def test_static_texts_may_be_templates() -> None:
    chat = Chat(choosing(quick("For {{user.FirstName}}", "For others")))
    assert chat.say("go") == ["x? [For Ada] [For others]"]
    assert chat.tap("For Ada") == ["For Ada"]


def test_a_brace_that_is_escaped_is_no_expression() -> None:
    chat = talk(choosing(quick("a \\{{b}}")), [("go", ["x? [a {{b}}]"])])
    assert chat.tap("a {{b}}") == ["a {{b}}"]


def test_option_objects_give_title_value_and_image() -> None:
    chat = Chat(choosing(quick({"title": "*Small*", "value": "s", "image": "https://img.test/s.png"})))
    chat.say("go")
    assert chat.messages[0].replies == (Option("*Small*", "s", "1.0", image="https://img.test/s.png"),)
    assert chat.tap("*Small*") == ["s"]


def test_a_title_is_matched_by_its_plain_text() -> None:
    flow = choosing(quick({"title": "**Small** [one](https://x.test)", "value": "s"}))
    talk(flow, [("go", ["x? [**Small** [one](https://x.test)]"]), ("small one", ["s"])])


def test_a_template_formats_elements_of_data() -> None:
    display = quick(
        {"id": 7, "name": "Ada"},
        {"id": 8, "name": "Bo"},
        template={"title": "{{name}} for {{@root.user.FirstName}}", "value": "{{id}}"},
    )
    chat = talk(choosing(display, "Number"), [("go", ["x? [Ada for Ada] [Bo for Ada]"])])
    assert chat.messages[0].replies[1].value == 8
    assert chat.tap("Bo for Ada") == ["8"]


def test_a_text_template_formats_texts() -> None:
    talk(
        choosing(quick("a", "b", template="Plan {{this}}")), [("go", ["x? [Plan a] [Plan b]"]), ("plan b", ["Plan b"])]
    )


def test_options_from_a_data_source_are_fetched_once_and_paged_without_another_call() -> None:
    chat = talk(
        choosing(SLOTS, "Time"),
        [
            ("go", ["x? [9:00] [10:00] [11:00] [12:00] [13:00] [Next 5]"]),
            ("next 5", ["x? [14:00] [Prev 5]"]),
            ("prev 5", ["x? [9:00] [10:00] [11:00] [12:00] [13:00] [Next 5]"]),
            ("nonsense", [INVALID, "x? [9:00] [10:00] [11:00] [12:00] [13:00] [Next 5]"]),
            ("14:00", ["14:00"]),
        ],
        {"https://api.test/slots": ["9:00", "10:00", "11:00", "12:00", "13:00", "14:00"]},
    )
    assert len(chat.calls) == 1


def test_objects_without_a_template_are_read_as_option_objects() -> None:
    chat = Chat(
        choosing(SLOTS), {"https://api.test/slots": [{"title": "One", "value": "1"}, {"value": "two"}, 3, True]}
    )
    assert chat.say("go") == ["x? [One] [two] [3] [true]"]


def test_null_is_an_empty_list_of_options() -> None:
    talk(choosing(SLOTS), [("go", ["x?"]), ("anything", ["anything"])], {"https://api.test/slots": None})


def test_options_that_are_no_list_fail_the_turn() -> None:
    chat = talk(choosing(SLOTS), [("go", [FAILURE])], {"https://api.test/slots": {"a": 1}})
    assert chat.failures == [("go/0", "The options are no list. Pick the list inside the answer with a selector.")]


def test_a_failing_source_of_options_fails_the_turn() -> None:
    chat = talk(choosing(SLOTS), [("go", [FAILURE])], {"https://api.test/slots": status(502)})
    chat.answers["https://api.test/slots"] = ["a"]
    assert chat.say("hello?") == ["x? [a]"]


def test_a_selector_reaches_the_list_also_in_full_mode() -> None:
    for response in ("body", "full"):
        source = {"endpoint": "https://api.test/slots", "selector": "$.free[*].at", "response": response}
        flow = choosing({"type": "quick-reply", "data-source": source})
        talk(flow, [("go", ["x? [a] [b]"])], {"https://api.test/slots": {"free": [{"at": "a"}, {"at": "b"}]}})


def test_options_from_an_entity() -> None:
    source = {"entity": "plans", "selector": "$[?@.free == true].name"}
    chat = Chat(choosing({"type": "quick-reply", "data-source": source}))
    plans = [{"name": "A", "free": True}, {"name": "B", "free": False}, {"name": "C", "free": True}]
    assert chat.say("go", context={"plans": plans}) == ["x? [A] [C]"]


def test_a_keywords_type_offers_its_values_in_alphabetical_order() -> None:
    talk(
        choosing(quick(), "color", keywords("color", red=[], blue=["navy"])),
        [("go", ["x? [blue] [red]"]), ("navy", ["blue"])],
    )


def test_a_template_over_the_values_of_a_type_sees_the_value_and_its_metadata() -> None:
    color = {
        "name": "color",
        "lookup-strategy": "keywords",
        "data": [
            {"value": "red", "synonyms": [], "metadata": {"hex": "#f00"}},
            {"value": "blue", "synonyms": [], "metadata": {"hex": "#00f"}},
        ],
    }
    chat = talk(
        choosing(quick(template="{{value}} {{hex}} ({{this}})"), "color", color, text="{{x}} {{x.hex}}"),
        [("go", ["x? [blue #00f (blue)] [red #f00 (red)]"])],
    )
    assert chat.messages[0].replies[0].value == "blue"
    assert chat.tap("red #f00 (red)") == ["red #f00"]


def test_an_option_that_names_a_value_of_the_type_brings_its_metadata() -> None:
    city = {
        "name": "city",
        "lookup-strategy": "keywords",
        "data": [{"value": "Sofia", "synonyms": ["capital"], "metadata": {"code": "SOF"}}],
    }
    chat = Chat(choosing(quick({"title": "The capital!", "value": "capital"}), "city", city, text="{{x}} {{x.code}}"))
    chat.say("go")
    assert chat.tap("The capital!") == ["Sofia SOF"]


def test_where_the_type_has_no_values_an_option_from_a_source_is_one_with_its_element() -> None:
    display = {**SLOTS, "template": {"title": "Dr {{name}}", "value": "{{id}}"}}
    flow = choosing(
        display, "doctor", {"name": "doctor", "lookup-strategy": "keywords", "data": []}, text="{{x}} {{x.name}}"
    )
    chat = Chat(flow, {"https://api.test/slots": [{"id": "d1", "name": "Ode"}, {"id": "d2", "name": "Po"}]})
    assert chat.say("go") == ["x? [Dr Ode] [Dr Po]"]
    assert chat.tap("Dr Po") == ["d2 Po"]
    chat.say("go")
    assert chat.say("dr ode") == ["d1 Ode"]


def test_such_an_option_is_also_found_inside_a_sentence() -> None:
    display = {**SLOTS, "template": {"title": "Dr {{name}}", "value": "{{id}}"}}
    flow = choosing(
        display, "doctor", {"name": "doctor", "lookup-strategy": "keywords", "data": []}, text="{{x}} {{x.name}}"
    )
    chat = Chat(flow, {"https://api.test/slots": [{"id": "d1", "name": "Ode"}, {"id": "d2", "name": "Po"}]})
    chat.say("go")
    assert chat.say("I would like Dr. Po, please") == ["d2 Po"]


def test_a_question_for_yes_or_no_with_quick_replies_shows_them() -> None:
    chat = talk(choosing(quick(), "Confirmation"), [("go", ["x? [Yes] [No]"])])
    assert chat.tap("No") == ["false"]


def test_yes_and_no_speak_the_bots_language() -> None:
    from tests.engine.talking import confirm

    flow = bot({"go": goal(confirm("ok", "Stimmt's?"), say("{{ok}}"))}, GO, language="de")
    talk(flow, [("go", ["Stimmt's? [Ja] [Nein]"]), ("ja", ["true"])])


def test_replies_of_a_message_are_suggestions_without_keys() -> None:
    flow = bot(
        {
            "help": support(say("Ask me.", display=quick("go", {"title": "Stop", "value": "restart"}))),
            "go": goal(say("Gone.")),
        },
        GO,
    )
    chat = talk(flow, [("hm", ["Ask me. [go] [Stop]"])])
    assert [reply.key for reply in chat.messages[0].replies] == ["", ""]
    assert chat.pick("go") == ["Gone."]


def test_options_that_depend_on_what_changed_are_looked_up_anew() -> None:
    display = {"type": "quick-reply", "data-source": {"endpoint": "https://api.test/{{day}}"}}
    flow = bot({"go": goal(q("day", "Date"), q("x", "Time", display=display), say("{{day}} {{x}}"))}, GO)
    chat = talk(
        flow,
        [("go", ["day?"]), ("tomorrow", ["x? [9:00]"]), ("the 22nd", ["x? [10:00]"])],
        {"https://api.test/2026.11.21": ["9:00"], "https://api.test/2026.11.22": ["10:00"]},
    )
    assert chat.tap("10:00") == ["2026.11.22 10:00"]


# ---- dialogs -----------------------------------------------------------------------------------------------------


def dialog(display: dict, type: str = "Text", **more: object):
    return compile_flow(unchecked({"go": goal(q("x", type, display=display, **more), say("{{x}}"))}, GO))


def test_a_select_shows_all_its_options_in_a_dialog() -> None:
    display = {
        "type": "single-select",
        "title": "Choose",
        "data": [str(n) for n in range(12)],
        "template": {"title": "No {{this}}", "subtitle": "s", "value": "{{this}}"},
    }
    chat = Chat(dialog(display))
    assert chat.say("go") == ["x? <single-select: " + ", ".join(f"No {n}" for n in range(12)) + ">"]
    shown = chat.messages[0].dialog
    assert shown is not None
    assert (shown.title, shown.button_text) == ("Choose", "Submit")
    assert shown.options[11] == Option("No 11", "11", "1.11", subtitle="s")
    assert chat.tap("No 11") == ["11"]


def test_a_multi_select_stores_a_list() -> None:
    chat = Chat(dialog({"type": "multi-select", "data": ["a", "b", "c"]}))
    chat.say("go")
    assert chat.pick(keys=("1.0", "1.2")) == ["a, c"]
    chat.say("go")
    assert chat.pick(["b"]) == ["b"]
    chat.say("go")
    chat.tap("c")
    assert chat.heard.text == "c"


def test_several_options_for_a_question_of_one_value_are_not_understood() -> None:
    chat = Chat(dialog({"type": "single-select", "data": ["a", "b"]}))
    chat.say("go")
    assert chat.pick(["a", "b"]) == [INVALID, "x? <single-select: a, b>"]


def test_a_date_picker_takes_a_date() -> None:
    chat = Chat(dialog({"type": "date-picker"}, "Date"))
    assert chat.say("go") == ["x? <date-picker: >"]
    assert chat.pick("2026-12-24") == ["2026.12.24"]


def test_a_location_picker_takes_a_place() -> None:
    from dialoom.engine.events import Located

    chat = Chat(dialog({"type": "location-picker"}, "Location"))
    chat.say("go")
    assert chat.send(Located, latitude=1.5, longitude=2.0, name="Home") == [
        '{"latitude":1.5,"longitude":2,"name":"Home"}'
    ]


def test_a_file_answers_the_question_that_asks_for_one_and_its_labels_are_checked() -> None:
    from dialoom.engine.events import Attached, Attachment

    check = {"type": "image", "parameters": {"contains": ["cat"]}, "error-message": ["No cat."]}
    flow = compile_flow(
        unchecked({"go": goal(q("x", "File", reactions={"validations": [check]}), say("{{x.url}}"))}, GO)
    )
    chat = Chat(flow)
    chat.say("go")
    assert chat.send(Attached, files=(Attachment("https://f.test/1", labels=("dog",)),)) == ["No cat.", "x?"]
    assert chat.send(Attached, files=(Attachment("https://f.test/2", labels=("Cat",)),)) == ["https://f.test/2"]


def test_capture_multiple_values_takes_all_that_are_named() -> None:
    flow = compile_flow(
        unchecked(
            {"go": goal(q("x", "color", capture_multiple_values=True), say("{{x}}"))},
            GO,
            keywords("color", red=[], blue=[], green=[]),
        )
    )
    talk(flow, [("go", ["x?"]), ("red and green", ["red, green"])])


@pytest.mark.parametrize("body", [b"", b"plain", b"{broken", b"[" * 5000])
def test_a_body_that_is_no_list_is_no_crash(body: bytes) -> None:
    chat = Chat(choosing(SLOTS), {"https://api.test/slots": Response(status=200, body=body)})
    assert chat.say("go") == [FAILURE]


def test_a_command_in_between_may_change_the_options() -> None:
    flow = bot(
        {
            "go": goal(
                do("set-entity", entity="list", data=["p", "q"]),
                q("x", display={"type": "quick-reply", "data-source": {"entity": "list"}}),
                say("{{x}}"),
            )
        },
        GO,
    )
    talk(flow, [("go", ["x? [p] [q]"]), ("Q", ["q"])])


def test_chosen_words_longer_than_a_message_are_not_understood() -> None:
    chat = Chat(bot({"go": goal(q("a"), say("{{a}}"))}, trait(go=["go"])))
    chat.say("go")
    assert chat.pick(["x" * 5000, "y" * 5000])[0] == "I am not sure I understood what you said."
    assert chat.pick(["x", "y"]) == ["x, y"]
