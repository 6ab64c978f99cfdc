"""Trains in a process of its own at low priority: in the service's each second of it would be taken from the turns.

The process runs this module: it reads an order from standard input and writes the model to standard output. It runs
code of ours alone: neither the folder that the service stands in nor a secret of its environment is there.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Final

import msgspec

from dialoom.errors import DialoomError
from dialoom.flow.model import EntityDefinition
from dialoom.flow.patterns.expression_slots import NO_SLOTS, SlotTypes
from dialoom.understanding import Model, train

log = logging.getLogger(__name__)

MAX_TRAINING_SECONDS: Final = 900.0
"""Seconds. The largest training that we know takes some tens; a machine may be slow and busy."""
# -P: the current folder is no place for modules (a ``msgspec.py`` there would be run).
COMMAND: Final = (sys.executable, "-P", "-m", "dialoom.service.bots.training")
PASSED_VARIABLES: Final = (
    "PATH",
    "HOME",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONUSERBASE",
    "LD_LIBRARY_PATH",
    "SYSTEMROOT",
)
"""Of the environment: what an interpreter needs to find its libraries. Keys and tokens are none of its business."""
_STOP_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT})

Definitions = tuple[EntityDefinition, ...]


class Order(msgspec.Struct, frozen=True):
    """Describes the training to the process that does it."""

    definitions: Definitions
    language: str
    slots: SlotTypes = NO_SLOTS


class Stopped(DialoomError):
    """Says that the training was cancelled, so that its model cannot be had."""


class _Failed(Exception):
    """Says why the training process failed, as the end of a sentence."""


class Process:
    """Trains a model in a process of its own. ``command`` and ``longest`` (seconds) are replaced by tests."""

    def __init__(self, command: Sequence[str] = COMMAND, longest: float = MAX_TRAINING_SECONDS) -> None:
        self._command = command
        self._longest = longest
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._is_over = False

    async def train(self, definitions: Definitions, language: str, slots: SlotTypes = NO_SLOTS) -> Model:
        """Return the model; it is trained in this process where the other one fails. Raises ``Stopped``."""
        order = msgspec.json.encode(Order(definitions, language, slots))
        try:
            return await asyncio.to_thread(self._ask, order)
        except asyncio.CancelledError:
            self.end()
            raise
        except _Failed as failure:
            log.warning("the training process %s; the training is done in this one", failure)
        return await asyncio.to_thread(train, definitions, language, slots)

    def end(self) -> None:
        """End the training, from any thread, at any time, also before it has begun."""
        with self._lock:
            self._is_over = True
            if self._running is not None:
                self._running.kill()

    def _begin(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._is_over:
                raise Stopped("The training was stopped before it began.")
            self._running = subprocess.Popen(  # noqa: S603  # our own module: nothing of the command is from outside
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ},
                # Ctrl+C at the terminal is for the service, which then ends this process itself.
                start_new_session=True,
            )
            return self._running

    def _ask(self, order: bytes) -> Model:
        try:
            process = self._begin()
        except OSError as error:
            raise _Failed(f"could not be started ({error})") from error
        with process:
            try:
                out, errors = process.communicate(order, self._longest)
            except subprocess.TimeoutExpired as late:
                process.kill()
                raise _Failed(f"was not done after {self._longest:g} s") from late
        if self._is_over or -process.returncode in _STOP_SIGNALS:
            # A stop of the service may end both at once: training here would only hold it up.
            raise Stopped("The training process was told to stop. Publish the bot again, or start the service again.")
        if process.returncode:
            raise _Failed(f"ended with {process.returncode}: {errors[-500:].decode(errors='replace').strip()}")
        try:
            return msgspec.msgpack.decode(out, type=Model)
        except msgspec.MsgspecError as error:
            raise _Failed(f"gave no model ({error})") from error


def main() -> None:
    """Read an order from standard input, train, and write the model to standard output."""
    if hasattr(os, "nice"):
        os.nice(5)
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    sys.stdout.buffer.write(msgspec.msgpack.encode(train(order.definitions, order.language, order.slots)))


if __name__ == "__main__":
    main()
