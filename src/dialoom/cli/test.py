"""``dialoom test BOT_FOLDER...``: plays the conversation tests of bots and prints how they went."""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from dialoom.authoring.play import Outcome, Player
from dialoom.authoring.run_tests import Played, play_all
from dialoom.authoring.scenarios import FOLDER, Suite, read_suites, read_text
from dialoom.authoring.update import updated
from dialoom.cli.bots import bot_in
from dialoom.cli.output import in_colour
from dialoom.engine import compile_flow
from dialoom.errors import SettingError

_UNFIT = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("test")
    parser.add_argument("folders", nargs="+", type=Path, metavar="BOT_FOLDER")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="also write the result as JUnit XML")
    parser.add_argument(
        "--update",
        action="store_true",
        help="write what came into the tests that fail; read the change before you keep it",
    )
    return parser


def run(args: argparse.Namespace) -> int:
    """Play the tests; return 0 when all passed, 1 on a failure or when none was run."""
    passed = failed = skipped = 0
    tree: Played = []
    for folder in args.folders:
        played = _play(folder, is_update=args.update)
        if args.update and (changed := _update(folder, played)):
            print("\n".join(changed))
            played = _play(folder)
        tree += played
        _print(folder, played)
    for outcome in (outcome for _, outcomes in tree for outcome in outcomes):
        if outcome is None:
            skipped += 1
        elif outcome.is_passed:
            passed += 1
        else:
            failed += 1
    if args.junit is not None:
        _write_junit(args.junit, tree)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    if not passed and not failed:
        print("No scenario was run. Conversation tests stand in the folder tests/ of a bot.", file=sys.stderr)
        return 1
    return 1 if failed else 0


def _play(folder: Path, *, is_update: bool = False) -> Played:
    bot = bot_in(folder)
    return asyncio.run(play_all(Player(bot, compile_flow(bot), goes_on=is_update), read_suites(folder)))


def _update(folder: Path, played: Played) -> list[str]:
    """Rewrite the files whose steps differ; return a line for each of them."""
    lines = []
    for suite, outcomes in played:
        file = folder / FOLDER / suite.file
        text, changed = updated(read_text(folder, suite.file), outcomes)
        if changed:
            # Line ends as the author has them.
            with file.open("w", encoding="utf-8", newline="") as stream:
                stream.write(text)
            steps = "1 step now expects" if changed == 1 else f"{changed} steps now expect"
            lines.append(f"{file}: {steps} what came. Read the change before you keep it.")
    return lines


def _print(folder: Path, played: Played) -> None:
    print(folder)
    for suite, outcomes in played:
        print(f"  {suite.name} {in_colour(f'({suite.file})', 'dim')}")
        for scenario, outcome in zip(suite.scenarios, outcomes, strict=True):
            if outcome is None:
                print("    " + in_colour(f"left out  {scenario.title}", "dim"))
            elif outcome.is_passed:
                print(f"    {in_colour('ok', 'green')}        {scenario.title}")
            else:
                print(f"    {in_colour('FAILED', 'red')}    {scenario.title}")
                print("\n".join(f"      {line}" for line in outcome.lines))


def _write_junit(file: Path, tree: Played) -> None:
    root = ElementTree.Element("testsuites")
    for suite, outcomes in tree:
        element = ElementTree.SubElement(root, "testsuite", name=suite.name, tests=str(len(outcomes)))
        element.set("failures", str(sum(1 for outcome in outcomes if outcome is not None and not outcome.is_passed)))
        element.set("skipped", str(sum(1 for outcome in outcomes if outcome is None)))
        for scenario, outcome in _pairs(suite, outcomes):
            case = ElementTree.SubElement(element, "testcase", name=scenario.title, classname=suite.file)
            if outcome is None:
                ElementTree.SubElement(case, "skipped")
                continue
            case.set("time", f"{outcome.seconds:.4f}")
            if not outcome.is_passed:
                failure = ElementTree.SubElement(case, "failure", message=outcome.lines[0])
                failure.text = "\n".join(outcome.lines)
    for element in root.iter():
        element.text = _fit(element.text)
        for name, value in element.items():
            element.set(name, _fit(value))
    try:
        ElementTree.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        raise SettingError(f"{file} cannot be written: {error.strerror}. Name another file.") from error


def _fit(text: str | None) -> str:
    """Return the text without the characters that XML 1.0 cannot hold."""
    return _UNFIT.sub("\ufffd", text or "")


def _pairs(suite: Suite, outcomes: list[Outcome | None]) -> Iterable[tuple[Any, Outcome | None]]:
    return zip(suite.scenarios, outcomes, strict=True)
