"""``dialoom picture BOT_FOLDER``: the flow as SVG, or in Mermaid's words."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from dialoom.cli.bots import bot_in
from dialoom.errors import SettingError
from dialoom.flow.picture.mermaid import mermaid
from dialoom.flow.picture.svg import svg


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("picture", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="BOT_FOLDER")
    parser.add_argument("--format", choices=("svg", "mermaid"), default="svg", help="svg by default")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write it there (default: standard output)")
    return parser


def run(args: argparse.Namespace) -> int:
    bot = bot_in(args.folder)
    text = svg(bot) if args.format == "svg" else mermaid(bot)
    if args.output is None:
        sys.stdout.write(text)
        return 0
    try:
        args.output.write_text(text, "utf-8")
    except OSError as error:
        raise SettingError(f"{args.output} cannot be written: {error.strerror}. Name another file.") from error
    print(f"The picture of {bot.name} stands in {args.output}.")
    return 0
