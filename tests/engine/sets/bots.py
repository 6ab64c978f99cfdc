"""The bots of the sets, made from ``data/*.json`` once each."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from dialoom.engine import Flow
from tests.engine.talking import bot, confirm, goal, hook, keywords, q, say, trait

DATA = Path(__file__).parent / "data"


@cache
def read(name: str) -> Any:
    return json.loads((DATA / name).read_text("utf-8"))


def acting(endpoint: str) -> dict[str, Any]:
    return hook("done", endpoint, "Done.", source={"method": "POST"}, conditions=["{{sure}}"])


def questions_and_answers(made: dict[str, Any]) -> list[dict[str, Any]]:
    """The QnA type of a bot that has ``faq``; each answer names its value."""
    if "faq" not in made:
        return []
    data = [{"value": one, "expressions": all, "answers": [f"Answer: {one}."]} for one, all in made["faq"].items()]
    return [{"name": "Faq", "lookup-strategy": "QnA", "data": data}]


# ---- bots of one goal, which the sets of replies talk to ---------------------------------------------------------


def words_of(key: str, language: str) -> list[dict[str, Any]]:
    """The keyword types of a bot of one goal: the values, with the language's own words as synonyms."""
    made = read("bots.json")[key]
    own = made["languages"][language]
    types = []
    for name, values in made.get("words", {}).items():
        synonyms = own.get(name, [[] for _ in values])
        types.append(keywords(name, **dict(zip(values, synonyms, strict=True))))
    return types


@cache
def of_one_goal(key: str, language: str) -> Flow:
    made = read("bots.json")[key]
    own = made["languages"][language]
    steps = []
    for (entity, type, _), asked in zip(made["steps"], own["ask"], strict=True):
        more = {"names": own["names"]} if entity == made.get("named") else {}
        steps.append(q(entity, type, asked, **more))
    conversations = {key: goal(*steps, confirm("sure", own["confirm"]), acting(made["endpoint"]), name=own["start"])}
    types = [*words_of(key, language), *questions_and_answers(own)]
    return bot(conversations, trait(**{key: [own["start"]]}), *types, language=language)


def way_to(key: str, state: str, language: str) -> list[str]:
    """What is said until the question of this name is open; ``sure`` is the confirmation."""
    made = read("bots.json")[key]
    lines = [made["languages"][language]["start"]]
    for entity, _, answer in made["steps"]:
        if entity == state:
            break
        lines.append(answer or next(iter(made["words"][_])))
    return lines


# ---- bots of several wishes --------------------------------------------------------------------------------------


def _steps(goal_data: dict[str, Any]) -> list[dict[str, Any]]:
    """A goal's questions, then a confirmation and the call where the goal acts."""
    steps = [q(entity, type, asked, **(more[0] if more else {})) for entity, type, asked, *more in goal_data["ask"]]
    if "confirm" in goal_data:
        steps += [confirm("sure", goal_data["confirm"]), acting(goal_data["endpoint"])]
    elif not steps:
        steps.append(say(goal_data.get("say", "Done.")))
    return steps


@cache
def of_wishes(file: str, key: str) -> Flow:
    """A bot of ``{"goals": {key: {"name", "expressions", "ask", "confirm", "endpoint"}}, "faq", "words"}``."""
    made = read(file)[key]
    conversations = {one: goal(*_steps(data), name=data.get("name")) for one, data in made["goals"].items()}
    types = [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": one, "expressions": data["expressions"]} for one, data in made["goals"].items()],
        }
    ]
    types += [keywords(name, **values) for name, values in made.get("words", {}).items()]
    types += questions_and_answers(made)
    return bot(conversations, *types, language=made["language"])


@cache
def of_one_question(type: str, language: str, asked: str, more: str) -> Flow:
    """A bot that asks for one value. ``more``: further keys of the question, as JSON."""
    steps = [q("value", type, asked, **json.loads(more)), q("after", "Text", "after?")]
    return bot({"go": goal(*steps)}, trait(go=["go"]), language=language)
