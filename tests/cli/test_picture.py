"""``dialoom picture``: where the picture goes, and what a wrong folder says."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.cli import main

CLINIC = str(Path(__file__).parents[2] / "examples" / "clinic")


def test_the_picture_goes_to_standard_output_or_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["picture", CLINIC]) == 0
    drawn = capsys.readouterr().out
    assert drawn.startswith("<svg ")
    file = tmp_path / "clinic.svg"
    assert main(["picture", CLINIC, "--output", str(file)]) == 0
    assert file.read_text("utf-8") == drawn
    assert main(["picture", CLINIC, "--format", "mermaid"]) == 0
    assert "flowchart TB" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["no-such-folder"], "is no folder of a bot"),
        ([CLINIC, "--output", "/no/such/folder/a.svg"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_says_why(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["picture", *words]) == 2
    assert told in capsys.readouterr().err
