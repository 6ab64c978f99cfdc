from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import msgspec
import pytest

from dialoom.auth.vault import Vault
from dialoom.flow import Bot, read_files
from dialoom.flow.patterns.expression_slots import slot_types
from dialoom.service.bots import models
from dialoom.service.bots.models import Models
from dialoom.understanding import fingerprint, train

VAULT = Vault.from_keys([bytes(range(32))])


def bot(values: int = 2, texts: tuple[str, ...] = ("one {}", "the second {}")) -> Bot:
    data = [{"value": f"v{n}", "expressions": [text.format(f"word{n}") for text in texts]} for n in range(values)]
    training = {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait", "data": data}]}
    flow = {"conversations": {f"v{n}": {"type": "support", "steps": []} for n in range(values)}}
    files = {"bot.json": '{"id": "b"}', "flow.json": json.dumps(flow), "training.json": json.dumps(training)}
    return read_files(files)


def files_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


async def test_a_model_is_kept_under_the_hash_of_its_training_and_read_again(tmp_path: Path) -> None:
    given = bot()
    made = await Models(tmp_path, VAULT).of(given)
    assert made == train(given.training.entity_definitions, given.file.language)
    (key,) = files_in(tmp_path)
    assert key == fingerprint(given.training.entity_definitions, given.file.language)
    other = train(bot(3).training.entity_definitions, "en")
    (tmp_path / key).write_bytes(VAULT.seal(msgspec.msgpack.encode(other), f"model\0{key}"))
    assert await Models(tmp_path, VAULT).of(given) == other


async def test_the_last_models_are_not_made_or_read_again(tmp_path: Path) -> None:
    kept = Models(tmp_path, VAULT)
    first = await kept.of(bot())
    (tmp_path / files_in(tmp_path)[0]).unlink()
    assert await kept.of(bot()) is first
    for values in range(3, 3 + models.MAX_RECENT_MODELS):
        await kept.of(bot(values))
    assert await kept.of(bot()) is not first


async def test_a_kept_model_is_sealed(tmp_path: Path) -> None:
    await Models(tmp_path, VAULT).of(bot())
    (key,) = files_in(tmp_path)
    assert b"word1" not in (tmp_path / key).read_bytes()


CONTENTS = {"empty": b"", "no model": b"nonsense", "of another place": VAULT.seal(b"\xc1", "model\0other")}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
async def test_a_damaged_model_is_trained_again(tmp_path: Path, content: bytes) -> None:
    good = await Models(tmp_path, VAULT).of(bot())
    (key,) = files_in(tmp_path)
    (tmp_path / key).write_bytes(content)
    assert await Models(tmp_path, VAULT).of(bot()) == good
    assert await Models(tmp_path, VAULT).of(bot()) == good
    assert (tmp_path / key).read_bytes() != content


async def test_many_expressions_are_trained_in_a_process_of_their_own_with_the_same_result(tmp_path: Path) -> None:
    given = bot(3, tuple(f"{{}} said {n}" for n in range(100)))
    by_one, by_other = await asyncio.gather(*[Models(None, VAULT).of(given), Models(tmp_path, VAULT).of(given)])
    assert by_one == by_other == train(given.training.entity_definitions, given.file.language)


async def test_a_folder_that_cannot_be_written_costs_only_the_next_training(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, no folder")
    assert (await Models(tmp_path / "taken", VAULT).of(bot())).classifiers


async def test_the_longest_unused_models_are_deleted(tmp_path: Path) -> None:
    for number in range(models.MAX_MODELS):
        (tmp_path / f"{number:03}").write_bytes(b"old")
        os.utime(tmp_path / f"{number:03}", (number, number))
    await Models(tmp_path, VAULT).of(bot())
    left = files_in(tmp_path)
    assert len(left) == models.MAX_MODELS
    assert "000" not in left
    assert "001" in left


def asking(type_: str) -> Bot:
    """Return a bot with a slot for what its one question asks for, which is of this type."""
    data = [{"value": "book", "expressions": ["a table on {day}", "a table please", "book for {day}"]}]
    training = {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait", "data": data}]}
    question = {"type": "question", "entity": "day", "entity-type": type_, "messages": ["When?"]}
    flow = {"conversations": {"book": {"type": "goal", "steps": [question]}}}
    return read_files({"bot.json": '{"id": "b"}', "flow.json": json.dumps(flow), "training.json": json.dumps(training)})


async def test_a_bot_whose_slots_are_of_another_type_has_another_model(tmp_path: Path) -> None:
    kept = Models(tmp_path, VAULT)
    day, moment = await kept.of(asking("Date")), await kept.of(asking("Datetime"))
    assert day != moment
    assert len(files_in(tmp_path)) == 2
    assert day == train(asking("Date").training.entity_definitions, "en", slot_types(asking("Date")))
