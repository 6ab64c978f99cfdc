from __future__ import annotations

from typing import Any

from dialoom.flow import check_files
from tests.flow.files import said, texts


def run(*steps: dict[str, Any], kind: str = "support") -> dict[str, Any]:
    return {"type": kind, "steps": list(steps)}


def place(name: str) -> dict[str, Any]:
    return {"type": "conversation", "conversation": name}


def go_to(name: str, **keys: Any) -> dict[str, Any]:
    return {"type": "command", "command": f"go-to {name}", **keys}


def of(rule: str, training: Any = None, **conversations: Any) -> list[str]:
    found = check_files(texts({"id": "bot"}, {"conversations": conversations}, training))
    return [message.split(":")[0].removeprefix("conversations/") for message in said(found, rule)]


def trait(*values: dict[str, Any]) -> dict[str, Any]:
    return {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait", "data": list(values)}]}


def test_a_conversation_is_reached_by_the_trait_by_a_step_and_by_a_go_to_through_others_too() -> None:
    training = trait({"value": "a", "expressions": ["a"]})
    found = of("unreachable", training, a=run(place("b")), b=run(go_to("c")), c=run(), d=run(place("e")), e=run())
    assert found == ["d", "e"]
    assert of("unreachable", None, welcome=run(), help=run(place("a")), restart=run(), a=run()) == []


def test_a_conversation_that_may_be_the_answer_to_a_question_is_reached() -> None:
    def asked(**display: Any) -> dict[str, Any]:
        shown = {"type": "quick-reply", **display}
        return {
            "type": "question",
            "entity": "next",
            "entity-type": "Conversation",
            "messages": ["?"],
            "display": shown,
        }

    assert of("unreachable", None, help=run(asked(data=["a"])), a=run(), b=run()) == ["b"]
    assert of("unreachable", None, help=run(asked(**{"data-source": {"entity": "all"}})), a=run()) == []


def test_a_trait_value_without_expressions_starts_nothing_unless_a_step_does() -> None:
    training = trait({"value": "a"}, {"value": "b"}, {"value": "c", "expressions": ["c"]})
    found = of("unreachable", training, help=run(), a=run(), b=run(), c=run(place("b")))
    assert found == ["entity-definitions/0/data/0"]


def test_a_goal_that_no_step_leads_to_is_started_by_its_name() -> None:
    assert of("unreachable", None, help=run(), a=run(kind="goal")) == []
    assert of("unreachable", trait({"value": "a"}), help=run(), a=run(kind="goal")) == []


def test_a_conversation_that_helps_where_nothing_is_understood_is_reached() -> None:
    flow = {"conversations": {"help": run(), "a": run()}, "settings": {"misunderstood": {"conversation": "a"}}}
    assert said(check_files(texts({"id": "bot"}, flow)), "unreachable") == []


def test_help_is_missed_unless_there_is_no_conversation_at_all() -> None:
    assert of("missing-help", a=run()) == ["conversations"]
    assert of("missing-help") == of("missing-help", help=run()) == []


def test_the_first_step_behind_a_go_to_that_always_leaves_is_told() -> None:
    after = {"type": "message", "messages": ["a"]}
    assert of("dead-step", a=run(after, go_to("b"), after, after), b=run()) == ["a/steps/2"]


def test_a_step_behind_a_go_to_that_may_come_back_is_right() -> None:
    after = {"type": "message", "messages": ["a"]}
    assert of("dead-step", a=run(go_to("b", conditions=["{{c}}"]), after), b=run()) == []
    assert of("dead-step", a=run(go_to("a"), after)) == []
    assert of("dead-step", a=run(go_to("b"), after), b=run(place("a"))) == []


def test_what_is_doubtful_is_told_beside_errors() -> None:
    assert of("unreachable", a=run(), b=run({"type": "mesage"})) == ["a", "b"]
