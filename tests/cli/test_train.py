"""``dialoom train``: the report on a bot's expressions, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom.cli import main

CLINIC = Path(__file__).parents[2] / "examples" / "clinic"

GOOD = {
    "book": ["book a table", "reserve a table", "a table for two", "I need a table tonight", "is a table free"],
    "menu": ["show me the menu", "what is on the menu", "which dishes do you serve", "menu please", "your dishes"],
}


def bot(folder: Path, values: dict[str, list[str]]) -> str:
    data = [{"value": value, "expressions": expressions} for value, expressions in values.items()]
    types = [{"name": "Conversation", "lookup-strategy": "trait", "data": data}]
    (folder / "bot.json").write_text('{"id": "table"}')
    (folder / "flow.json").write_text(
        json.dumps({"conversations": {value: {"type": "support", "steps": []} for value in values}})
    )
    (folder / "training.json").write_text(json.dumps({"entity-definitions": types}))
    return str(folder)


def told(folder: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    main(["train", folder, "--format", "json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_bot_is_trained_and_each_value_has_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", str(CLINIC)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith('Bot "Lindenhof Clinic" (en): ')
    rows = [line.split()[0] for line in lines if line.startswith("  ")]
    assert {"book-appointment", "cancel-appointment", "opening-hours"} <= set(rows)


def test_good_expressions_leave_nothing_to_mend(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", bot(tmp_path, GOOD)]) == 0
    out = capsys.readouterr().out
    assert "find their value" in out
    assert "That is good enough (80% or more)." in out
    assert "warning:" not in out


def test_one_expression_of_two_values_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = bot(tmp_path, GOOD | {"help": ["Menu, please!", "help", "help me", "what can you do", "I am lost"]})
    assert main(["train", folder]) == 0
    out = capsys.readouterr().out
    assert (
        'warning: "menu please" is an expression of Conversation menu and Conversation help. Keep it in one of them. '
        "[shared-expression]" in out
    )


def test_expressions_that_only_common_words_tell_apart_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = bot(tmp_path, {"a": [*GOOD["book"], "cancel my table"], "b": [*GOOD["menu"], "cancel the table"]})
    (advice,) = [one for one in told(folder, capsys)["advice"] if one["problem"] == "near-expression"]
    assert advice["sentences"] == ["cancel my table", "cancel the table"]
    assert advice["values"] == ["a", "b"]


def test_a_value_with_few_or_no_expressions_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    advice = told(bot(tmp_path, GOOD | {"bye": ["bye"], "empty": []}), capsys)["advice"]
    assert [(one["problem"], one["values"]) for one in advice] == [
        ("no-expressions", ["empty"]),
        ("few-expressions", ["bye"]),
    ]


def test_values_that_are_taken_for_one_another_are_told_with_their_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    orders = [f"I would like to have a {dish}" for dish in ("pizza", "soup", "salad", "steak", "burger", "curry")]
    wishes = [f"I would like to have a {dish}" for dish in ("pasta", "stew", "risotto", "kebab", "fondue", "gnocchi")]
    found = told(bot(tmp_path, {"order": orders, "wish": wishes}), capsys)
    confused = {one["value"]: one["confused"] for one in found["values"]}
    assert confused["order"][0]["value"] == "wish"
    assert confused["order"][0]["sentences"][0] in orders
    assert "confused" in {one["problem"] for one in found["advice"]}


def test_json_holds_the_figures_of_each_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(bot(tmp_path, GOOD), capsys)
    assert (found["bot"], found["language"], found["expressions"]) == ("table", "en", 10)
    assert 0 <= found["accuracy"] <= 1
    book = found["values"][0]
    assert (book["type"], book["value"], book["expressions"], book["tried"]) == ("Conversation", "book", 5, 5)
    assert book["accuracy"] == book["right"] / 5


def test_a_bot_without_expressions_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", bot(tmp_path, {})]) == 0
    assert "Nothing to train" in capsys.readouterr().out


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", str(tmp_path / "nowhere")]) == 2
    assert "is no folder of a bot" in capsys.readouterr().err


def test_a_bot_that_cannot_be_loaded_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot(tmp_path, GOOD)
    (tmp_path / "training.json").write_text("{")
    assert main(["train", str(tmp_path)]) == 1
    assert "training.json" in capsys.readouterr().err


def test_what_is_not_good_enough_says_where_to_add_expressions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = bot(tmp_path, GOOD | {"odd": ["one", "completely unlike", "other words", "nothing shared"]})
    assert main(["train", folder]) == 0
    assert "Good enough is 80%. Add expressions first to odd (0 of 4 understood)" in capsys.readouterr().out


def test_expressions_whose_slots_are_of_one_type_are_one_expression(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = bot(tmp_path, {"a": [*GOOD["book"], "move it to {Date}"], "b": [*GOOD["menu"], "move it to {day}"]})
    question = {"type": "question", "entity": "day", "entity-type": "Date", "messages": ["When?"]}
    conversations = {"a": {"type": "goal", "steps": [question]}, "b": {"type": "support", "steps": []}}
    (tmp_path / "flow.json").write_text(json.dumps({"conversations": conversations}))
    (advice,) = [one for one in told(folder, capsys)["advice"] if one["problem"] == "shared-expression"]
    assert advice["sentences"] == ["move it to {Date}"]
