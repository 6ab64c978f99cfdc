"""``dialoom check``: everything that is wrong or doubtful in bot folders, as text, JSON or SARIF."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote

import msgspec

from dialoom import __version__
from dialoom.authoring.drafts.bot_folder import replace_text
from dialoom.cli.bots import variables_here
from dialoom.cli.output import in_colour
from dialoom.errors import FlowError
from dialoom.flow import Finding, check_files, check_folder, files_of
from dialoom.flow.check.rules import RULES
from dialoom.flow.fixes.mend import mend
from dialoom.flow.variables import Variables

Found = list[tuple[Path, "Finding"]]
"""Each finding with the folder of its bot."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser("check", description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="BOT_FOLDER", type=Path)
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text", help="text by default")
    parser.add_argument("--fix", action="store_true", help="mend what has one plain mending, and check again")
    parser.add_argument("--dry-run", action="store_true", help="with --fix: show the changes, write nothing")
    return parser


def run(args: argparse.Namespace) -> int:
    """Print the findings of every folder; 1 if one of them is an error, 2 if one is no folder."""
    folders: list[Path] = args.folders
    absent = [folder for folder in folders if not folder.is_dir()]
    for folder in absent:
        print(f"{folder} is no folder. Name the folder that bot.json stands in.", file=sys.stderr)
    if absent:
        return 2
    if args.dry_run and not args.fix:
        print("--dry-run goes with --fix. Write both, or leave it out.", file=sys.stderr)
        return 2
    variables = variables_here(folders)
    if args.fix:
        try:
            for folder in folders:
                _fix(folder, variables, is_dry=args.dry_run, out=sys.stdout if args.format == "text" else sys.stderr)
        except OSError as error:
            print(f"{error.filename}: {error.strerror}. This file was left as it was.", file=sys.stderr)
            return 2
    found = [
        (folder, finding)
        for folder in folders
        for finding in check_folder(folder, variables=variables, finder=finder, reads=reads)
    ]
    if args.format == "json":
        print(json.dumps(_as_json(found), ensure_ascii=False, indent=2))
    elif args.format == "sarif":
        print(json.dumps(_as_sarif(found), ensure_ascii=False, indent=2))
    else:
        _print_text(found, len(folders))
    return 1 if any(finding.severity == "error" for _, finding in found) else 0


def finder(language: str, definitions: Sequence[object]) -> Callable[[str, str, bool], bool]:
    """Return a function that tells whether an option answers a question of a type (``engine.option_finder``)."""
    from dialoom.engine.option_finder import finder  # takes a while, and few bots have options to look at

    return finder(language, definitions)


def reads(language: str, entity_type: str, text: str) -> bool:
    """Return whether a limit is a value of a built-in type (``understanding.values.limits``)."""
    from dialoom.understanding.values.limits import reads_limit  # takes a while, as above

    return reads_limit(language, entity_type, text)


def _fix(folder: Path, variables: Variables, *, is_dry: bool, out: TextIO) -> None:
    """Mend the files of a bot and print each change; nothing where a file cannot be read, which the check tells of.

    A change shows only the characters that it replaces, since other parts of a line may be a secret.
    """
    try:
        texts = files_of(folder)
    except FlowError:
        return

    def check(files: Mapping[str, str]) -> list[Finding]:
        return check_files(files, variables=variables, finder=finder, reads=reads)

    mended = mend(texts, check)
    for change in mended.changes:
        file, rule = folder / change.finding.file, change.finding.rule
        print(f"{file.as_posix()}:{change.line}:{change.column} [{rule}]", file=out)
        for sign, text in (("-", change.old), ("+", change.new)):
            if text:
                print(f"{sign} {text}", file=out)
    changed = [name for name, text in texts.items() if mended.files[name] != text]
    for name in changed if not is_dry else ():
        replace_text(folder / name, texts[name], mended.files[name])
    if mended.changes:
        verb = "would be" if is_dry else "was" if len(mended.changes) == 1 else "were"
        print(f"{folder.as_posix()}: {_count(len(mended.changes), 'fix', 'fixes')} {verb} made.", file=out)


def _print_text(found: Found, bots: int) -> None:
    for folder, finding in found:
        is_error = finding.severity == "error"
        mark = in_colour(finding.rule, "red") if is_error else in_colour(f"warning, {finding.rule}", "yellow")
        print(f"{folder.as_posix()}/{finding} [{mark}]")
    errors = sum(finding.severity == "error" for _, finding in found)
    summary = f"{_count(errors, 'error')}, {_count(len(found) - errors, 'warning')} in {_count(bots, 'bot')}."
    if found:
        print(in_colour(summary, "red" if errors else "yellow"))
    else:
        print(in_colour(f"{_count(bots, 'bot')}: nothing to mend.", "green"))


def _count(number: int, noun: str, plural: str | None = None) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def _as_json(found: Found) -> dict[str, Any]:
    return {
        "findings": [{"folder": folder.as_posix(), **msgspec.to_builtins(finding)} for folder, finding in found],
        "errors": sum(finding.severity == "error" for _, finding in found),
        "warnings": sum(finding.severity == "warning" for _, finding in found),
    }


def _as_sarif(found: Found) -> dict[str, Any]:
    """Return the findings in SARIF 2.1.0 (OASIS), as code hosts read it:
    https://docs.oasis-open.org/sarif/sarif/v2.1.0/."""
    rules = sorted({finding.rule for _, finding in found})
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "dialoom",
                        "version": __version__,
                        "rules": [_sarif_rule(rule, found) for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_sarif_result(folder, finding, rules) for folder, finding in found],
            }
        ],
    }


def _sarif_rule(rule: str, found: Found) -> dict[str, Any]:
    finds, matters = RULES[rule]
    levels = {finding.severity for _, finding in found if finding.rule == rule}
    return {
        "id": rule,
        "shortDescription": {"text": finds.replace("`", "")},
        "fullDescription": {"text": f"{finds} {matters}".replace("`", "")},
        "help": {"text": matters.replace("`", ""), "markdown": matters},
        "defaultConfiguration": {"level": "error" if "error" in levels else "warning"},
    }


def _sarif_result(folder: Path, finding: Finding, rules: list[str]) -> dict[str, Any]:
    uri = _uri(folder / finding.file)
    print_of = "\n".join((finding.rule, uri, finding.path, finding.message))
    return {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri},
                    "region": {"startLine": finding.line, "startColumn": finding.column},
                },
                "logicalLocations": [{"fullyQualifiedName": finding.path or finding.file}],
            }
        ],
        # Without the line, so that a finding stays the same one when lines are added above it.
        "partialFingerprints": {"ruleAndPath/v1": hashlib.sha256(print_of.encode("utf-8", "replace")).hexdigest()},
    }


def _uri(file: Path) -> str:
    """Return a file's address relative to the working directory, as code hosts want it; of one elsewhere the whole."""
    if file.is_absolute():
        if not file.is_relative_to(Path.cwd()):
            return file.as_uri()
        file = file.relative_to(Path.cwd())
    return quote(file.as_posix())
