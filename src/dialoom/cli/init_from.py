"""Makes a bot folder of an export of NativeChat: flow, training and tests, each as it is but for what it names below.

What of the flow cannot stay is found by the checks themselves, so that nothing is changed that would have loaded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dialoom.errors import FlowError
from dialoom.flow import Finding, check_files
from dialoom.flow.check.steps import in_braces
from dialoom.flow.positions import scan
from dialoom.template import strict_form

FLOW_NAMES = ("cognitive-flow.json", "flow.json")
TRAINING_NAMES = ("entity-definitions.json", "training.json")
_OF_THE_RUN = ("botId", "proxyBotId", "channel", "sender", "headers")
"""Keys of a test that say where it is run, which a test here does not."""


class Converted:
    """The files of the new folder by name, and a sentence for each thing that was changed."""

    def __init__(self) -> None:
        self.files: dict[str, Any] = {}
        self.changes: list[str] = []


def convert(source: Path, bot: dict[str, Any]) -> Converted:
    """Return the files for an export's folder. Raises ``FlowError`` for one without a flow, or with broken JSON."""
    flow = _first(source, FLOW_NAMES)
    if flow is None:
        raise FlowError([f"{source} has no {FLOW_NAMES[0]}. Name the folder of an export."])
    converted = Converted()
    converted.files = {"bot.json": bot, "flow.json": flow}
    training = _first(source, TRAINING_NAMES)
    if training is not None:
        converted.files["training.json"] = {"entity-definitions": training} if isinstance(training, list) else training
    _mend(converted)
    for file in [source / "tests.json", *sorted((source / "tests").glob("*.json"))]:
        if file.is_file():
            _convert_tests(_read(file), file.stem, converted)
    return converted


def _first(folder: Path, names: Iterable[str]) -> Any:
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    return None if found is None else _read(found)


def _read(file: Path) -> Any:
    document = scan(file.read_text(encoding="utf-8-sig"))
    if document.is_broken:
        raise FlowError([f"{file} is no JSON: {document.problems[0].message}"])
    return document.value


# ---- flow and training -------------------------------------------------------------------------------------------


def findings_of(files: dict[str, Any]) -> list[Finding]:
    """Return what the checks say of the files of the bot."""
    return check_files({name: json.dumps(value) for name, value in files.items()})


def _mend(converted: Converted) -> None:
    # Backwards, so that an element that is taken out of a list moves none that is still to be changed.
    for finding in reversed(findings_of(converted.files)):
        holder, key = _place(converted.files[finding.file], finding.path)
        if holder is None:
            continue
        if finding.rule == "unknown-key":
            del holder[key]
            what = "left out: the language has no such key"
        elif finding.rule in ("bare-condition", "loose-selector"):
            holder[key] = (in_braces if finding.rule == "bare-condition" else strict_form)(holder[key])
            what = f'is now "{holder[key]}"'
        else:
            continue
        converted.changes.insert(0, f"{finding.file} {finding.path} {what}.")


def _place(value: Any, path: str) -> tuple[Any, Any]:
    """Return what holds the value at a finding's path, and its key there; None where there is no such place."""
    parts, holder, key = path.split("/"), None, None
    while parts:
        holder = value
        for count in range(len(parts), 0, -1):  # a key may have a stroke in it
            name = "/".join(parts[:count])
            key = int(name) if isinstance(holder, list) and name.isdecimal() else name
            if (isinstance(holder, dict) and key in holder) or (isinstance(key, int) and key < len(holder)):
                break
        else:
            return None, None
        value, parts = holder[key], parts[count:]
    return holder, key


# ---- tests -------------------------------------------------------------------------------------------------------


def _convert_tests(document: Any, name: str, converted: Converted) -> None:
    specs = document if isinstance(document, list) else [document]
    for number, spec in enumerate(specs, 1):
        if not isinstance(spec, dict) or not isinstance(spec.get("scenarios"), list):
            converted.changes.append(f"{name}.json: part {number} is no test, and was left out.")
            continue
        file = f"tests/{name}.json" if len(specs) == 1 else f"tests/{name}-{number}.json"
        left_out = [key for key in _OF_THE_RUN if spec.pop(key, None) is not None]
        if left_out:
            converted.changes.append(f"{file}: {', '.join(left_out)} left out: a test runs on the folder itself.")
        spec.setdefault("name", name)
        for part in (spec, *spec["scenarios"]):
            if isinstance(part, dict) and "contextMock" in part:
                part["context"] = part.pop("contextMock")
        for scenario in spec["scenarios"]:
            if isinstance(scenario, dict):
                _convert_steps(scenario, file, converted)
        converted.files[file] = spec


def _convert_steps(scenario: dict[str, Any], file: str, converted: Converted) -> None:
    """Move mocks and context that stand at a step to the scenario and to the user's message."""
    title = next((str(scenario[key]) for key in ("it", "fit", "xit") if key in scenario), "")
    for number, step in enumerate(scenario.get("steps") or []):
        if not isinstance(step, dict):
            continue
        for address, answers in step.pop("mocks", {}).items():
            known = scenario.setdefault("mocks", {}).setdefault(address, {})
            if any(known.get(method, answer) != answer for method, answer in answers.items()):
                converted.changes.append(
                    f'{file} "{title}": step {number} answers {address} in another way than before. A scenario has one '
                    "answer: the last counts."
                )
            known |= answers
        if "contextMock" in step:
            step.setdefault("user", {})["context"] = step.pop("contextMock")
