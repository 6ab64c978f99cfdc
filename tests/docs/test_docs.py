"""Docs that cannot rot: every setting, command, option and error code stands in them."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import msgspec
import pytest

from dialoom.cli import COMMANDS, parser
from dialoom.service.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "dialoom"
OF_QUERIES = {"query"}


def _codes() -> set[str]:
    found = set()
    for file in SOURCE.rglob("*.py"):
        if file.relative_to(SOURCE).parts[0] in OF_QUERIES:
            continue
        found |= set(re.findall(r'RequestError\(\s*"([a-z-]+)"', file.read_text("utf-8")))
    return found


def test_every_error_code_has_a_row() -> None:
    text = (DOCS / "look-up" / "errors.md").read_text("utf-8")
    codes = _codes()
    assert len(codes) > 20
    assert [code for code in sorted(codes) if f"| `{code}` |" not in text] == []


def test_every_setting_stands_in_the_table_with_its_words() -> None:
    text = (DOCS / "look-up" / "service.md").read_text("utf-8")
    for field in msgspec.structs.fields(Settings):
        row = f"| `{PREFIX}{field.name.upper()}` |"
        assert row in text, row
        description = next(meta.description for meta in field.type.__metadata__ if meta.description)
        assert description in text, description


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_the_command_line_is_described(command: str) -> None:
    text = (DOCS / "look-up" / "service.md").read_text("utf-8")
    assert f"`dialoom {command}" in text
    for option in _options(parser(command)) - {"--version"}:
        assert f"{option}" in text, option


def _options(command: argparse.ArgumentParser) -> set[str]:
    found = set()
    for action in command._actions:  # noqa: SLF001  # argparse has no other way to list options
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001  # the same
            for nested in action.choices.values():
                found |= _options(nested)
        found |= {option for option in action.option_strings if option.startswith("--") and option != "--help"}
    return found


def test_every_relative_link_leads_to_a_file() -> None:
    links = [
        (file, target)
        for file in [*DOCS.rglob("*.md"), ROOT / "README.md"]
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text("utf-8"))
    ]
    assert len(links) > 10
    assert [f"{file.name} -> {target}" for file, target in links if not (file.parent / target).exists()] == []


def test_no_page_holds_a_place_that_was_never_filled() -> None:
    pages = [*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"]
    assert [page.name for page in pages if re.search(r"^[A-Z]{4,}$|TODO|TBD", page.read_text("utf-8"), re.M)] == []


def test_each_word_of_the_words_page_has_a_file_that_exists() -> None:
    rows = [line.split("|")[1:-1] for line in (DOCS / "why" / "words.md").read_text("utf-8").splitlines()[6:]]
    assert len(rows) >= 20
    for word, sentence, file in rows:
        assert word.strip(), file
        assert sentence.strip().endswith("."), word
        assert (ROOT / "src" / "dialoom" / file.strip(" `")).is_file(), file
