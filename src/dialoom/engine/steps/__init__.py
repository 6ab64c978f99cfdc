"""One file for each type of step; this table is what the walk runs. A ``conversation`` step is laid out in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine.steps.command import run_command
from dialoom.engine.steps.confirmation import run_confirmation
from dialoom.engine.steps.entities_confirmation import run_entities_confirmation
from dialoom.engine.steps.message import run_message
from dialoom.engine.steps.question import run_question
from dialoom.engine.steps.webhook import run_webhook

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dialoom.engine.compiled import Place
    from dialoom.engine.running_turn import Open, Outcome, RunningTurn

STEPS: Mapping[str, Callable[[RunningTurn, Open, Place], Outcome]] = {
    "question": run_question,
    "message": run_message,
    "webhook": run_webhook,
    "confirmation": run_confirmation,
    "entities-confirmation": run_entities_confirmation,
    "command": run_command,
}
