"""The clinic's files: right, and spelled as the booking system spells them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dialoom.flow import check_folder

from .test_backend import backend

FOLDER = Path(__file__).parents[2] / "examples" / "clinic"
TRAINING = json.loads((FOLDER / "training.json").read_text("utf-8"))


def data_of(name: str) -> list[dict[str, Any]]:
    data = next(one["data"] for one in TRAINING["entity-definitions"] if one["name"] == name)
    assert isinstance(data, list)
    return data


def test_the_bot_is_checked_without_a_finding() -> None:
    assert [str(finding) for finding in check_folder(FOLDER)] == []


def test_the_bot_knows_the_doctors_of_the_booking_system() -> None:
    known = {(one["metadata"]["id"], one["value"], one["metadata"]["specialty"]) for one in data_of("Doctor")}
    assert known == {(id, name, specialty) for id, (name, specialty, _) in backend.DOCTORS.items()}


def test_the_bot_knows_the_specialties_of_the_booking_system() -> None:
    assert [one["value"] for one in data_of("Specialty")] == sorted(backend.SPECIALTIES)


@pytest.mark.parametrize("text", ["Book an appointment", "Cancel an appointment", "Opening hours", "Prices"])
def test_every_suggested_reply_is_a_trained_expression(text: str) -> None:
    expressions = {expression.casefold() for one in data_of("Conversation") for expression in one["expressions"]}
    assert text.casefold() in expressions


def test_every_conversation_test_passes() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dialoom.cli", "test", str(FOLDER)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
