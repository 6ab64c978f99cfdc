"""``dialoom train BOT_FOLDER``: trains a bot's understanding and tells what its expressions are worth."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from dialoom.cli.bots import bot_in
from dialoom.cli.output import add_format
from dialoom.flow import Bot
from dialoom.flow.patterns.expression_slots import slot_types
from dialoom.understanding import train
from dialoom.understanding.intents.report import GOOD, Report, ValueReport, report, to_extend, understood

MAX_NAME_CHARS = 32
MAX_CONFUSIONS = 4
"""Values that a row names as taken for; --format json has all, with their sentences."""


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("train", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="BOT_FOLDER")
    add_format(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Train a bot and print the report; return 0."""
    bot = bot_in(args.folder)
    definitions, language = bot.training.entity_definitions, bot.file.language
    begun = time.perf_counter()
    slots = slot_types(bot)
    train(definitions, language, slots)
    seconds = time.perf_counter() - begun
    found = report(definitions, language, bot.flow.settings.understanding.threshold, _progress, slots)
    _clear_progress()
    if args.format == "json":
        print(json.dumps(_as_json(bot, found, seconds), ensure_ascii=False, indent=2))
    else:
        _print(bot, found, seconds)
    return 0


def _progress(done: int, every: int) -> None:
    if sys.stderr.isatty():
        print(f"\rTrying expressions that were left out: {done} of {every}", end="", file=sys.stderr, flush=True)


def _clear_progress() -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _as_json(bot: Bot, found: Report, seconds: float) -> dict[str, Any]:
    values = [value for group in found.groups for value in group]
    return {
        "bot": bot.id,
        "language": bot.file.language,
        "seconds": round(seconds, 3),
        "expressions": sum(value.expressions for value in values),
        "accuracy": _share(values),
        "values": [{**msgspec.to_builtins(value), "accuracy": value.accuracy} for value in values],
        "advice": msgspec.to_builtins(found.advice),
    }


def _share(values: list[ValueReport] | tuple[ValueReport, ...]) -> float | None:
    tried = sum(value.tried for value in values)
    return round(sum(value.right for value in values) / tried, 4) if tried else None


def _print(bot: Bot, found: Report, seconds: float) -> None:
    count = sum(value.expressions for group in found.groups for value in group)
    print(f'Bot "{bot.name}" ({bot.file.language}): {count} expressions, trained in {seconds:.1f} s.')
    if not count:
        print("Nothing to train: no trait or QnA type of training.json has expressions.")
    for group in found.groups:
        _print_group(group, bot.flow.settings.understanding.threshold)
    if found.advice:
        print()
    for one in found.advice:
        print(f"{one.severity}: {one.message} [{one.problem}]")
        for sentence in one.sentences if one.problem in ("confused", "not-found") else ():
            print(f'    "{sentence}"')


def _verdict(values: tuple[ValueReport, ...], share: float) -> str:
    """Return in a sentence whether so many understood are good enough, and what to add where they are not."""
    if share >= GOOD:
        return f"That is good enough ({GOOD:.0%} or more)."
    named = ", ".join(f"{value.value} ({value.understood} of {value.tried} understood)" for value in to_extend(values))
    return f"Good enough is {GOOD:.0%}. Add expressions first to {named}."


def _print_group(values: tuple[ValueReport, ...], threshold: float) -> None:
    print()
    print(", ".join(dict.fromkeys(value.type for value in values)))
    share, found = understood(values), _share(values)
    if share is not None and found is not None:
        print(
            f"  Of expressions that were left out, {found:.0%} find their value, {share:.0%} with a confidence of "
            f"{threshold:g} or more."
        )
        print(f"  {_verdict(values, share)}")
    width = min(MAX_NAME_CHARS, max(len(value.value) for value in values))
    print(f"  {'value':{width}}  expressions   right  taken for")
    for value in sorted(values, key=lambda value: (value.accuracy is None, value.accuracy or 0.0)):
        shown = [f"{other.value} ({len(other.sentences)})" for other in value.confused[:MAX_CONFUSIONS]]
        others = ", ".join([*shown, "..."] if len(value.confused) > MAX_CONFUSIONS else shown)
        share_text = "-" if value.accuracy is None else f"{value.accuracy:.0%}"
        print(f"  {value.value:{width}.{MAX_NAME_CHARS}}  {value.expressions:11}  {share_text:>6}  {others}".rstrip())
