"""The page on rules in the docs: every rule is there, and its examples are found wrong and right as they say."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest

from dialoom.cli.check import finder, reads
from dialoom.flow import check_files
from dialoom.flow.check import CHECKS
from dialoom.flow.check.rules import RULES
from dialoom.flow.fixes.derive import FIXABLE_RULES
from dialoom.flow.model import BotFile, FlowFile

PAGE = (Path(__file__).parents[3] / "docs/look-up/lint.md").read_text(encoding="utf-8")
OF_THE_READER = {
    *("missing-folder", "missing-file", "unreadable", "not-utf-8", "broken-json", "doubled-key", "unfit-text"),
    *("unfit-number", "unknown-key", "missing-key", "wrong-type", "not-allowed", "too-many-findings"),
}
WITHOUT_EXAMPLE = {"missing-folder", "missing-file", "unreadable", "not-utf-8", "too-many-findings"}
SECTIONS = {part.split("\n", 1)[0]: part.split("\n## ")[0] for part in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]}

SURROUNDINGS: dict[str, dict[str, Any]] = {
    "bot.json": {"id": "bot"},
    "flow.json": {
        "conversations": {
            "welcome": {"type": "support", "steps": [{"type": "message", "messages": ["Hello"]}]},
            "help": {"type": "support", "steps": [{"type": "message", "messages": ["I book rooms."]}]},
            "book": {"type": "goal", "steps": [{"type": "message", "messages": ["Booked."]}]},
        }
    },
    "training.json": {
        "entity-definitions": [
            {
                "name": "Conversation",
                "lookup-strategy": "trait",
                "data": [{"value": "book", "expressions": ["book a room", "I need a room", "reserve a room for me"]}],
            }
        ]
    },
    "tests/context.json": {
        "context": dict.fromkeys(
            ("paid", "sent", "price", "name", "status", "cities", "more", "shop", "colour", "city"), "told by a page"
        )
    },
}
"""What an example of the page does not show."""

FILES = {
    "bot.json": set(BotFile.__struct_encode_fields__),
    "flow.json": set(FlowFile.__struct_encode_fields__),
    "training.json": {"entity-definitions"},
}


def examples(rule: str) -> list[str]:
    return re.findall(r"^```(?:json|text)\n(.*?)^```", SECTIONS[rule], flags=re.MULTILINE | re.DOTALL)


def files_with(example: str, rule: str) -> dict[str, str]:
    """The three files of a bot that the example stands in."""
    files = copy.deepcopy(SURROUNDINGS)
    if "```text" in SECTIONS[rule]:
        (whole,) = set(re.findall(r"^(?:Wrong|Mended), `(.*)`:$", SECTIONS[rule], flags=re.MULTILINE))
        others = {
            name: json.dumps(value) for name, value in files.items() if name != "training.json" or whole == "bot.json"
        }
        return others | {whole: example}
    for key, value in json.loads(example).items():
        if key == "steps":
            files["flow.json"]["conversations"]["book"]["steps"] = value
        elif key == "conversations":
            files["flow.json"]["conversations"].update(value)
        elif key == "entity-definitions":
            files["training.json"]["entity-definitions"] += value
        else:
            (file,) = (name for name, keys in FILES.items() if key in keys)
            files[file][key] = value
    return {name: json.dumps(value) for name, value in files.items()}


def rules_in(example: str, rule: str) -> set[str]:
    return {finding.rule for finding in check_files(files_with(example, rule), finder=finder, reads=reads)}


def test_every_rule_has_a_section_with_its_sentences_and_every_section_a_rule() -> None:
    assert set(SECTIONS) == set(RULES) == {check.rule for check in CHECKS} | OF_THE_READER
    for rule, (finds, matters) in RULES.items():
        assert f"{finds} {matters}" in " ".join(SECTIONS[rule].split()), rule


def kind(rule: str) -> set[str]:
    """How the checks of a rule rank what they find."""
    if rule == "too-many-findings":
        return {"error", "warning"}
    rows = [check for check in CHECKS if check.rule == rule]
    kinds = {
        "warning" if row.severity == "warning" else "error" if row.prevents_loading else "error, loads" for row in rows
    }
    return kinds or {"error"}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_the_page_says_how_grave_a_finding_is(rule: str) -> None:
    told = " or ".join(sorted(kind(rule)))
    assert SECTIONS[rule].split("*")[1].rstrip(".").lower() == told
    fix = " yes |" if rule in FIXABLE_RULES else " |"
    assert f"| [`{rule}`](#{rule}) | {told} | {RULES[rule].finds} |{fix}\n" in PAGE


@pytest.mark.parametrize("rule", sorted(set(RULES) - WITHOUT_EXAMPLE))
def test_the_wrong_example_is_found_by_its_rule_alone_and_the_mended_one_by_none(rule: str) -> None:
    wrong, *mended = examples(rule)
    assert rules_in(wrong, rule) == {rule}
    assert len(mended) == 1 or "Mended: leave it out." in SECTIONS[rule]
    for example in mended:
        assert rules_in(example, rule) == set()


def test_what_an_example_does_not_show_is_right() -> None:
    assert (
        check_files({name: json.dumps(value) for name, value in SURROUNDINGS.items()}, finder=finder, reads=reads) == []
    )
