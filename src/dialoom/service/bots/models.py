"""Trains the models of bots, once for the same expressions and beside the turns, and keeps them in the data folder.

A model is found by the hash of what it was trained on (``understanding.fingerprint``), so that a second start, a change
of a flow that leaves the training alone, and a return to an older version train nothing. It is sealed, as the bot's
files are: its words are theirs.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

import msgspec

from dialoom.auth.vault import Vault
from dialoom.errors import VaultError
from dialoom.flow.model import Bot, EntityDefinition, QnAType, TraitType
from dialoom.flow.patterns.expression_slots import SlotTypes, slot_types
from dialoom.service.bots.training import Definitions, Process
from dialoom.service.tasks import cancel_all
from dialoom.understanding import Model, fingerprint, train

log = logging.getLogger(__name__)

FOLDER = "models"
MAX_MODELS = 64
"""Models in the folder; of more the longest unused are deleted."""
MAX_RECENT_MODELS = 2
"""Models that are kept in memory too: a draft is compiled again and again with the training of its version, and the
flows that are in use hold most of a model anyway."""
MIN_EXPRESSIONS_FOR_PROCESS = 250
"""Expressions from which a process of its own trains: fewer take less time than its start."""


class Models:
    """Trains models and stores them in ``folder``, where there is one. ``beside`` starts a process for a large one."""

    def __init__(
        self,
        folder: Path | None,
        vault: Vault,
        beside: Callable[[], Process] = Process,
        note_training: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self._folder = folder
        self._vault = vault
        self._beside = beside
        self._note_training = note_training
        self._training: dict[str, asyncio.Task[Model]] = {}
        self._recent: OrderedDict[str, Model] = OrderedDict()

    async def of(self, bot: Bot) -> Model:
        """Return the model of a bot, from the folder or newly trained; two callers at once share one training."""
        definitions = tuple(one for one in bot.training.entity_definitions if isinstance(one, TraitType | QnAType))
        language = bot.file.language
        slots = slot_types(bot)
        key = fingerprint(definitions, language, slots)
        if (recent := self._recent.get(key)) is not None:
            self._recent.move_to_end(key)
            return recent
        task = self._training.get(key)
        if task is None:
            task = asyncio.create_task(self._made(key, definitions, language, slots))
            self._training[key] = task
            task.add_done_callback(lambda _: self._training.pop(key, None))
        model = await asyncio.shield(task)
        self._recent[key] = model
        if len(self._recent) > MAX_RECENT_MODELS:
            self._recent.popitem(last=False)
        return model

    async def _made(self, key: str, definitions: Definitions, language: str, slots: SlotTypes) -> Model:
        kept = await asyncio.to_thread(self._read, key)
        if kept is not None:
            return kept
        began = perf_counter()
        if _expressions(definitions) < MIN_EXPRESSIONS_FOR_PROCESS:
            model = await asyncio.to_thread(train, definitions, language, slots)
        else:
            model = await self._beside().train(definitions, language, slots)
        self._note_training(perf_counter() - began)
        await asyncio.to_thread(self._keep, key, model)
        return model

    async def stop(self) -> None:
        """End what is being trained: nobody will use it."""
        await cancel_all(self._training.values())

    # ---- the folder ----------------------------------------------------------------------------------------------

    def _read(self, key: str) -> Model | None:
        if self._folder is None:
            return None
        file = self._folder / key
        try:
            sealed = file.read_bytes()
            os.utime(file)
        except OSError:
            return None
        try:
            return msgspec.msgpack.decode(self._vault.open(sealed, _name(key)), type=Model)
        except (VaultError, msgspec.MsgspecError):
            log.warning("the kept model %s is damaged or under another key; it is trained again", file)
            return None

    def _keep(self, key: str, model: Model) -> None:
        if self._folder is None:
            return
        file = self._folder / key
        part = file.with_suffix(f".{os.getpid()}.part")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            part.touch(mode=0o600)
            part.write_bytes(self._vault.seal(msgspec.msgpack.encode(model), _name(key)))
            part.replace(file)
        except OSError as error:
            log.warning("a trained model cannot be kept in %s (%s); the next start trains again", self._folder, error)
            return
        self._clear()

    def _clear(self) -> None:
        if self._folder is None:
            return
        ages: list[tuple[float, Path]] = []
        for file in self._folder.iterdir():
            with contextlib.suppress(OSError):
                ages.append((file.stat().st_mtime, file))
        for _, file in sorted(ages, reverse=True)[MAX_MODELS:]:
            with contextlib.suppress(OSError):
                file.unlink()


def _name(key: str) -> str:
    return f"model\0{key}"


def _expressions(definitions: Sequence[EntityDefinition]) -> int:
    return sum(
        len(value.expressions) for one in definitions if isinstance(one, TraitType | QnAType) for value in one.data
    )
