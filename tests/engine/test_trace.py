"""The trace of a turn: what was understood, which steps were visited and why passed, what changed, what was called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from dialoom.engine import Flow, Trace, trace, turn
from dialoom.engine.events import NoResponse
from dialoom.engine.interpret import explain
from dialoom.engine.trace import Called, Changed, Entry, Reading, Sent, Understood, Visited
from tests.engine.talking import Chat, bot, check, confirm, do, goal, hook, keywords, q, quick, say, status, support
from tests.engine.talking import trait as conversations

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

PRICE = "https://api.test/price?n={{guests}}"


def _flow() -> Flow:
    return bot(
        {
            "help": support(say("Help.")),
            "book": goal(
                q("day", "Date"),
                q("guests", "Number", conditions=["{{day}}", "{{$not is-alone}}"], reactions={"acknowledgements": ["{{guests}}!"]}),
                q("note", "Text", conditions=["{{$gt guests 8}}"]),
                hook("price", PRICE, "That is {{price}}."),
                confirm("ok"),
                say("Booked."),
            ),
            "taxi": goal(q("city", "City", display=quick()), say("Off.")),
        },
        conversations(book=["book a table"], taxi=["call a taxi"], help=["help"]),
        keywords("City", **{f"C{number}": [] for number in range(8)}),
        {
            "name": "Faq",
            "lookup-strategy": "QnA",
            "data": [{"value": "pets", "expressions": ["may I bring my dog"], "answers": ["Yes."]}],
        },
    )  # fmt: skip


ANSWERS = {"https://api.test/price?n=2": 20, "https://api.test/price?n=3": 30}


class TracedChat(Chat):
    """A chat whose every event runs with a trace and without: state and effects are the same."""

    def trace(self, act: Callable[[], Any]) -> Trace:
        before = self.state
        act()
        traced = turn(self.flow, before, self.events[-1], is_traced=True)
        while (wanted := traced.pending) is not None:
            assert traced.trace is None
            traced = turn(self.flow, traced.state, self.fetched[wanted.key], is_traced=True)
        assert (traced.state, traced.effects) == (self.last.state, self.last.effects)
        assert self.last.trace is None
        assert traced.trace is not None
        assert msgspec.json.decode(msgspec.json.encode(traced.trace), type=Trace) == traced.trace
        return traced.trace

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fetched: dict[str, Any] = {}

    def _fetched(self, fetch: Any) -> Any:
        self.fetched[fetch.key] = super()._fetched(fetch)
        return self.fetched[fetch.key]

    def said(self, text: str) -> Trace:
        return self.trace(lambda: self.say(text))


def _steps(found: Trace) -> list[tuple[str, str]]:
    return [(entry.step, entry.outcome) for entry in found.entries if isinstance(entry, Visited)]


def _changes(found: Trace) -> list[tuple[str, str, Any, Any]]:
    return [(one.step, one.name, one.before, one.after) for one in found.entries if isinstance(one, Changed)]


def _understood(found: Trace) -> Understood:
    [understood] = [entry for entry in found.entries if isinstance(entry, Understood)]
    return understood


def _brief(reading: Reading) -> tuple[str, Any, str, str]:
    return reading.type, reading.value, reading.text, reading.taken_by


def _kinds(found: Trace) -> list[type[Entry]]:
    return [type(entry) for entry in found.entries]


def test_several_values_of_a_message_name_the_question_that_took_each_and_where_it_stands() -> None:
    chat = TracedChat(_flow(), ANSWERS)
    understood = _understood(chat.said("book a table for 2 on 2026-11-27"))
    assert understood.meant == "conversation"
    wish = understood.taken[-1]
    assert (wish.type, wish.taken_by) == ("Conversation", "book")
    assert [_brief(one) for one in understood.taken[:-1]] == [
        ("Date", "2026-11-27", "2026-11-27", "book/0"),
        ("Number", 2, "2", "book/1"),
    ]
    guests = understood.taken[1]
    assert (guests.start, guests.end, guests.entity) == (17, 18, "guests")
    assert {one.type for one in wish.lost} == {"Conversation"}, "the likeliest other wish lost against it"


def test_a_reading_of_the_same_words_lost_against_the_longer_one() -> None:
    chat = TracedChat(_flow(), ANSWERS)
    chat.say("book a table")
    [day] = _understood(chat.said("on 27 November 2026")).taken
    assert (day.type, day.taken_by) == ("Date", "book/0")
    assert {(one.type, one.text) for one in day.lost} == {("Number", "27"), ("Number", "2026")}


def test_a_step_tells_why_it_was_passed_and_which_condition_is_false() -> None:
    chat = TracedChat(_flow(), ANSWERS)
    chat.say("book a table")
    found = chat.said("tomorrow, we are 2")
    assert _steps(found) == [
        ("book/0", "has-value"),
        ("book/1", "has-value"),
        ("book/2", "condition-false"),
        ("book/3", "ran"),
        ("book/4", "asked"),
    ]
    [unmet] = [one for one in found.entries if isinstance(one, Visited) and one.outcome == "condition-false"]
    assert (unmet.path, unmet.condition_text) == ("conversations/book/steps/2/conditions/0", "{{$gt guests 8}}")
    second = TracedChat(_flow(), {"https://api.test/price?n=": 1})
    second.tell(**{"is-alone": True})
    second.say("book a table")
    [unmet, _] = [
        one for one in second.said("tomorrow").entries if isinstance(one, Visited) and one.condition is not None
    ]
    assert (unmet.path, unmet.condition_text) == ("conversations/book/steps/1/conditions/1", "{{$not is-alone}}")


def test_what_a_step_changes_calls_and_says_follows_its_visit() -> None:
    chat = TracedChat(_flow(), ANSWERS)
    chat.say("book a table")
    found = chat.said("tomorrow, we are 2")
    index = next(i for i, one in enumerate(found.entries) if isinstance(one, Visited) and one.step == "book/3")
    assert found.entries[index + 1 : index + 4] == (
        Called(step="book/3", method="GET", url="https://api.test/price?n=2", status=200),
        Changed(name="price", before=None, after=20, step="book/3"),
        Sent(text="That is 20.", step="book/3"),
    )
    assert Sent(text="2!", step="book/1") in found.entries
    assert _changes(found)[:2] == [("", "day", None, "2026-11-21"), ("", "guests", None, 2)]


def test_a_correction_shows_the_values_before_and_after_and_what_it_dropped() -> None:
    chat = TracedChat(_flow(), ANSWERS)
    chat.say("book a table")
    chat.say("tomorrow, we are 2")
    found = chat.said("no, 3 guests")
    assert _understood(found).meant == "value"
    assert (_understood(found).question, _understood(found).entity) == ("book/4", "ok")
    assert _changes(found) == [("", "guests", 2, 3), ("", "price", 20, None), ("book/3", "price", None, 30)]


def test_a_goal_that_interrupts_and_the_one_that_goes_on_are_both_walked() -> None:
    chat = TracedChat(_flow(), ANSWERS)
    chat.say("book a table")
    found = chat.said("call a taxi")
    assert _understood(found).meant == "conversation"
    assert _steps(found) == [("taxi/0", "asked")]
    found = chat.said("C3")
    assert _steps(found) == [("taxi/0", "has-value"), ("taxi/1", "ran"), ("book/0", "asked")]
    assert _changes(found)[-1] == ("", "city", {"value": "C3"}, None), "no step forgets it but the goal's end"


def test_an_answer_of_the_bot_is_no_step() -> None:
    chat = TracedChat(_flow(), ANSWERS)
    chat.say("book a table")
    found = chat.said("may I bring my dog")
    understood = _understood(found)
    assert (understood.meant, understood.taken[0].taken_by) == ("answer", "Faq")
    assert next(one for one in found.entries if isinstance(one, Sent)) == Sent(text="Yes.", step="book")


@pytest.mark.parametrize(
    ("answer", "status_or_none", "failure"),
    [(status(503), 503, ""), (NoResponse("timeout", "GET https://api.test: no answer in 10 s."), None, "no answer")],
)
def test_a_call_that_fails_is_the_failure_of_its_step(answer: Any, status_or_none: int | None, failure: str) -> None:
    chat = TracedChat(_flow(), {"https://api.test/price?n=2": answer})
    chat.say("book a table")
    found = chat.said("tomorrow, we are 2")
    assert _steps(found)[-1] == ("book/3", "failed")
    [called] = [one for one in found.entries if isinstance(one, Called)]
    assert called.status == status_or_none
    assert failure in called.failure
    [failed] = [one for one in found.entries if isinstance(one, Visited) and one.outcome == "failed"]
    assert "data source" in failed.reason


def test_a_validation_that_fails_to_render_is_the_failure_of_its_question() -> None:
    wrong = {"validations": [check("custom", "No.", condition="{{$currency n 'USD'}}")]}
    flow = bot({"book": goal(q("n", "Text", reactions=wrong))}, conversations(book=["book"]))
    chat = TracedChat(flow)
    chat.say("book")
    assert _steps(chat.said("many")) == [("book/0", "failed")]


def test_a_page_that_is_turned_visits_no_step() -> None:
    chat = TracedChat(_flow(), ANSWERS)
    chat.say("call a taxi")
    found = chat.said("next 5")
    assert _kinds(found) == [Understood, Sent]
    assert _understood(found).meant == "page"
    assert found.entries[1] == Sent(text="city?", step="taxi/0")


def test_what_is_not_understood_shows_the_likeliest_wish_and_unused_values() -> None:
    chat = TracedChat(_flow(), ANSWERS)
    understood = _understood(chat.said("a boat"))
    assert (understood.meant, understood.taken) == ("nothing", ())
    [first, *_] = understood.unused
    assert first.confidence < 0.65


def test_what_is_offered_is_told_with_how_sure_it_is_and_the_choice_with_what_it_chose() -> None:
    wishes = conversations(block=["block my card", "freeze the card"], unblock=["unblock my card", "lift the block"])
    flow = bot(
        {"block": goal(q("a"), name="Block"), "unblock": goal(q("b"), name="Unblock")},
        wishes,
        understanding={"ask": 0.1, "threshold": 1},
    )
    chat = TracedChat(flow)
    understood = _understood(chat.said("my card and the block"))
    assert (understood.meant, understood.taken, understood.unused) == ("offer", (), ())
    assert {one.value["value"] for one in understood.offered} == {"block", "unblock"}
    assert all(0.1 <= one.confidence < 1 for one in understood.offered)
    found = chat.said("Unblock")
    messages = [(one.meant, one.text) for one in found.entries if isinstance(one, Understood)]
    assert messages == [("own-question", "Unblock"), ("conversation", "my card and the block")]


def test_steps_that_wait_or_have_run_say_so() -> None:
    flow = bot(
        {
            "welcome": support(say("Hello."), q("mood", "Text")),
            "book": goal(say("Now."), q("phone", "Text", optional=True), q("day", "Date"), do("stay-silent 5"), say("Back.")),
        },
        conversations(book=["book"]),
    )  # fmt: skip
    chat = TracedChat(flow)
    found = chat.said("book")
    assert _steps(found) == [("welcome/0", "ran"), ("welcome/1", "held-back"), ("book/0", "ran"), ("book/1", "asked")]
    assert _steps(chat.said("skip")) == [("book/0", "has-run"), ("book/1", "left-empty"), ("book/2", "asked")]
    assert _steps(chat.said("tomorrow"))[-1] == ("book/3", "ran")
    assert _understood(chat.said("hello?")).meant == "silent"


def test_a_yes_to_a_guess_shows_the_yes_and_the_message_that_it_confirms() -> None:
    flow = bot(
        {"person": support(say("Wait."), do("stay-silent 9", live_agent="desk"), name="a person")},
        conversations(person=["I want to talk to a person", "call a human", "give me a real person"]),
        understanding={"act": 1},
    )
    chat = TracedChat(flow)
    guess = "could I maybe speak to a real human person here"
    found = chat.said(guess)
    assert _understood(found).meant == "conversation"
    assert _kinds(found) == [Understood, Sent], "what the guess ran before it was held back is none of the turn"
    found = chat.said("yes")
    messages = [(one.meant, one.text) for one in found.entries if isinstance(one, Understood)]
    assert messages == [("own-question", "yes"), ("conversation", guess)]
    assert _steps(found) == [("person/0", "ran"), ("person/1", "ran")]


def test_a_question_that_is_to_be_asked_again_is_named() -> None:
    chat = TracedChat(_flow(), ANSWERS)
    chat.say("book a table")
    chat.say("tomorrow, we are 2")
    understood = _understood(chat.said("the day is wrong"))
    assert (understood.meant, understood.reopened) == ("ask-again", ("book/0",))


def test_a_step_that_wants_a_login_says_so() -> None:
    login = {
        "entity": "auth",
        "messages": ["Please log in."],
        "acknowledgements": ["Thanks."],
        "display": {"type": "login", "template": {"title": "Log in"}},
        "oidc": {"issuer": "https://id.test", "client-id": "b", "client-secret": {"env": "BOT_S"}},
    }
    flow = bot({"go": goal(say("Secret.", protected=True))}, conversations(go=["go"]), authentication=login)
    assert _steps(TracedChat(flow).said("go")) == [("go/0", "login-needed")]


def test_a_session_that_ends_shows_what_it_forgets() -> None:
    chat = TracedChat(_flow(), ANSWERS)
    chat.say("book a table")
    chat.say("tomorrow, we are 2")
    found = chat.trace(lambda: chat.wait(2000))
    assert _changes(found) == [("", "day", "2026-11-21", None), ("", "guests", 2, None), ("", "price", 20, None)]


def _calls_of_trace(act: Callable[[], Any]) -> int:
    """Return how many functions of the trace ran."""
    files, count = {trace.__file__, explain.__file__}, 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_filename in files

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


def test_a_turn_without_a_trace_runs_nothing_of_it() -> None:
    chat = TracedChat(_flow(), ANSWERS)

    def talk() -> None:
        for text in (
            "book a table",
            "tomorrow, we are 2",
            "no, 3 guests",
            "call a taxi",
            "next 5",
            "C3",
            "yes",
            "restart",
        ):
            chat.say(text)

    assert _calls_of_trace(talk) == 0
    chat.state = TracedChat(_flow()).state
    assert _calls_of_trace(lambda: chat.said("book a table")) > 0
