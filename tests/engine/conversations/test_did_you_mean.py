"""*Did you mean*: the likeliest wishes are offered where nothing was understood (flow-language.md section 5, rule 6)."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.engine import Flow
from tests.engine.talking import Chat, bot, confirm, goal, hook, keywords, q, quick, say, status, support, trait

POST = "https://api.test/x"
FAILURE = "We are experiencing technical difficulties at this moment."
INVALID = "I am not sure I understood what you said."
HELP = "I can do cards and loans."
WISHES = trait(
    block=["block my card", "I lost my card", "my card was stolen", "freeze the card please"],
    unblock=["unblock my card", "my card works again", "I found my card", "lift the block on the card"],
    loan=["I want a loan", "borrow money", "can I get a credit", "lend me some money"],
)
QUESTIONS = {
    "name": "Faq",
    "lookup-strategy": "QnA",
    "data": [
        {"value": "hours", "expressions": ["when are you open", "opening hours"], "answers": ["9 to 5."]},
        {"value": "fees", "expressions": ["what does a card cost", "card fees"], "answers": ["5 a year."]},
    ],
}
TWO = "my card and the block"
"""Said of two goals alike."""
TWO_OFFERED = "Did you mean Block a card or Unblock a card? [Block a card] [Unblock a card] [Neither]"
ONE = "my card was eaten by the machine"
ONE_OFFERED = "Did you mean Block a card? [Block a card] [No]"


def bank(*more: dict[str, Any], help: bool = True, **settings: Any) -> Flow:
    block = goal(hook("x", POST, "Blocked.", source={"method": "POST"}), name="Block a card")
    unblock = goal(q("number", "Number", "Which number?"), say("Unblocked {{number}}."), name="Unblock a card")
    loan = goal(
        q("amount", "Number", "How much?", display=quick("1000", "2000")),
        q("day", "Date", "When?"),
        confirm("sure", "Sure?"),
        name="Ask for a loan",
    )
    conversations = {"block": block, "unblock": unblock, "loan": loan}
    if help:
        conversations["help"] = support(say(HELP))
    for one in more:
        conversations |= one
    return bot(conversations, WISHES, QUESTIONS, **settings)


def offered(said: str = TWO, **settings: Any) -> Chat:
    """A chat in which the offer stands."""
    chat = Chat(bank(**settings), {POST: 1})
    [answer] = chat.say(said)
    assert answer == (TWO_OFFERED if said == TWO else ONE_OFFERED)
    return chat


def test_two_likely_wishes_are_offered_by_their_names() -> None:
    offered(TWO)


def test_one_likely_wish_is_offered_with_no() -> None:
    offered(ONE)


def test_an_answer_is_offered_by_its_first_expression() -> None:
    chat = Chat(bank(understanding={"ask": 0.1, "threshold": 1}))
    assert chat.say("open what cost") == [
        "Did you mean when are you open or what does a card cost? [when are you open] [what does a card cost] [Neither]"
    ]
    assert chat.tap("what does a card cost") == ["5 a year."]


def test_a_text_that_is_like_nothing_is_offered_nothing() -> None:
    assert Chat(bank()).say("what is the weather like") == [HELP]
    assert Chat(bank()).say("thanks a lot") == [HELP]


def test_nothing_is_offered_where_it_is_switched_off() -> None:
    assert Chat(bank(understanding={"ask": 1})).say(TWO) == [HELP]


def test_what_lies_below_ask_is_not_offered() -> None:
    chat = Chat(bank(understanding={"ask": 0.6, "threshold": 0.7}))
    assert chat.say(ONE) == [HELP]


def test_a_tap_goes_on_as_if_it_had_been_said_in_full_and_acts_without_a_second_question() -> None:
    chat = offered(ONE)
    assert chat.tap("Block a card") == ["Blocked."]
    assert chat.records == ["success"]


def test_the_values_of_the_first_message_are_taken() -> None:
    chat = Chat(bank(understanding={"threshold": 0.95}))
    assert chat.say("some credit thing on Monday for 1500") == ["Did you mean Ask for a loan? [Ask for a loan] [No]"]
    assert chat.say("yes") == ["Sure? [Yes] [No]"]
    assert (chat.memory["amount"], chat.memory["day"]) == (1500, "2026-11-23")


@pytest.mark.parametrize(
    "said",
    [
        *("Unblock a card", "unblock a card please", "yes, unblock a card", "lift the block on the card"),
        *("the second one", "second", "2", "number two", "the last one", "yes the second please"),
    ],
)
def test_a_typed_answer_chooses_by_name_expression_or_place(said: str) -> None:
    chat = offered(TWO)
    assert chat.say(said) == ["Which number?"]
    assert chat.heard.chosen == ("Conversation", "unblock")


@pytest.mark.parametrize("said", ["yes", "yes please", "block a card", "the first one", "1", "yes, block the card"])
def test_a_typed_yes_takes_the_only_one(said: str) -> None:
    assert offered(ONE).say(said) == ["Blocked."]


@pytest.mark.parametrize(
    "said",
    ["Neither", "neither of them", "no", "no thanks", "none of them", "none", "no, neither", "neither, thank you", "3"],
)
def test_neither_of_two_gets_help(said: str) -> None:
    chat = offered(TWO)
    assert chat.say(said) == [HELP]
    assert chat.heard.has_refused


def test_without_help_neither_gets_an_invalid_reply() -> None:
    chat = offered(TWO, help=False)
    assert chat.tap("Neither") == [INVALID]


@pytest.mark.parametrize("said", ["no", "No", "neither"])
def test_no_to_the_only_one_gets_help(said: str) -> None:
    chat = offered(ONE)
    assert chat.say(said) == [HELP]
    assert chat.heard.has_refused


def test_a_yes_to_two_says_nothing_and_is_not_asked_about_again() -> None:
    assert offered(TWO).say("yes") == [HELP]


def test_what_denies_one_of_two_turns_down_neither() -> None:
    for said in ("unblock not block", "no block"):
        chat = offered(TWO)
        chat.say(said)
        assert not chat.heard.has_refused


def test_an_expression_that_is_the_answer_keeps_the_values_of_the_first_message() -> None:
    chat = Chat(bank(understanding={"threshold": 0.95}))
    chat.say("some credit thing on Monday for 1500")
    assert chat.say("I want a loan") == ["Sure? [Yes] [No]"]


def test_another_message_is_judged_as_any_other() -> None:
    assert offered(TWO).say("opening hours") == ["9 to 5."]
    assert offered(TWO).say("no, I want a loan") == ["How much? [1000] [2000]"]


def test_it_is_never_asked_twice_in_a_row() -> None:
    chat = offered(TWO)
    assert chat.say(ONE) == [HELP]
    assert chat.say(ONE) == [ONE_OFFERED]


def test_an_old_offer_that_is_tapped_later_does_nothing() -> None:
    chat = offered(TWO)
    key = chat.messages[0].replies[0].key
    chat.say("opening hours")
    assert chat.pick(key=key) == [HELP]
    assert not chat.calls


# ---- at an open question -----------------------------------------------------------------------------------------


def test_at_an_open_question_its_own_options_stay_below() -> None:
    chat = Chat(bank(), {POST: 1})
    chat.say("borrow money")
    assert chat.say(TWO) == [f"{TWO_OFFERED} [1000] [2000]"]
    assert chat.tap("2000") == ["When?"]


def test_the_dialog_of_an_open_question_stays_below() -> None:
    table = {
        "table": goal(q("day", "Date", "When?", display={"type": "date-picker", "title": "Choose"}), say("{{day}}"))
    }
    chat = Chat(bank(table))
    chat.say("table")
    assert chat.say(TWO) == [f"{TWO_OFFERED} <date-picker: >"]
    dialog = chat.messages[0].dialog
    assert dialog is not None
    assert chat.pick("2026-12-01", ask=dialog.key) == ["2026.12.01"]


def test_a_tap_on_an_option_of_the_open_question_that_names_no_value_is_not_asked_about_again() -> None:
    odd = {"odd": goal(q("n", "Number", "How many?", display=quick("one", {"title": "Many", "value": TWO})))}
    chat = Chat(bank(odd))
    chat.say("odd")
    chat.say(TWO)
    assert chat.tap("Many") == [INVALID, "How many? [one] [Many]"]


def test_an_open_question_is_answered_beside_an_offer() -> None:
    chat = Chat(bank(), {POST: 1})
    chat.say("borrow money")
    chat.say(TWO)
    assert chat.say("1800") == ["When?"]
    assert chat.memory["amount"] == 1800


def test_a_bare_number_that_the_open_question_reads_is_its_answer() -> None:
    chat = Chat(bank())
    chat.say("borrow money")
    chat.say(TWO)
    assert chat.say("2") == ["When?"]
    assert chat.memory["amount"] == 2


def test_the_second_one_at_an_open_question_is_the_second_offer() -> None:
    chat = Chat(bank())
    chat.say("borrow money")
    chat.say(TWO)
    assert chat.say("the second one") == ["Which number?"]


def test_neither_at_an_open_question_gets_an_invalid_reply_and_the_question() -> None:
    chat = Chat(bank())
    chat.say("borrow money")
    chat.say(TWO)
    assert chat.tap("Neither") == [INVALID, "How much? [1000] [2000]"]


def test_a_second_miss_at_an_open_question_gets_an_invalid_reply_and_the_question() -> None:
    chat = Chat(bank())
    chat.say("borrow money")
    chat.say(TWO)
    assert chat.say("hm") == [INVALID, "How much? [1000] [2000]"]


def test_a_chosen_answer_is_followed_by_the_question() -> None:
    chat = Chat(bank(understanding={"ask": 0.1, "threshold": 1}))
    chat.say("borrow money")
    chat.say("open what cost")
    assert chat.tap("when are you open") == ["9 to 5.", "How much? [1000] [2000]"]


def test_a_chosen_goal_is_followed_by_the_one_that_it_interrupted() -> None:
    chat = Chat(bank(), {POST: 1})
    chat.say("borrow money")
    chat.say(TWO)
    assert chat.tap("Block a card") == [
        "Blocked.",
        "I am going back to Ask for a loan now.",
        "How much? [1000] [2000]",
    ]


def test_the_open_goal_itself_is_not_offered() -> None:
    chat = Chat(bank())
    chat.say("unblock my card")
    assert chat.say(TWO) == ["Did you mean Block a card? [Block a card] [No]"]


def test_nothing_is_offered_while_a_confirmation_is_open() -> None:
    chat = Chat(bank())
    chat.say("I want a loan of 1500 tomorrow")
    assert chat.say(TWO) == ["Nothing is done yet.", "Sure? [Yes] [No]"]


def test_nothing_is_offered_after_a_guess_that_was_asked_about() -> None:
    chat = Chat(bank(understanding={"act": 1}), {POST: 1})
    assert chat.say("about my card") == ["Do you want Block a card? [Yes] [No]"]
    assert chat.say(TWO) == [HELP]


def test_a_failed_step_is_tried_again_and_nothing_offered() -> None:
    chat = Chat(bank(), {POST: status(500)})
    assert chat.say("block my card") == [FAILURE]
    assert chat.say(TWO) == [FAILURE]


@pytest.mark.parametrize("then", ["Neither", "hm"])
def test_an_offer_counts_as_a_reply_that_was_not_understood(then: str) -> None:
    lost = {"lost": support(say("Call 112."))}
    chat = Chat(bank(lost, misunderstood={"after": 2, "conversation": "lost"}))
    chat.say("borrow money")
    chat.say(TWO)
    second = chat.say(then)
    assert second == (["Call 112."] if then == "hm" else [INVALID, "How much? [1000] [2000]"])
    if then == "Neither":
        assert chat.say("hm") == ["Call 112."]


# ---- values that one goal alone asks for -------------------------------------------------------------------------


def shop(*, both: bool = False) -> Chat:
    """A chat with a shop whose fish only the order asks for, or with ``both`` the complaint too."""
    wishes = trait(
        order=["order {fish}", "I want fish", "{kilos} kilos of {fish}", "bring me something for dinner"],
        complain=["I have a complaint", "my order arrived late", "something was wrong with the delivery"],
    )
    fish = q("fish", "Fish", "Which fish?")
    kilos = q("kilos", "Number", "How many kilos?")
    conversations = {
        "order": goal(fish, kilos, say("{{kilos}} of {{fish}}."), name="an order"),
        "complain": goal(*([fish] if both else []), q("what"), name="a complaint"),
        "help": support(say(HELP)),
    }
    return Chat(bot(conversations, wishes, keywords("Fish", Salmon=["red salmon"], Cod=[])))


def test_a_value_that_one_goal_alone_asks_for_makes_it_likely_enough_to_be_offered() -> None:
    chat = shop()
    assert chat.say("same old salmon like always") == ["Did you mean an order? [an order] [No]"]
    assert chat.say("yes") == ["How many kilos?"]
    assert chat.memory["fish"]["value"] == "Salmon"


def test_a_value_that_several_goals_ask_for_speaks_for_none_of_them() -> None:
    assert shop(both=True).say("same old salmon like always") == [HELP]


# ---- a short reply to an open question ---------------------------------------------------------------------------


def at_a_question() -> Chat:
    chat = Chat(bank(), {POST: 1})
    assert chat.say("borrow money") == ["How much? [1000] [2000]"]
    return chat


def test_a_short_reply_that_only_looks_like_another_goal_does_not_start_it() -> None:
    chat = at_a_question()
    assert chat.say("card works") == ["Did you mean Unblock a card? [Unblock a card] [No] [1000] [2000]"]
    assert chat.say("no") == [INVALID, "How much? [1000] [2000]"]


@pytest.mark.parametrize("said", ["unblock card", "found card", "unblock it please", "I want to unblock it"])
def test_a_short_reply_that_says_all_that_an_expression_is_about_starts_its_goal(said: str) -> None:
    assert at_a_question().say(said) == ["Which number?"]


def test_what_only_looks_like_a_goal_starts_it_where_no_question_is_open() -> None:
    assert Chat(bank()).say("card works") == ["Which number?"]


@pytest.mark.parametrize("said", ["nothing", "none", "no thanks"])
def test_a_reply_of_nothing_is_offered_no_wish(said: str) -> None:
    wishes = trait(loan=["I want a loan", "borrow money"], close=["nothing works", "none of it works", "no card works"])
    flow = bot({"loan": goal(q("amount", "Number")), "close": goal(q("n"))}, wishes, understanding={"ask": 0.05})
    chat = Chat(flow)
    chat.say("borrow money")
    assert chat.say(said) == [INVALID, "amount?"]


# ---- the first message of a session ------------------------------------------------------------------------------


def test_the_first_message_gets_welcome_and_then_the_offer() -> None:
    chat = Chat(bank({"welcome": support(say("Hello!"))}), {POST: 1})
    assert chat.say(TWO) == ["Hello!", TWO_OFFERED]
    assert chat.tap("Block a card") == ["Blocked."]


def test_what_welcome_asks_waits_until_the_offer_was_turned_down() -> None:
    chat = Chat(bank({"welcome": support(say("Hello!"), q("name", "Text", "Who are you?"))}))
    assert chat.say(TWO) == ["Hello!", TWO_OFFERED]
    assert chat.tap("Neither") == ["Who are you?"]


def test_welcome_is_never_offered() -> None:
    wishes = trait(welcome=["hello my friend", "good day my dear"], loan=["I want a loan", "borrow money"])
    flow = bot({"welcome": support(say("Hello!")), "loan": goal(q("n"))}, wishes, understanding={"threshold": 1})
    chat = Chat(flow)
    assert chat.say("hello my friends") == ["Hello!"]
    assert chat.say("hello my friends") == [INVALID]


# ---- what is kept ------------------------------------------------------------------------------------------------


def test_the_turn_tells_what_was_offered_and_what_was_chosen() -> None:
    chat = offered(TWO)
    wishes = (("Conversation", "block"), ("Conversation", "unblock"))
    assert (chat.heard.is_understood, chat.heard.offered) == (False, wishes)
    chat.tap("Unblock a card")
    assert (chat.heard.is_understood, chat.heard.chosen, chat.heard.text) == (True, wishes[1], "Unblock a card")
    assert chat.heard.understanding["Conversation"][0]["value"] == {"value": "unblock"}


def test_the_turn_tells_that_all_was_turned_down() -> None:
    chat = offered(TWO)
    chat.tap("Neither")
    assert (chat.heard.has_refused, chat.heard.chosen, chat.heard.is_understood) == (True, None, True)
