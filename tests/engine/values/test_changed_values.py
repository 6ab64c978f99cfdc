"""What a changed value drops, by each way a value can change (flow-language.md section 5, rule 8)."""

from typing import Any

import pytest

from dialoom.engine import Flow
from tests.engine.talking import (
    Chat,
    bot,
    check,
    confirm,
    do,
    goal,
    hook,
    keywords,
    q,
    run,
    say,
    status,
    support,
    talk,
    trait,
)

WORDS = trait(go=["go"], help=["help"], other=["other"])
BACK = "I am going back to go now."
FAILURE = "We are experiencing technical difficulties at this moment."


class Calls(dict[str, Any]):
    """Every address answers with the number of its call."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}

    def __bool__(self) -> bool:
        return True

    def __contains__(self, url: object) -> bool:
        return True

    def get(self, url: str, default: Any = None) -> Any:
        name = url.rsplit("/", 1)[-1].partition("?")[0]
        self.counts[name] = self.counts.get(name, 0) + 1
        return f"{name}{self.counts[name]}"


STEPS = (
    say("Start."),
    hook("early", "https://api.test/early"),
    q("a", "Number"),
    say("Middle {{a}}."),
    q("day", "Date"),
    hook("late", "https://api.test/late"),
    do("set-entity", entity="copy", data="{{late}} {{a}}"),
    confirm("ok", "{{a}} {{day}} {{early}} {{copy}}?"),
    q("end"),
)


def talked(helping: tuple[dict[str, Any], ...] = (say("Help."),), **settings: Any) -> Chat:
    """A talk in which everything but the last question is done."""
    flow = bot({"go": goal(*STEPS), "help": support(*helping)}, WORDS, **settings)
    chat = Chat(flow, Calls())
    for text in ("go", "1", "tomorrow"):
        chat.say(text)
    assert chat.messages[-1].text == "1 2026.11.21 early1 late1 1?"
    return chat


def test_a_correction_undoes_what_is_later_than_the_first_step_that_fills_the_entity() -> None:
    chat = talked()
    assert chat.say("make it 2") == ["Middle 2.", "2 2026.11.21 early1 late2 2? [Yes] [No]"]
    assert chat.say("23.11.2026") == ["2 2026.11.23 early1 late3 2? [Yes] [No]"]
    assert chat.say("yes") == ["end?"]


def test_context_undoes_the_same() -> None:
    chat = talked()
    assert chat.say("yes") == ["end?"]
    chat.tell(a=2)
    assert "ok" not in chat.memory
    assert chat.say("so") == ["Middle 2.", "2 2026.11.21 early1 late2 2? [Yes] [No]"]


def test_an_invalidation_undoes_the_same_and_asks_again() -> None:
    chat = talked((do("invalidate-entity day"),))
    assert chat.say("help") == [BACK, "day?"]
    assert chat.say("23.11.2026") == ["1 2026.11.23 early1 late2 1? [Yes] [No]"]


@pytest.mark.parametrize("how", ["context", "invalidation"])
def test_where_no_step_of_the_goal_fills_the_entity_all_is_undone(how: str) -> None:
    flow = bot({"go": goal(*STEPS), "help": support(do("invalidate-entity plan"))}, WORDS)
    chat = Chat(flow, Calls())
    chat.tell(plan="gold")
    for text in ("go", "1", "tomorrow"):
        chat.say(text)
    expected = ["Start.", "Middle 1.", "1 2026.11.21 early2 late2 1? [Yes] [No]"]
    if how == "context":
        assert chat.say("yes", context={"plan": "basic"})[-3:] == expected
    else:
        assert chat.say("help") == [BACK, *expected]


def test_set_entity_undoes_what_is_later_than_itself_and_not_what_stands_between() -> None:
    flow = bot(
        {
            "go": goal(
                q("n", "Number"),
                hook("before", "https://api.test/before"),
                say("Before."),
                confirm("more", "One more?"),
                do("set-entity", entity="n", data="{{$add n 1}}", conditions=["{{more}}"]),
                hook("after", "https://api.test/after"),
                say("{{n}} {{before}} {{after}}"),
                q("end"),
            )
        },
        WORDS,
    )
    chat = Chat(flow, Calls())
    assert chat.say("go") == ["n?"]
    assert chat.say("1") == ["Before.", "One more? [Yes] [No]"]
    assert chat.say("yes") == ["2 before1 after1", "end?"]


def test_set_entity_in_support_is_felt_in_the_goal_where_a_step_fills_the_entity() -> None:
    chat = talked((do("set-entity", entity="a", data="{{$add a 1}}"), say("Added.")))
    assert chat.say("help") == ["Added.", BACK, "Middle 2.", "2 2026.11.21 early1 late2 2? [Yes] [No]"]


def test_the_users_own_later_answers_stay() -> None:
    flow = bot(
        {"go": goal(q("n", "Number"), q("day", "Date"), q("name"), confirm("ok", "{{n}} {{day}} {{name}}?"))}, WORDS
    )
    talk(
        flow,
        [
            ("go", ["n?"]),
            ("1", ["day?"]),
            ("tomorrow", ["name?"]),
            ("Ada", ["1 2026.11.21 Ada? [Yes] [No]"]),
            ("make it 3", ["3 2026.11.21 Ada? [Yes] [No]"]),
        ],
    )


def test_the_same_value_said_again_undoes_nothing() -> None:
    chat = talked()
    assert chat.say("tomorrow") == ["Nothing is done yet.", "1 2026.11.21 early1 late1 1? [Yes] [No]"]
    chat.tell(a=1)
    assert chat.say("yes") == ["end?"]


def test_an_answer_whose_validation_names_a_webhooks_entity_is_checked_against_its_new_value() -> None:
    most = {"type": "custom", "parameters": {"condition": "{{$lte n room}}"}, "error-message": ["Only {{room}} there."]}
    flow = bot(
        {
            "go": goal(
                q("city", "city"),
                hook("room", "https://api.test/{{city}}"),
                q("n", "Number", reactions={"validations": [most]}),
                confirm("ok", "{{n}} in {{city}}?"),
            )
        },
        keywords("city", Sofia=[], Varna=[]),
        WORDS,
    )
    talk(
        flow,
        [
            ("go", ["city?"]),
            ("Sofia", ["n?"]),
            ("8", ["8 in Sofia? [Yes] [No]"]),
            ("Varna", ["Only 5 there.", "n?"]),
            ("5", ["5 in Varna? [Yes] [No]"]),
        ],
        {"https://api.test/Sofia": 10, "https://api.test/Varna": 5},
    )


def test_an_answer_whose_options_come_from_a_changed_entity_is_checked_again() -> None:
    source = {"type": "quick-reply", "data-source": {"entity": "halls", "selector": "$[*].name"}}
    flow = bot(
        {
            "go": goal(
                q("city", "city"),
                hook("halls", "https://api.test/{{city}}"),
                q("hall", "Text", display=source),
                confirm("ok", "{{hall}} in {{city}}?"),
            )
        },
        keywords("city", Sofia=[], Varna=[]),
        WORDS,
    )
    talk(
        flow,
        [
            ("go", ["city?"]),
            ("Sofia", ["hall? [A] [B]"]),
            ("A", ["A in Sofia? [Yes] [No]"]),
            ("Varna", ["hall? [C]"]),
            ("C", ["C in Varna? [Yes] [No]"]),
        ],
        {"https://api.test/Sofia": [{"name": "A"}, {"name": "B"}], "https://api.test/Varna": [{"name": "C"}]},
    )


def test_an_answer_whose_static_options_name_a_changed_entity_is_checked_again() -> None:
    display = {"type": "quick-reply", "data": ["{{n}} days", "{{n}} weeks"]}
    flow = bot({"go": goal(q("n", "Number"), q("stay", "Text", display=display), confirm("ok", "{{stay}}?"))}, WORDS)
    talk(
        flow,
        [
            ("go", ["n?"]),
            ("2", ["stay? [2 days] [2 weeks]"]),
            ("2 weeks", ["2 weeks? [Yes] [No]"]),
            ("make it 3", ["stay? [3 days] [3 weeks]"]),
        ],
    )


def test_a_step_run_in_place_counts_where_it_stands() -> None:
    flow = bot(
        {
            "go": goal(q("n", "Number"), run("middle"), say("Late {{n}}."), q("end")),
            "middle": support(say("Inside {{n}}."), q("why"), hook("x", "https://api.test/x"), say("{{x}}.")),
        },
        WORDS,
    )
    chat = Chat(flow, Calls())
    assert chat.say("go") == ["n?"]
    assert chat.say("1") == ["Inside 1.", "why?"]
    assert chat.say("so") == ["x1.", "Late 1.", "end?"]
    chat.tell(n=2)
    assert chat.say("fine") == ["Inside 2.", "x2.", "Late 2."]


def test_a_correction_in_an_inner_goal_makes_a_remembered_one_confirm_again() -> None:
    flow = bot(
        {
            "go": goal(q("day", "Date"), confirm("ok", "On {{day}}?"), q("n", "Number"), say("{{n}}.")),
            "other": goal(q("day", "Date"), q("seats", "Number"), say("Off.")),
        },
        WORDS,
    )
    talk(
        flow,
        [
            ("go", ["day?"]),
            ("today", ["On 2026.11.20? [Yes] [No]"]),
            ("yes", ["n?"]),
            ("other", ["seats?"]),
            ("make it tomorrow", ["seats?"]),
            ("2", ["Off.", BACK, "On 2026.11.21? [Yes] [No]"]),
        ],
    )


def test_commands_and_webhooks_without_an_entity_run_again_after_a_correction() -> None:
    flow = bot(
        {
            "go": goal(
                q("n", "Number"),
                hook(None, "https://api.test/note?{{n}}", "Noted."),
                do("set-entity", entity="total", data="{{$multiply n 2}}"),
                q("end", "Date", "{{total}}?"),
            )
        },
        WORDS,
    )
    chat = Chat(flow, Calls())
    assert chat.say("go") == ["n?"]
    assert chat.say("2") == ["Noted.", "4?"]
    assert chat.say("5 of us") == ["Noted.", "10?"]
    assert [call.request.url[-1] for call in chat.calls] == ["2", "5"]


def test_a_message_before_the_change_is_not_said_again() -> None:
    chat = talked()
    said = chat.say("make it 4")
    assert "Start." not in said


def test_a_failed_webhook_keeps_what_came_before_it_and_a_correction_then_goes_on() -> None:
    flow = bot({"go": goal(q("n", "Number"), hook("x", "https://api.test/{{n}}"), say("{{n}}: {{x}}."))}, WORDS)
    failure = "We are experiencing technical difficulties at this moment."
    talk(
        flow,
        [("go", ["n?"]), ("1", [failure]), ("and now", [failure]), ("make it 2", ["2: 20."])],
        {"https://api.test/1": status(500), "https://api.test/2": 20},
    )


def test_a_value_that_fails_its_check_when_asked_undoes_nothing() -> None:
    flow = bot(
        {
            "go": goal(
                hook("x", "https://api.test/x"),
                say("{{x}}."),
                q("n", "Number", reactions={"validations": [check("range", "No.", max=5)]}),
                say("End."),
            )
        },
        WORDS,
    )
    chat = Chat(flow, Calls())
    assert chat.say("go") == ["x1.", "n?"]
    assert chat.say("9") == ["No.", "n?"]
    assert chat.say("4") == ["End."]
    assert len(chat.calls) == 1


def test_a_chain_of_dropped_values_reaches_the_options_that_name_them() -> None:
    """The correction drops the webhook's value, and the options made of that are looked at again."""
    flow: Flow = bot(
        {
            "go": goal(
                q("n", "Number"),
                hook("price", "https://api.test/price"),
                q("pay", "Text", display={"type": "quick-reply", "data": ["{{price}} now", "later"]}),
                confirm("ok", "{{pay}}?"),
            )
        },
        WORDS,
    )
    chat = Chat(flow, Calls())
    chat.say("go")
    assert chat.say("1") == ["pay? [price1 now] [later]"]
    assert chat.tap("later") == ["later? [Yes] [No]"]
    assert chat.say("make it 2") == ["later? [Yes] [No]"]
    chat.say("restart")
    chat.say("go")
    chat.say("1")
    chat.say("price3 now")
    assert chat.say("make it 2") == ["pay? [price4 now] [later]"]


