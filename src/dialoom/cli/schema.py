"""``dialoom schema``: the JSON Schemas of a bot's files, for editors."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dialoom.errors import SettingError
from dialoom.flow import schemas


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser("schema", description=__doc__)
    parser.add_argument("file", nargs="?", metavar="FILE", choices=sorted(schemas()), help="one of %(choices)s")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write them there as bot.schema.json and so on")
    return parser


def run(args: argparse.Namespace) -> int:
    """Print the schema of one file (or of all, by file name), or write them into a folder."""
    wanted = {name: schema for name, schema in schemas().items() if args.file in (None, name)}
    if args.out is None:
        print(_text(wanted if args.file is None else wanted[args.file]), end="")
        return 0
    try:
        written = write_schemas(args.out, wanted)
    except OSError as error:
        message = f"The schemas cannot be written to {args.out}: {error.strerror}. Name a folder that you may write."
        raise SettingError(message) from error
    for target in written:
        print(target)
    return 0


def write_schemas(folder: Path, wanted: Mapping[str, dict[str, Any]]) -> list[Path]:
    """Write the schemas; return the files. Raises ``OSError``."""
    targets = []
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in wanted.items():
        target = folder / file_name(name)
        target.write_text(_text(schema), encoding="utf-8")
        targets.append(target)
    return targets


def file_name(name: str) -> str:
    """Return the name of the file that holds the schema of a bot's file."""
    return name.replace(".json", ".schema.json")


def _text(schema: object) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
