"""``make conformance CONFORMANCE=folder``: public corpora, kept outside of the repository, each with passed/total.

Not part of ``make test``: it fails only when a corpus cannot be run at all; what a miss means stands in the docs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from dialoom.errors import DialoomError
from dialoom.template import MISSING, Scope, compile_selector
from dialoom.testing.conformance import ADDRESS, history
from tests.postgres import running_server

STORES = ("memory", "sqlite", "postgres")


def templates(folder: Path) -> None:
    command = [sys.executable, str(folder / "run_handlebars.py"), "dialoom.template.conformance:render"]
    subprocess.run(command, check=True)


def selectors(folder: Path) -> None:
    cases = json.loads((folder / "jsonpath-cases.json").read_text("utf-8"))["tests"]
    passed = sum(_selects(case) for case in cases)
    print(f"JSONPath: {passed}/{len(cases)}")


def _selects(case: dict[str, Any]) -> bool:
    try:
        found = compile_selector(case["selector"].replace("{{", "{{'{{'}}")).apply(case.get("document"), Scope({}))
    except DialoomError:
        return bool(case.get("invalid_selector"))
    if case.get("invalid_selector"):
        return False
    accepted = [case["result"]] if "result" in case else case["results"]
    # A query that can give only one node gives that value itself, or nothing.
    single = [found] if found is not None and found is not MISSING else []
    return any(found == nodes or single == nodes or (found is None and nodes in ([], [None])) for nodes in accepted)


def queries(folder: Path) -> None:
    cases = [json.loads(line) for line in (folder / "history-cases.jsonl").read_text("utf-8").splitlines()]
    with running_server() as server:
        os.environ[ADDRESS] = server.database()
        for store in STORES:
            missed = [case["id"] for case in cases if not _finds(store, case)]
            print(f"history, {store}: {len(cases) - len(missed)}/{len(cases)}", *missed)


def _finds(store: str, case: dict[str, Any]) -> bool:
    """Return whether the store finds what it should; which error it is is ours to say."""
    found, expected = history(store, case), case["expect"]
    if isinstance(found, dict) or isinstance(expected, dict):
        return isinstance(found, dict) and isinstance(expected, dict)
    if case.get("ordered"):
        return bool(found == expected)
    return Counter(map(json.dumps, found)) == Counter(map(json.dumps, expected))


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    if not (folder / "history-cases.jsonl").is_file():
        sys.exit(f"{folder} holds no corpora: history-cases.jsonl is not there.")
    templates(folder)
    selectors(folder)
    queries(folder)


if __name__ == "__main__":
    main()
