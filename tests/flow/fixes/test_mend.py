"""Fixes mend their finding, bring no other, and leave alone what has more than one mending."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.flow import Finding, check_files, files_of
from dialoom.flow.fixes.derive import FIXABLE_RULES, sure_name
from dialoom.flow.fixes.edits import applied
from dialoom.flow.fixes.mend import mend

EXAMPLES = Path(__file__).parents[3] / "examples"
BOTS = [files_of(EXAMPLES / name) for name in ("shop", "library")]
CLEAN = [check_files(files) for files in BOTS]

Mutation = Callable[[Any, random.Random], None]


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(inner)


def slip(word: str, chance: random.Random) -> str:
    """A word with one letter left out, doubled or changed in its place with the next one."""
    at = chance.randrange(1, len(word) - 1)
    return chance.choice(
        [
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        ]
    )


def broken(text: str, chance: random.Random) -> str:
    """The text with one slip in a key or in a value of a closed list or a name, or one value of a wrong type."""
    value = json.loads(text)
    places = [
        (held, key)
        for held in objects(value)
        for key in held
        if key
        in ("messages", "type", "entity-type", "lookup-strategy", "display", "reactions", "conversation", "value")
    ]
    held, key = chance.choice(places)
    old = held[key]
    if isinstance(old, str) and len(old) > 4 and chance.random() < 0.6:
        held[key] = slip(old, chance)
    else:
        renamed = {slip(key, chance) if one == key else one: inner for one, inner in held.items()}
        held.clear()
        held.update(renamed)
    return json.dumps(value, ensure_ascii=False, indent=chance.choice([None, 1, 4]))


def identity(finding: Finding) -> tuple[str, str, str, str]:
    return finding.rule, finding.file, finding.path, finding.message


@settings(max_examples=20, deadline=None)
@given(bot=st.sampled_from(range(len(BOTS))), file=st.sampled_from(["flow.json", "training.json"]), seed=st.integers())
def test_a_fix_removes_its_finding_and_adds_none(bot: int, file: str, seed: int) -> None:
    files = BOTS[bot] | {file: broken(BOTS[bot][file], random.Random(seed))}
    findings = check_files(files)
    known = {identity(one) for one in (*findings, *CLEAN[bot])}
    for finding in findings:
        if finding.fix is None:
            continue
        assert finding.rule in FIXABLE_RULES
        (edit,) = finding.fix.edits
        after = check_files(files | {edit.file: applied(files[edit.file], edit)})
        assert identity(finding) not in {identity(one) for one in after}
        assert {identity(one) for one in after} <= known
    mended = mend(files, check_files)
    assert mended.findings == check_files(mended.files)
    assert mend(mended.files, check_files).changes == []


def flow(*steps: dict[str, Any]) -> dict[str, str]:
    return {
        "bot.json": '{"id": "bot"}',
        "flow.json": json.dumps({"conversations": {"welcome": {"type": "support", "steps": steps}}}),
    }


def titles(files: Mapping[str, str]) -> list[str | None]:
    return [finding.fix.title if finding.fix else None for finding in check_files(files)]


MESSAGE = {"type": "message", "messages": ["Hello"]}


@pytest.mark.parametrize(
    ("step", "title"),
    [
        ({"type": "mesage", "messages": ["Hello"]}, 'Write "message".'),
        ({"type": "message", "mesages": ["Hello"]}, 'Rename the key to "messages".'),
        (MESSAGE | {"conditions": "{{user}}"}, 'Write ["{{user}}"].'),
        (MESSAGE | {"conditions": None}, 'Remove "conditions".'),
        ({"type": "message", "messages": ["{{$uppercse user}}"]}, 'Write "{{$uppercase user}}".'),
        (MESSAGE | {"mesages": ["Hello"]}, None),
        (MESSAGE | {"names": {}}, None),
    ],
)
def test_what_has_one_mending_has_a_fix_and_else_none(step: dict[str, Any], title: str | None) -> None:
    assert title in titles(flow(step, MESSAGE))
    if title is not None:
        assert mend(flow(step, MESSAGE), check_files).findings == check_files(flow(MESSAGE, MESSAGE))


def test_a_name_that_is_near_to_two_others_is_not_sure() -> None:
    assert sure_name("book-rom", ["book-room", "cancel"]) == "book-room"
    assert sure_name("book-1", ["book-2", "book-3"]) is None
    assert sure_name("town", ["city"]) is None


def test_a_fix_that_makes_nothing_better_is_not_made() -> None:
    files = flow({"type": "message", "mesages": 5})
    assert mend(files, check_files).files == files


def test_a_value_that_may_be_a_secret_is_in_no_fix() -> None:
    files = flow(MESSAGE) | {"bot.json": '{"id": "bot", "access-token": 12345678901234567890}'}
    assert titles(files)[0] is None


def test_a_second_key_with_the_same_value_is_removed_and_one_with_another_is_not() -> None:
    files = flow(MESSAGE) | {"bot.json": '{"language": "en",\n "id": "bot",\n "language": "en"}'}
    assert mend(files, check_files).files["bot.json"] == '{"language": "en",\n "id": "bot"}'
    for others in ('"de", "language": "en"', '"en", "language": "de", "language": "en"'):
        files = flow(MESSAGE) | {"bot.json": f'{{"id": "bot", "language": {others}}}'}
        assert mend(files, check_files).files == files


def test_a_fix_that_helps_is_made_beside_one_that_does_not() -> None:
    files = flow({"type": "message", "mesages": 5}, {"type": "message", "mesages": ["Hello"]})
    assert mend(files, check_files).files == flow({"type": "message", "mesages": 5}, MESSAGE)
