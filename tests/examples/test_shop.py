"""The shop's files: right, and spelled as its back end spells them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dialoom.flow import check_folder

from .test_shop_backend import backend

FOLDER = Path(__file__).parents[2] / "examples" / "shop"
TRAINING = json.loads((FOLDER / "training.json").read_text("utf-8"))
FLOW = json.loads((FOLDER / "flow.json").read_text("utf-8"))


def data_of(name: str) -> list[dict[str, Any]]:
    data = next(one["data"] for one in TRAINING["entity-definitions"] if one["name"] == name)
    assert isinstance(data, list)
    return data


def values_of(name: str) -> list[str]:
    return [one["value"] for one in data_of(name)]


def expressions() -> set[str]:
    return {expression.casefold() for one in data_of("Conversation") for expression in one["expressions"]}


def suggested() -> set[str]:
    """What the messages of the flow suggest to say."""
    steps = [step for conversation in FLOW["conversations"].values() for step in conversation["steps"]]
    return {text for step in steps if step["type"] == "message" for text in step.get("display", {}).get("data", ())}


def test_the_bot_is_checked_without_a_finding() -> None:
    assert [str(finding) for finding in check_folder(FOLDER)] == []


def test_the_bot_knows_the_categories_colours_sizes_and_extras_of_the_back_end() -> None:
    products = backend.GOODS["products"]
    assert set(values_of("Category")) == {one["category"] for one in products}
    assert set(values_of("Colour")) >= {colour for one in products for colour in one["colours"]}
    assert set(values_of("Size")) == set(backend.SIZES.values())
    assert values_of("Extra") == [one["name"] for one in backend.GOODS["extras"]]


def test_the_bot_knows_two_hundred_countries_and_how_long_a_parcel_takes_to_each() -> None:
    countries = data_of("Country")
    assert len(countries) >= 200
    for country in countries:
        assert country["metadata"]["days"] == backend.zone_of(country["metadata"]["code"])["days"], country
    known = {one["metadata"]["code"] for one in countries}
    assert len(known) == len(countries)
    assert known >= {code for zone in backend.GOODS["zones"] for code in zone["countries"]}


def test_every_product_is_something_to_begin_an_order_with() -> None:
    assert expressions() >= {one["name"].casefold() for one in backend.GOODS["products"]}


def test_there_are_enough_questions_with_enough_ways_to_ask_them() -> None:
    questions = data_of("Question")
    assert len(questions) >= 12
    assert [one["value"] for one in questions if len(one["expressions"]) < 5] == []


@pytest.mark.parametrize("text", sorted(suggested()))
def test_every_suggested_reply_is_a_trained_expression(text: str) -> None:
    assert text.casefold() in expressions()


def test_every_conversation_test_passes() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dialoom.cli", "test", str(FOLDER)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
