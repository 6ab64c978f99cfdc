"""A conversation that was only guessed at asks before it acts; what fails is not tried over and over."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, confirm, do, goal, hook, q, say, status, support, talk, trait

POST = "https://api.test/x"
FAILURE = "We are experiencing technical difficulties at this moment."
WISHES = trait(
    person=["I want to talk to a person", "call a human", "give me a real person", "let me speak with someone"],
    cancel=["cancel my booking", "I want to cancel the appointment", "please cancel it"],
    hours=["when are you open", "what are your opening hours", "how late are you open"],
)


def desk(**more: object) -> Chat:
    person = support(say("A person takes over."), do("stay-silent 10", live_agent="desk"), name="a person")
    person.update(more)
    cancel = goal(hook("x", POST, "Cancelled.", source={"method": "POST"}), name="to cancel")
    return Chat(
        bot({"person": person, "cancel": cancel, "hours": support(say("9 to 5."))}, WISHES, understanding={"act": 1}),
        {POST: 1},
    )


def test_a_guess_asks_before_it_acts_and_says_nothing_else() -> None:
    chat = desk()
    asked = chat.say("could I maybe speak to a real human person here")
    assert asked == ["Do you want a person? [Yes] [No]"]
    assert chat.say("yes") == ["A person takes over."]
    assert chat.state.silent_until


def test_no_drops_the_guess() -> None:
    chat = desk()
    chat.say("could I maybe speak to a real human person here")
    assert chat.say("no") == ["Nothing is done yet."]
    assert not chat.state.silent_until


def test_anything_else_than_a_plain_yes_is_a_new_message() -> None:
    chat = desk()
    chat.say("could I maybe speak to a real human person here")
    assert chat.say("when are you open") == ["9 to 5."]
    assert not chat.state.silent_until


@pytest.mark.parametrize("said", ["call a human", "please call a human", "Call a human!", "person"])
def test_an_expression_or_a_name_is_no_guess(said: str) -> None:
    chat = desk()
    if said == "person":
        chat = Chat(bot({"person": goal(do("stay-silent 10"))}))
        assert chat.say("I want to person") == []
    else:
        assert chat.say(said) == ["A person takes over."]
    assert chat.state.silent_until


def test_the_conversation_may_act_on_a_guess_if_its_author_says_so() -> None:
    chat = desk(**{"on-a-guess": "start"})
    assert chat.say("could I maybe speak to a real human person here") == ["A person takes over."]


def test_a_guess_that_asks_first_needs_no_question_of_its_own() -> None:
    steps = (q("why"), hook("x", POST, source={"method": "POST"}))
    chat = Chat(bot({"cancel": goal(*steps)}, trait(cancel=["cancel my booking", "drop my booking"])), {POST: 1})
    assert chat.say("cancel the booking of mine")[-1] == "why?"


def test_a_goal_without_expressions_starts_when_its_key_or_name_is_said() -> None:
    flow = bot({"book-table": goal(q("day", "Date"), name="Reserve a table")})
    for said in ("book table", "Reserve a table", "I want to reserve a table please"):
        assert Chat(flow).say(said) == ["day?"]
    assert Chat(flow).say("table") != ["day?"]


def test_three_failures_in_a_row_end_the_goal_and_each_try_has_the_first_ones_key() -> None:
    flow = bot({"cancel": goal(hook("x", POST, source={"method": "POST"}))}, trait(cancel=["cancel it"]))
    chat = talk(flow, [("cancel it", [FAILURE]), ("again", [FAILURE]), ("again", [FAILURE])], {POST: status(500)})
    assert len({call.request.idempotency_key for call in chat.calls}) == 1
    assert chat.records == ["failure"]
    assert chat.state.stack == ()


def test_a_question_after_a_failure_is_answered_and_the_step_waits_for_the_next_message() -> None:
    chat = desk()
    chat.answers[POST] = status(500)
    chat.say("cancel my booking")
    assert chat.say("when are you open")[0] == "9 to 5."
    assert len(chat.calls) == 1


def test_after_some_misunderstood_replies_another_conversation_runs_and_the_question_stays_open() -> None:
    flow = bot(
        {"book": goal(q("day", "Date"), q("note", optional=True)), "lost": support(say("Call 112."))},
        trait(book=["book"]),
        misunderstood={"after": 3, "conversation": "lost"},
    )
    invalid = "I am not sure I understood what you said."
    chat = talk(flow, [("book", ["day?"]), ("banana", [invalid, "day?"])])
    assert chat.say("apple") == [invalid, "You can also say: “go back”, “restart”.", "day?"]
    assert chat.say("pear") == ["Call 112."]
    assert chat.say("tomorrow") == ["note? [Skip]"]


@pytest.mark.parametrize("yes", ["yes, since Monday", "yes I have", "yeah, very high"])
def test_a_yes_that_does_nothing_may_be_followed_by_more(yes: str) -> None:
    flow = bot(
        {
            "check": goal(
                confirm("fever", "Do you have a fever?"), q("since"), hook("x", POST, source={"method": "POST"})
            )
        },
        trait(check=["check"]),
    )
    chat = Chat(flow)
    chat.say("check")
    assert chat.say(yes) == ["since?"]
    other = Chat(flow)
    other.say("check")
    assert other.say("yes, but not now")[0] == "Nothing is done yet."


@pytest.mark.parametrize(
    "said",
    [
        "don't cancel my booking",
        "I don't want to talk to a person",
        "I spoke to a person yesterday",
        "show my booking",
        "my booking",
        "what happens if I cancel my booking",
        "I had to cancel my booking last year because of the snow",
        "did you cancel my booking?",
        "did you cancel my booking",
        "cancel my booking tomorrow",
        "a real person told me to ask you",
    ],
)
def test_a_sentence_that_is_only_like_an_expression_never_acts_by_itself(said: str) -> None:
    chat = Chat(desk().flow, {POST: 1})
    chat.say(said)
    assert not chat.calls
    assert not chat.state.silent_until


@pytest.mark.parametrize("said", ["no", "don't do it", "wait", "go back", "I don't want it any more", "that's wrong"])
def test_a_no_after_a_failure_does_not_try_again(said: str) -> None:
    chat = desk()
    chat.answers[POST] = status(500)
    chat.say("cancel my booking")
    assert chat.say(said) == ["Do you want to stop to cancel? [Yes] [No]"]
    assert len(chat.calls) == 1


def test_an_old_yes_is_none_to_what_was_corrected() -> None:
    flow = bot(
        {"book": goal(q("time", "Time"), confirm("sure", "At {{time}}?"), hook("x", POST, source={"method": "POST"}))},
        trait(book=["book"]),
    )
    chat = Chat(flow, {POST: 1})
    chat.say("book")
    chat.say("10:00")
    old = chat.messages[-1].replies[0].key
    chat.say("at 11:00")
    chat.pick(key=old)
    assert not chat.calls
