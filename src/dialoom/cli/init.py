"""``dialoom init``: a new bot folder that runs at once, copied from one of the examples or made of an export."""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import sys
from pathlib import Path

from dialoom.authoring.drafts.new_bot import TEMPLATES, example_folder, id_of, with_id
from dialoom.cli.init_from import convert, findings_of
from dialoom.cli.schema import file_name, write_schemas
from dialoom.errors import SettingError
from dialoom.flow import schemas
from dialoom.flow.fixes.edits import Edit, applied
from dialoom.flow.schema import FILES

_BESIDE = {
    "appointment": ("backend.py", "Bookings need the booking system"),
    "shop": ("backend.py", "Products, prices and orders come from the shop's back end"),
    "faq": ("backend.py", "Branches, events, titles, loans and rooms come from the library's system"),
}
"""Name of a template -> the program in it that must run beside the bot, and what for."""

_SCHEMA_FOLDER = "schema"
"""In the bot's folder: an editor without a network takes a schema from a file alone."""
_SCHEMAS = {name: f"./{_SCHEMA_FOLDER}/{file_name(name)}" for name in FILES}
"""The ``$schema`` of each file."""

_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".*", "data")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser("init", description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--template", choices=tuple(TEMPLATES), default="blank", help="blank by default")
    choice.add_argument("--from", dest="export", metavar="FOLDER", type=Path, help="an export of NativeChat")
    return parser


def run(args: argparse.Namespace) -> int:
    """Copy the template, or convert the export; the folder's name becomes the bot's id."""
    folder: Path = args.folder
    if args.export is not None:
        return _take_over(args.export, folder)
    source = example_folder(TEMPLATES[args.template])
    if source is None:
        print(
            f'The template "{args.template}" is not part of this installation. Install dialoom again.', file=sys.stderr
        )
        return 1
    try:
        if _is_taken(folder):
            return 2
        _copy(source, folder)
    except OSError as error:
        raise _unwritable(folder, error) from error
    print(f"A new bot stands in {folder}. Try it: dialoom run {shlex.quote(str(folder))}")
    if args.template in _BESIDE:
        program, why = _BESIDE[args.template]
        print(f"{why}, in another terminal: python {shlex.quote(str(folder / program))}")
    return 0


def _is_taken(folder: Path) -> bool:
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return False
    print(f"{folder} is not empty. Name a new folder; nothing was written.", file=sys.stderr)
    return True


def _unwritable(folder: Path, error: OSError) -> SettingError:
    # copytree gathers the errors of single files in one that has no words of its own.
    reason = error.strerror or "not every file could be written"
    return SettingError(f"{folder} cannot be made: {reason}. Name a folder that you may write.")


def _take_over(export: Path, folder: Path) -> int:
    """Write the folder of an export, and print what was changed and what the checks say; 1 where it does not load."""
    name = folder.resolve().name
    converted = convert(export, {"id": id_of(name), "name": name})
    try:
        if _is_taken(folder):
            return 2
        for file, value in converted.files.items():
            first = {"$schema": _SCHEMAS[file]} if file in _SCHEMAS else {}
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(
                json.dumps(first | value | first, ensure_ascii=False, indent=2) + "\n", encoding="utf-8"
            )
        write_schemas(folder / _SCHEMA_FOLDER, schemas())
    except OSError as error:
        raise _unwritable(folder, error) from error
    for change in converted.changes or ["Nothing was changed."]:
        print(change)
    found = findings_of(converted.files)
    errors = [finding for finding in found if finding.severity == "error"]
    for finding in errors:
        print(f"{folder.as_posix()}/{finding} [{finding.rule}]")
    shown = shlex.quote(str(folder))
    print(f"{len(errors)} errors, {len(found) - len(errors)} warnings. See all with: dialoom check {shown}")
    tests = sum(file.startswith("tests/") for file in converted.files)
    print(f"Tests: {tests} files. Run them with: dialoom test {shown}" if tests else "The export has no tests.")
    print(f"Try it: dialoom run {shown}")
    return 1 if any(finding.prevents_loading for finding in errors) else 0


def _copy(source: Path, folder: Path) -> None:
    shutil.copytree(source, folder, dirs_exist_ok=True, ignore=_LEFT_OUT)
    bot_file = folder / "bot.json"
    new = with_id(bot_file.read_text(encoding="utf-8"), id_of(folder.resolve().name))
    bot_file.write_text(new, encoding="utf-8")
    for name, schema in _SCHEMAS.items():
        if (folder / name).is_file():
            text = (folder / name).read_text(encoding="utf-8")
            edit = Edit(file=name, path="/$schema", op="add", value=schema)
            (folder / name).write_text(applied(text, edit), encoding="utf-8")
    write_schemas(folder / _SCHEMA_FOLDER, schemas())