def test_a_check_whose_data_source_fails_is_made_again_with_the_step() -> None:
    free = {"endpoint": "https://api.test/free?{{n}}"}
    check = {
        "type": "custom",
        "parameters": {"data-source": free, "condition": "{{_response}}"},
        "error-message": ["No."],
    }
    flow = bot(
        {
            "go": goal(
                q("n", "Number"),
                q("name", "Text", reactions={"validations": [check]}),
                confirm("ok", "{{n}} {{name}}?"),
            )
        },
        WORDS,
    )
    chat = talk(
        flow,
        [("go", ["n?"]), ("1", ["name?"]), ("Ada", ["1 Ada? [Yes] [No]"]), ("make it 2", [FAILURE])],
        {"https://api.test/free?1": True, "https://api.test/free?2": status(500)},
    )
    chat.answers["https://api.test/free?2"] = False
    assert chat.say("well?") == ["No.", "name?"]


def test_options_that_cannot_be_had_are_looked_for_again_with_the_step() -> None:
    source = {"type": "quick-reply", "data-source": {"endpoint": "https://api.test/{{n}}"}}
    flow = bot({"go": goal(q("n", "Number"), q("x", "Text", display=source), confirm("ok", "{{x}}?"))}, WORDS)
    chat = talk(
        flow,
        [("go", ["n?"]), ("1", ["x? [A]"]), ("A", ["A? [Yes] [No]"]), ("make it 2", [FAILURE])],
        {"https://api.test/1": ["A"], "https://api.test/2": status(500)},
    )
    chat.answers["https://api.test/2"] = ["B"]
    assert chat.say("well?") == ["x? [B]"]
