"""``dialoom check``: everything that is wrong or doubtful in bot folders, as text, JSON or SARIF."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom import __version__
from dialoom.flow import check_folder
from dialoom.service.settings import read_settings

if TYPE_CHECKING:
    import argparse

    from dialoom.flow import Finding

Found = list[tuple[Path, "Finding"]]
"""Each finding with the folder of its bot."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser("check", help="load and lint bots; exit 1 on errors", description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="BOT_FOLDER", type=Path)
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text", help="text by default")
    return parser


def run(args: argparse.Namespace) -> int:
    """Print the findings of every folder; 1 if one of them is an error, 2 if one is no folder."""
    folders: list[Path] = args.folders
    absent = [folder for folder in folders if not folder.is_dir()]
    for folder in absent:
        print(f"{folder} is no folder. Name the folder that bot.json stands in.", file=sys.stderr)
    if absent:
        return 2
    settings = read_settings({}, os.environ, Path("dialoom.toml"))
    variables = settings.listed(settings.bot_env)
    found = [(folder, finding) for folder in folders for finding in check_folder(folder, variables=variables)]
    if args.format == "json":
        print(json.dumps(_as_json(found), ensure_ascii=False, indent=2))
    elif args.format == "sarif":
        print(json.dumps(_as_sarif(found), ensure_ascii=False, indent=2))
    else:
        _print_text(found, len(folders))
    return 1 if any(finding.severity == "error" for _, finding in found) else 0


def _print_text(found: Found, bots: int) -> None:
    for folder, finding in found:
        mark = finding.rule if finding.severity == "error" else f"warning, {finding.rule}"
        print(f"{folder.as_posix()}/{finding} [{mark}]")
    errors = sum(finding.severity == "error" for _, finding in found)
    summary = f"{_count(errors, 'error')}, {_count(len(found) - errors, 'warning')} in {_count(bots, 'bot')}."
    print(summary if found else f"{_count(bots, 'bot')}: nothing to mend.")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _as_json(found: Found) -> dict[str, Any]:
    return {
        "findings": [{"folder": folder.as_posix(), **msgspec.to_builtins(finding)} for folder, finding in found],
        "errors": sum(finding.severity == "error" for _, finding in found),
        "warnings": sum(finding.severity == "warning" for _, finding in found),
    }


def _as_sarif(found: Found) -> dict[str, Any]:
    """SARIF 2.1.0 (OASIS), as code hosts read it."""
    results = [
        {
            "ruleId": finding.rule,
            "level": finding.severity,
            "message": {"text": finding.message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": (folder / finding.file).as_posix()},
                        "region": {"startLine": finding.line, "startColumn": finding.column},
                    },
                    "logicalLocations": [{"fullyQualifiedName": finding.path or finding.file}],
                }
            ],
        }
        for folder, finding in found
    ]
    rules = [{"id": rule} for rule in sorted({finding.rule for _, finding in found})]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "dialoom", "version": __version__, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }
