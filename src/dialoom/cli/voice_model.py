"""``dialoom voice-model``: the interaction model of an Alexa skill, made from a bot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from dialoom.channels.alexa.interaction_model import locales_of, model_of
from dialoom.errors import SettingError
from dialoom.flow import read_bot

if TYPE_CHECKING:
    import argparse


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser("voice-model", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="BOT_FOLDER", help="the bot's folder")
    parser.add_argument(
        "--output", type=Path, metavar="FOLDER", help="write one file for each locale, such as en-US.json, there"
    )
    return parser


def run(args: argparse.Namespace) -> int:
    """Print the model, or write one file for each locale of the bot's language."""
    bot = read_bot(args.folder)
    text = json.dumps(model_of(bot), ensure_ascii=False, indent=2) + "\n"
    if args.output is None:
        print(text, end="")
        return 0
    try:
        args.output.mkdir(parents=True, exist_ok=True)
        for locale in locales_of(bot):
            target = args.output / f"{locale}.json"
            target.write_text(text, encoding="utf-8")
            print(target)
    except OSError as error:
        message = f"The model cannot be written to {args.output}: {error.strerror}. Name a folder that you may write."
        raise SettingError(message) from error
    return 0
