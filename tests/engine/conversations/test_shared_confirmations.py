"""A yes to one goal's confirmation confirms nothing of another goal, whatever its entity is called."""

from __future__ import annotations

from tests.engine.talking import Chat, bot, confirm, goal, hook, q, trait

ORDERS, CALLS = "https://vet.test/orders", "https://vet.test/calls"
POST = {"method": "POST"}
FLOW = bot(
    {
        "order": goal(
            q("what"), confirm("ok", "Order it?"), q("name"), hook("x", ORDERS, source=POST, conditions=["{{ok}}"])
        ),
        "call": goal(
            q("phone", "Number"), confirm("ok", "Call?"), hook("y", CALLS, source=POST, conditions=["{{ok}}"])
        ),
    },
    trait(order=["order medicine"], call=["call me back"]),
)


def test_a_yes_to_the_goal_in_the_middle_orders_nothing() -> None:
    chat = Chat(FLOW, {ORDERS: 1, CALLS: 1})
    for said in ("order medicine", "call me back", "123", "yes"):
        chat.say(said)
    assert chat.say("flea drops") == ["Order it? [Yes] [No]"]
    assert [call.request.url for call in chat.calls] == [CALLS]


def test_a_yes_to_the_goal_below_calls_nobody() -> None:
    chat = Chat(FLOW, {ORDERS: 1, CALLS: 1})
    for said in ("order medicine", "flea drops", "yes", "call me back"):
        chat.say(said)
    assert chat.say("123") == ["Call? [Yes] [No]"]
    assert chat.calls == []
