"""Reads conversation tests (``tests/*.json``, flow-language.md section 9) into values; nothing is run here."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from dialoom.errors import FlowError
from dialoom.flow.folder import Folder, NotReadable

FOLDER = "tests"
"""Where they stand in a bot's folder."""


class Address(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    url: str


class File(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, rename="camel"):
    """Describes an attachment in the form of the rest channel; ``labels`` stand for what an image labeller would
    find."""

    payload: Address
    mime_type: str | None = None
    name: str | None = None
    labels: tuple[str, ...] = ()


class Point(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    latitude: float
    longitude: float
    name: str | None = None


class Happens(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Describes an event without a message. ``opening``: the chat is opened; ``authentication``: a login came to its
    end."""

    type: Literal["opening", "authentication"]
    data: Any = None


class UserTurn(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Describes what the user does: one of the six, and ``context`` beside it or alone."""

    text: str | UnsetType = UNSET
    location: Point | UnsetType = UNSET
    attachments: tuple[File, ...] | UnsetType = UNSET
    option: Any | UnsetType = UNSET
    event: Happens | UnsetType = UNSET
    login: dict[str, Any] | Literal["failed"] | UnsetType = UNSET
    """What the provider gives: the value of the authentication entity."""
    context: dict[str, Any] = {}

    def __post_init__(self) -> None:
        kinds = ("text", "location", "attachments", "option", "event", "login")
        given = [kind for kind in kinds if getattr(self, kind) is not UNSET]
        if len(given) > 1:
            raise ValueError(f"A user does one thing at a time; this has {' and '.join(given)}")
        if not given and not self.context:
            raise ValueError(f"A user does something: one of {', '.join(kinds)}, or context")


class TestStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Describes one step. ``bot``: the accepted alternatives, each a whole list of messages; ``[[]]`` is silence."""

    __test__ = False

    user: UserTurn
    bot: tuple[tuple[Any, ...], ...]


class Scenario(msgspec.Struct, frozen=True):
    """Describes one independent user. ``mode``: ``it``, ``fit`` (only such are run) or ``xit`` (left out)."""

    title: str
    mode: str
    steps: tuple[TestStep, ...]
    mocks: dict[str, dict[str, Any]]
    context: dict[str, Any]
    dynamic_data: dict[str, tuple[Any, ...]]
    """Type to the elements that its endpoint would give."""
    channel: str | None = None
    now: int | None = None
    """Milliseconds since 1970; None is the time of the run."""


class Suite(msgspec.Struct, frozen=True):
    """Holds the scenarios of one file."""

    name: str
    file: str
    scenarios: tuple[Scenario, ...]


class RawScenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    steps: tuple[TestStep, ...]
    it: str | None = None
    fit: str | None = None
    xit: str | None = None
    parameters: dict[str, str] = {}
    mocks: dict[str, dict[str, Any]] = {}
    context: dict[str, Any] = {}
    dynamic_data: dict[str, tuple[Any, ...]] = {}
    channel: str | None = None
    now: str | None = None
    note: str | None = None


class RawSuite(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    name: str
    scenarios: tuple[dict[str, Any], ...]
    parameters: dict[str, str] = {}
    mocks: dict[str, dict[str, Any]] = {}
    context: dict[str, Any] = {}
    dynamic_data: dict[str, tuple[Any, ...]] = {}
    schema: str | None = msgspec.field(default=None, name="$schema")
    note: str | None = None


def read_suites(folder: Path) -> list[Suite]:
    """Return all suites of a bot folder. Raises ``FlowError`` with a sentence for each file that is wrong."""
    with Folder(folder) as opened:
        return _read(_names(opened), lambda name: opened.read(f"{FOLDER}/{name}"))


def suites_of(files: Mapping[str, str]) -> list[Suite]:
    """Return all suites among the texts of a bot's files, by file name. Raises ``FlowError`` as ``read_suites``."""
    names = sorted(name for name in files if name.startswith(f"{FOLDER}/") and name.endswith(".json"))
    return _read(
        [name.removeprefix(f"{FOLDER}/") for name in names],
        lambda name: files[f"{FOLDER}/{name}"].encode("utf-8", "surrogatepass"),
    )


def _read(names: Sequence[str], read: Callable[[str], bytes]) -> list[Suite]:
    suites, findings = [], []
    for name in names:
        try:
            suites.append(suite_of(name, read(name)))
        except OSError as error:
            findings.append(f"{FOLDER}/{name}: The file cannot be read: {error.strerror}.")
        except RecursionError:
            findings.append(f"{FOLDER}/{name}: Objects and lists are nested too deeply. Make it flatter.")
        except UnicodeDecodeError:
            findings.append(f"{FOLDER}/{name}: The file is no UTF-8. Save it as UTF-8.")
        # What json says of a text is where it breaks; the text itself is not shown, since it may be a secret.
        except json.JSONDecodeError as error:
            place = f"line {error.lineno}, column {error.colno}"
            findings.append(f"{FOLDER}/{name}: The text is no JSON from {place} on: {error.msg}.")
        except (NotReadable, ValueError, msgspec.ValidationError) as error:
            findings.append(f"{FOLDER}/{name}: {error}")
    if findings:
        raise FlowError(findings)
    return suites


def names_of_tests(folder: Path) -> list[str]:
    """Return the names of a bot's test files. Raises ``FlowError`` where their folder cannot be read."""
    with Folder(folder) as opened:
        return _names(opened)


def read_text(folder: Path, name: str) -> str:
    """Return the text of one file of a bot's tests, with its line ends as they are. Raises ``FlowError``."""
    try:
        with Folder(folder) as opened:
            return opened.read(f"{FOLDER}/{name}").decode("utf-8")
    except NotReadable as error:
        raise FlowError([f"{FOLDER}/{name}: {error}"]) from error
    except UnicodeDecodeError as error:
        raise FlowError([f"{FOLDER}/{name}: The file is no UTF-8. Save it as UTF-8."]) from error
    except OSError as error:
        raise FlowError([f"{FOLDER}/{name}: It cannot be read: {error.strerror}."]) from error


def _names(folder: Folder) -> list[str]:
    try:
        return [name for name in folder.names(FOLDER) if name.endswith(".json")]
    except FileNotFoundError:
        return []
    except NotReadable as reason:
        raise FlowError([f"{FOLDER}: {reason}"]) from reason
    except OSError as error:
        raise FlowError([f"{FOLDER}: The folder cannot be read: {error.strerror}."]) from error


def suite_of(name: str, content: bytes) -> Suite:
    """Return the suite of one file. Raises ``ValueError`` or ``msgspec.ValidationError`` where it is wrong."""
    raw = msgspec.convert(json.loads(content.decode("utf-8")), RawSuite)
    scenarios = []
    for index, plain in enumerate(raw.scenarios):
        own = plain.get("parameters", {})
        filled = _fill(plain, raw.parameters | own if isinstance(own, dict) else raw.parameters)
        try:
            scenarios.append(_scenario(msgspec.convert(filled, RawScenario), raw))
        except msgspec.ValidationError as error:
            raise msgspec.ValidationError(f"scenarios/{index}: {error}") from error
    return Suite(raw.name, name, tuple(scenarios))


def _scenario(raw: RawScenario, suite: RawSuite) -> Scenario:
    titles = {mode: title for mode in ("it", "fit", "xit") if (title := getattr(raw, mode)) is not None}
    if len(titles) != 1:
        raise msgspec.ValidationError('A scenario has one title, under "it", "fit" or "xit".')
    mode, title = next(iter(titles.items()))
    mocks = _fill(suite.mocks, suite.parameters | raw.parameters) | raw.mocks
    context = _fill(suite.context, suite.parameters | raw.parameters) | raw.context
    elements = _fill(suite.dynamic_data, suite.parameters | raw.parameters) | raw.dynamic_data
    return Scenario(title, mode, raw.steps, mocks, context, elements, raw.channel, moment_of(raw.now))


def moment_of(text: str | None) -> int | None:
    """Return a moment of a test in milliseconds since 1970; None for none. Raises ``ValidationError``."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise msgspec.ValidationError(
            f'"now" is a moment such as "2027-03-01T09:00:00Z", not "{text}" - at `$.now`'
        ) from None
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def _fill(value: Any, parameters: dict[str, str]) -> Any:
    """Replace ``{{name}}`` of a known parameter by its value; every other template stays as it is."""
    if isinstance(value, str):
        for name, text in parameters.items():
            value = value.replace("{{" + name + "}}", text)
        return value
    if isinstance(value, dict):
        return {_fill(key, parameters): _fill(item, parameters) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_fill(item, parameters) for item in value]
    return value
