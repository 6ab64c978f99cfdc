"""What each event does, and which events open a session (flow-language.md section 5, rule 1)."""

from dialoom.engine.effects import SetTimer
from tests.engine.talking import Chat, bot, goal, hook, q, quick, say, support, talk, trait

GREETER = bot(
    {
        "welcome": support(say("Hello!")),
        "order": goal(q("name"), q("size", "Text"), say("{{name}}, {{size}}."), name="your order"),
        "help": support(say("Say order.")),
    },
    trait(order=["order"]),
)


def test_an_opening_event_runs_welcome_and_the_first_message_then_does_not() -> None:
    chat = Chat(GREETER)
    assert chat.open() == ["Hello!"]
    assert chat.say("order") == ["name?"]


def test_an_opening_event_in_a_session_that_runs_says_nothing() -> None:
    chat = Chat(GREETER)
    chat.say("order")
    before = chat.state
    assert chat.open() == []
    assert chat.last.effects == ()
    assert chat.state == before


def test_an_opening_event_after_a_silence_begins_a_new_session() -> None:
    chat = Chat(GREETER)
    chat.say("order")
    chat.now += 1440 * 60_000
    assert chat.open() == ["Hello!"]
    assert chat.records == ["abandoned"]


def test_an_opening_event_that_clears_forgets_everything() -> None:
    chat = Chat(
        bot(
            {"order": goal(q("name"), q("size")), "welcome": support(say("Hi."))},
            trait(order=["order"]),
            persist_entities=["name"],
        )
    )
    chat.say("order")
    chat.say("Ada")
    assert chat.open(clear=True, context={"plan": "gold"}) == ["Hi."]
    assert chat.records == ["abandoned"]
    assert chat.memory == {}
    assert chat.state.context == {"plan": "gold"}


def test_an_opening_event_without_welcome_says_nothing_but_begins_the_session() -> None:
    chat = Chat(bot({"help": support(say("Help."))}))
    assert chat.open() == []
    assert chat.say("hm") == ["Help."]


def test_context_alone_says_nothing_and_is_there_for_the_first_message() -> None:
    chat = Chat(bot({"welcome": support(say("Hello {{customer.name}}!"))}))
    assert chat.tell(customer={"name": "Ada"}) == []
    assert chat.last.effects == ()
    assert chat.say("hi") == ["Hello Ada!"]


def test_context_beside_a_message_is_there_before_anything_else() -> None:
    chat = Chat(bot({"welcome": support(say("Hello {{name}}!"))}))
    assert chat.say("hi", context={"name": "Ada"}) == ["Hello Ada!"]


def test_a_chosen_option_is_an_answer() -> None:
    flow = bot({"order": goal(q("size", display=quick("small", "large")), say("{{size}}"))}, trait(order=["order"]))
    chat = Chat(flow)
    chat.say("order")
    assert chat.tap("large") == ["large"]
    assert chat.heard.text == "large"


def test_every_message_of_the_user_sets_the_timer_of_the_session_last() -> None:
    chat = Chat(GREETER)
    for event in (lambda: chat.say("order"), lambda: chat.say("Ada"), lambda: chat.pick("x")):
        event()
        assert chat.last.effects[-1] == SetTimer("session", 1440 * 60)
    chat.tell(a=1)
    assert chat.last.effects == ()


def test_an_answer_that_nobody_waits_for_changes_nothing() -> None:
    from dialoom.engine import turn
    from dialoom.engine.events import Fetched

    chat = Chat(GREETER)
    chat.say("order")
    result = turn(chat.flow, chat.state, Fetched(key="e9:order/0:0"))
    assert (result.state, result.effects) == (chat.state, ())


def test_a_turn_that_waits_for_a_call_gives_back_the_state_as_it_was_and_only_the_call() -> None:
    flow = bot({"order": goal(say("One moment."), hook("x", "https://api.test/x", "{{x}}"))}, trait(order=["order"]))
    chat = talk(flow, [("order", ["One moment.", "7"])], {"https://api.test/x": 7})
    assert [call.key for call in chat.calls] == ["e1:order/1:0"]
