"""RESTART, paging and silence (flow-language.md section 5, rule 2)."""

from dialoom.engine.effects import Ended, Heard, Send
from tests.engine.talking import Chat, bot, do, goal, q, quick, say, support, talk, trait

FRUIT = ["apple", "banana", "cherry", "date", "elder", "fig", "grape", "honey", "ilama", "jujube", "kiwi", "lemon"]

FLOW = bot(
    {
        "pick": goal(q("fruit", "Text", "We have fruit.", display=quick(*FRUIT)), say("{{fruit}}!"), name="picking"),
        "restart": support(say("From the start.")),
        "help": support(say("Say pick.")),
    },
    trait(pick=["pick"], restart=["begin again"]),
    commands={"NEXT-PAGE": ["More", "forward"], "PREVIOUS-PAGE": ["Less"], "RESTART": ["start over", "reset"]},
)

NOT_SURE = "I am not sure I understood what you said."
FIRST = "We have fruit. [apple] [banana] [cherry] [date] [elder] [More]"
SECOND = "We have fruit. [fig] [grape] [honey] [ilama] [jujube] [Less] [More]"
LAST = "We have fruit. [kiwi] [lemon] [Less]"


def test_next_and_previous_page_through_the_options_of_the_open_question() -> None:
    talk(
        FLOW,
        [
            ("pick", [FIRST]),
            ("More", [SECOND]),
            ("forward", [LAST]),
            ("LESS!", [SECOND]),
            ("less", [FIRST]),
        ],
    )


def test_the_buttons_page_by_their_keys() -> None:
    chat = Chat(FLOW)
    chat.say("pick")
    assert chat.tap("More") == [SECOND]
    assert chat.tap("More") == [LAST]
    assert chat.tap("Less") == [SECOND]


def test_a_page_phrase_with_nothing_to_page_is_ordinary_text() -> None:
    chat = Chat(FLOW)
    chat.say("pick")
    assert chat.say("less") == ["less!"]
    assert chat.say("more") == ["Say pick."]


def test_a_page_phrase_must_be_the_whole_message() -> None:
    talk(FLOW, [("pick", [FIRST]), ("more of it", ["more of it!"])])


def test_options_of_other_pages_can_be_named_and_tapped() -> None:
    chat = Chat(FLOW)
    chat.say("pick")
    old = chat.messages[0].replies[0]
    chat.say("more")
    assert chat.pick(key=old.key) == ["apple!"]
    chat.say("pick")
    assert chat.say("KIWI") == ["kiwi!"]


def test_the_page_repeats_only_the_last_text_of_the_question() -> None:
    flow = bot(
        {"pick": goal(q("fruit", "Text", display=quick(*FRUIT), messages=[["Fruit!", "Which?"]]))}, trait(pick=["pick"])
    )
    chat = Chat(flow)
    assert chat.say("pick")[0] == "Fruit!"
    assert chat.say("next 5") == ["Which? [fig] [grape] [honey] [ilama] [jujube] [Prev 5] [Next 5]"]


def test_a_question_asked_again_shows_the_first_page() -> None:
    flow = bot(
        {"pick": goal(q("fruit", "Number", "Which?", display=quick(*map(str, range(1, 9)))))}, trait(pick=["pick"])
    )
    talk(
        flow,
        [
            ("pick", ["Which? [1] [2] [3] [4] [5] [Next 5]"]),
            ("next 5", ["Which? [6] [7] [8] [Prev 5]"]),
            ("none", [NOT_SURE, "Which? [1] [2] [3] [4] [5] [Next 5]"]),
        ],
    )


def test_restart_clears_the_memory_and_runs_its_conversation() -> None:
    chat = Chat(FLOW)
    chat.say("pick")
    chat.tell(plan="gold")
    assert chat.say("Start over!") == ["From the start."]
    assert chat.memory == {}
    assert chat.state.context == {"plan": "gold"}
    assert chat.state.stack == ()


def test_the_texts_of_a_restart_belong_to_the_record_that_it_ends() -> None:
    chat = Chat(FLOW)
    chat.say("pick")
    chat.say("reset")
    kinds = [type(effect) for effect in chat.last.effects if isinstance(effect, Heard | Send | Ended)]
    assert kinds == [Heard, Send, Ended]
    assert chat.records == ["abandoned"]


def test_a_restart_that_goes_to_a_goal_ends_the_record_before_it() -> None:
    flow = bot(
        {
            "order": goal(q("name"), q("size")),
            "restart": support(say("Again."), do("go-to order")),
        },
        trait(order=["order"]),
    )
    chat = Chat(flow)
    chat.say("order")
    chat.say("Ada")
    assert chat.say("restart") == ["Again.", "name?"]
    shown = [type(effect).__name__ for effect in chat.last.effects]
    assert shown == ["Heard", "Send", "Ended", "GoalStarted", "Send", "SetTimer"]


def test_a_restart_with_no_goal_ever_closes_the_record() -> None:
    chat = Chat(FLOW)
    chat.say("what?")
    chat.say("reset")
    assert chat.records == ["closed"]


def test_a_restart_without_its_conversation_runs_help_and_greets_only_where_the_session_begins_with_it() -> None:
    conversations = {"order": goal(q("name")), "welcome": support(say("Hello!")), "help": support(say("Order!"))}
    flow = bot(conversations, trait(order=["order"]))
    chat = talk(flow, [("order", ["Hello!", "name?"]), ("restart", ["Order!"]), ("order", ["name?"])])
    assert chat.records == ["abandoned"]
    talk(flow, [("restart", ["Hello!"]), ("restart", ["Order!"])])


def test_a_restart_with_nothing_to_run_is_answered_all_the_same() -> None:
    flow = bot({"order": goal(q("name")), "welcome": support(say("Hello!"))}, trait(order=["order"]))
    talk(flow, [("order", ["Hello!", "name?"]), ("restart", [NOT_SURE]), ("order", ["name?"])])


def test_the_trait_value_restart_is_the_command() -> None:
    chat = Chat(FLOW)
    chat.say("pick")
    assert chat.say("begin again") == ["From the start."]
    assert chat.records == ["abandoned"]


def test_restart_keeps_persist_entities() -> None:
    flow = bot({"order": goal(q("name"), q("size"))}, trait(order=["order"]), persist_entities=["name"])
    chat = talk(flow, [("order", ["name?"]), ("Ada", ["size?"]), ("restart", [NOT_SURE]), ("order", ["size?"])])
    assert chat.memory == {"name": "Ada"}


def test_a_phrase_of_restart_is_no_answer_to_an_open_text_question() -> None:
    chat = Chat(bot({"order": goal(q("name", display=quick("restart", "Ada")))}, trait(order=["order"])))
    chat.say("order")
    chat.tap("restart")
    assert chat.memory == {}
    assert chat.records == ["abandoned"]
