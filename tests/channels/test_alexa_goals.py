"""What the interaction model of a skill says to start a goal."""

from __future__ import annotations

import json

from tests.channels.test_alexa import CHANNEL

from dialoom.channels.alexa.goals import said_for
from dialoom.channels.alexa.interaction_model import model_of
from dialoom.flow import read_files


def test_a_model_and_what_starts_a_goal_hold_no_slot() -> None:
    wish = {"value": "book", "expressions": ["a table on {day}", "book for {Number} people", "a table please"]}
    bot = read_files(
        {
            "bot.json": json.dumps({"id": "b", "channels": [CHANNEL]}),
            "flow.json": json.dumps(
                {
                    "conversations": {
                        "book": {
                            "type": "goal",
                            "steps": [
                                {"type": "question", "entity": "day", "entity-type": "Date", "messages": ["When?"]}
                            ],
                        }
                    }
                }
            ),
            "training.json": json.dumps(
                {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait", "data": [wish]}]}
            ),
        }
    )
    intents = model_of(bot)["interactionModel"]["languageModel"]["intents"]
    assert [one["samples"] for one in intents if one["name"] == "GoalBookIntent"] == [["a table please"]]
    assert said_for(bot, "book") == "a table please"
