"""Reads a bot's folder into a ``Bot``, or says everything that is wrong with it, all files at once.

What is wrong is found by ``flow.positions`` (the text), ``flow.shape`` (types and keys) and ``flow.check`` (the rest).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dialoom.errors import FlowError
from dialoom.flow import check, shape
from dialoom.flow.check.known import Finder, Reads, Tests
from dialoom.flow.finding import Finding, finding_of, instead, nearest
from dialoom.flow.fixes.derive import removing_copies, value_at
from dialoom.flow.folder import Folder, NotReadable
from dialoom.flow.model import Bot, BotFile, FlowFile, TrainingFile
from dialoom.flow.pieces import Piece, pieces
from dialoom.flow.positions import Document, scan
from dialoom.flow.positions import Path as KeyPath
from dialoom.flow.schema import FILES
from dialoom.flow.spellings import settle
from dialoom.flow.variables import Variables

EVERY_BOT_VARIABLE = Variables()
"""Names that begin with ``BOT_``, to every bot."""
_NEEDED = ("bot.json", "flow.json")
TESTS = "tests"
"""The folder of the conversation tests, of which only the names of their context are looked at."""

MAX_FINDINGS = 1000
"""Of one reading of a bot's files; the search for what may have been meant costs a millisecond each. What prevents
loading comes before what does not."""
_MAX_COPIES = 4
"""Values of one doubled key that are looked at besides the last: each needs the files to be read once more."""

_LISTS_OF_PIECES = frozenset({"channels", "steps", "validations", "entity-definitions", "data"})


class _Read(NamedTuple):
    """What reading came to: the values of the files (as far as they are JSON) and all findings."""

    values: dict[str, Any]
    findings: list[Finding]


def read_bot(folder: Path, *, variables: Variables = EVERY_BOT_VARIABLE) -> Bot:
    """Read the bot in ``folder``. ``variables`` are those that a secret may name. Raises ``FlowError``."""
    texts, findings, names = _texts(folder)
    return _bot(_read(texts, variables, findings, names))


def read_files(files: Mapping[str, str], *, variables: Variables = EVERY_BOT_VARIABLE) -> Bot:
    """Make a bot of texts by file name; other files than a bot's are passed over. Raises ``FlowError``."""
    return read_and_check(files, variables=variables)[0]


def read_and_check(
    files: Mapping[str, str], *, variables: Variables = EVERY_BOT_VARIABLE, finder: Finder | None = None
) -> tuple[Bot, list[Finding]]:
    """Make a bot as ``read_files`` does; return it with the findings that do not prevent loading."""
    texts = {name: files[name] for name in FILES if name in files}
    read = _read(texts, variables, [], texts, finder)
    return _bot(read), read.findings


def files_of(folder: Path) -> dict[str, str]:
    """Return the texts of the files that make a version of the bot, which conversation tests are no part of. Raises
    ``FlowError`` where a file cannot be read."""
    texts, findings, _ = _texts(folder)
    if findings:
        raise FlowError([str(finding) for finding in findings])
    return texts


def folder_id(folder: Path) -> str | None:
    """Return the bot's id where bot.json can be read so far, else None; other faults are not looked for."""
    texts, _, _ = _texts(folder)
    value = scan(texts.get("bot.json", "")).value
    id = value.get("id") if isinstance(value, dict) else None
    return id if isinstance(id, str) else None


def check_folder(
    folder: Path,
    *,
    variables: Variables = EVERY_BOT_VARIABLE,
    finder: Finder | None = None,
    reads: Reads | None = None,
) -> list[Finding]:
    """Return everything that is wrong or doubtful in ``folder``, in the order of the files and lines; never raises for
    it.

    ``finder`` tells whether an option answers its question; without it only names of keywords values are compared.
    ``reads`` tells whether a limit can be read; without it no limit in words is looked at.
    """
    texts, findings, names = _texts(folder)
    return _read(texts, variables, findings, names, finder, reads, lambda: _tests(folder)).findings


def check_files(
    files: Mapping[str, str],
    *,
    variables: Variables = EVERY_BOT_VARIABLE,
    finder: Finder | None = None,
    reads: Reads | None = None,
) -> list[Finding]:
    """Return the findings as ``check_folder`` does, for texts by file name."""
    texts = {name: files[name] for name in FILES if name in files}
    tests = [text for name, text in files.items() if name.startswith(f"{TESTS}/")]
    return _read(texts, variables, [], texts, finder, reads, lambda: tests).findings


def version_of(values: Mapping[str, Any]) -> str:
    """Return the SHA-256 over the values of the files, in hexadecimal digits.

    White space, the order of keys and a byte order mark make no other version, since they change nothing that a bot
    does: a reformatted file is not published again.
    """
    canonical = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


# ---- from the folder to texts ------------------------------------------------------------------------------------


def _texts(folder: Path) -> tuple[dict[str, str], list[Finding], list[str]]:
    """Return the texts of the files that can be read, findings for the others, and the names of all files."""
    texts: dict[str, str] = {}
    findings: list[Finding] = []
    try:
        with Folder(folder) as opened:
            for name in FILES:
                try:
                    content = opened.read(name)
                except FileNotFoundError:
                    continue
                except OSError as error:
                    findings.append(_of_file("unreadable", name, f"The file cannot be read: {error.strerror}."))
                    continue
                except NotReadable as reason:
                    findings.append(_of_file("unreadable", name, str(reason)))
                    continue
                text = _decoded(name, content)
                if isinstance(text, str):
                    texts[name] = text
                else:
                    findings.append(text)
            return texts, findings, opened.names()
    except (FileNotFoundError, NotADirectoryError):
        message = f'"{folder}" is no folder. Name the folder of a bot.'
        return {}, [_of_file("missing-folder", "bot.json", message)], []
    except OSError as error:
        return {}, [_of_file("unreadable", "bot.json", f"The folder cannot be read: {error.strerror}.")], []


def _tests(folder: Path) -> list[str]:
    """Return the texts of the conversation tests that can be read."""
    texts = []
    with suppress(OSError, NotReadable), Folder(folder) as opened:
        for name in opened.names(TESTS):
            if name.endswith(".json"):
                with suppress(OSError, NotReadable, UnicodeDecodeError):
                    texts.append(opened.read(f"{TESTS}/{name}").decode())
    return texts


def _decoded(name: str, content: bytes) -> str | Finding:
    """Return the text of a file, or a finding that says why it has none. Wrong bytes are not shown: the file may be a
    key."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _of_file("not-utf-8", name, "The file is UTF-16. Save it as UTF-8.")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = "The byte that stands here is no UTF-8. Save the file as UTF-8."
        return _of_file("not-utf-8", name, message, line, column)


def _of_file(rule: str, file: str, message: str, line: int = 1, column: int = 1, path: str = "") -> Finding:
    return Finding(severity="error", rule=rule, file=file, line=line, column=column, path=path, message=message)


# ---- from texts to values and findings ---------------------------------------------------------------------------


def _read(
    texts: Mapping[str, str],
    variables: Variables,
    so_far: list[Finding],
    names: Iterable[str],
    finder: Finder | None = None,
    reads: Reads | None = None,
    tests: Tests = tuple,
) -> _Read:
    findings = list(so_far)
    if any(finding.rule == "missing-folder" for finding in findings):
        return _Read({}, findings)
    refused = {finding.file for finding in findings}
    findings.extend(_missing(name, names) for name in _NEEDED if name not in texts and name not in refused)
    documents = {name: scan(text) for name, text in texts.items()}
    for name, document in documents.items():
        copies = removing_copies(name, document)
        for problem in document.problems:
            line, column = document.line_and_column(problem.offset)
            path = "/".join(map(str, problem.path))
            found = _of_file(problem.rule, name, problem.message, line, column, path)
            fix = copies.get(problem.path) if problem.rule == "doubled-key" else None
            findings.append(msgspec.structs.replace(found, fix=fix))
    read = {name: document for name, document in documents.items() if not document.is_broken}
    unread = refused | (set(texts) - set(read)) | {name for name in _NEEDED if name not in texts}
    names_of_all: list[Piece] = []
    judged = _judged(
        read, unread, variables, names_of_all, is_whole=not unread, finder=finder, reads=reads, tests=tests
    )
    findings.extend(_first(judged))
    findings.extend(_in_copies(read, unread, variables, names_of_all))
    order = list(FILES)
    findings.sort(key=lambda finding: (order.index(finding.file), finding.line, finding.column))
    return _Read({name: document.value for name, document in read.items()}, findings)


def _judged(
    documents: Mapping[str, Document],
    unread: Collection[str],
    variables: Variables,
    known: list[Piece],
    *,
    is_whole: bool = False,
    finder: Finder | None = None,
    reads: Reads | None = None,
    tests: Tests = tuple,
) -> Iterator[Finding]:
    """Yield the findings of shape and checks for files that are JSON. The pieces are added to ``known``, whose names
    all count as defined. ``is_whole``: all files of the bot are there, so that it can be looked at as a whole."""
    values = {name: document.value for name, document in documents.items()}
    found = pieces(values)
    known.extend(found)
    settle(found)
    faulty: list[tuple[str, KeyPath]] = []
    for name, value in values.items():
        for rule, fault in shape.faults(name, value):
            if rule != "missing-key":
                faulty.append((name, fault.path))
            yield finding_of(fault, rule=rule, file=name, documents=documents)
    yield from check.findings(
        found,
        documents=documents,
        unread=unread,
        variables=variables,
        defined_by=known,
        well_formed=None if not is_whole else pieces(_without(values, faulty)) if faulty else found,
        finder=finder,
        reads=reads,
        tests=tests,
    )


def _without(values: Mapping[str, Any], faulty: Iterable[tuple[str, KeyPath]]) -> dict[str, Any]:
    """Return a copy of the values without what has the wrong shape."""
    kept: dict[str, Any] = json.loads(json.dumps(values))  # several times faster than copy.deepcopy
    for file, path in faulty:
        _take_out(kept[file], path)
    return kept


def _take_out(value: Any, path: KeyPath) -> None:
    """Take out what stands at the path. Among pieces null comes in its place, so that the others keep their numbers;
    another list goes whole."""
    owner = value_at(value, path[:-1]) if path else None
    if isinstance(owner, dict):
        owner.pop(path[-1], None)
    elif isinstance(owner, list) and path[-2:-1] and path[-2] in _LISTS_OF_PIECES:
        owner[int(path[-1])] = None
    elif isinstance(owner, list):
        _take_out(value, path[:-1])


def _first(judged: Iterable[Finding]) -> Iterator[Finding]:
    """Yield at most ``MAX_FINDINGS``, and after them one that says that there are more."""
    for number, finding in enumerate(judged):
        if number == MAX_FINDINGS:
            message = f"There are more than {MAX_FINDINGS:,} findings, and the others are not shown. Mend these first."
            yield msgspec.structs.replace(
                finding, rule="too-many-findings", message=message, allowed=(), meant=None, fix=None
            )
            return
        yield finding


def _in_copies(
    documents: Mapping[str, Document], unread: Collection[str], variables: Variables, known: list[Piece]
) -> Iterator[Finding]:
    """Yield the findings in values that a later value of the same key hides, so that an author can correct all at
    once."""
    most = min(_MAX_COPIES, max((len(document.copies) for document in documents.values()), default=0))
    for copy in range(most):
        others = {name: scan(document.text, copy=copy) for name, document in documents.items()}
        hidden = {
            name: [tuple(map(document.line_and_column, span)) for span in document.copies]
            for name, document in others.items()
        }
        for finding in _first(_judged(others, unread, variables, known)):
            position = (finding.line, finding.column)
            if any(start <= position < end for start, end in hidden[finding.file]):
                # The pointer of an edit leads to the last value of a key, which is another one.
                yield msgspec.structs.replace(finding, fix=None)


def _missing(name: str, names: Iterable[str]) -> Finding:
    others = [other for other in names if other not in FILES]
    meant = nearest(name, others)
    return _of_file("missing-file", name, f"The folder has no {name}." + instead(meant, ()))


# ---- from values to the bot --------------------------------------------------------------------------------------


def _bot(read: _Read) -> Bot:
    wrong = [str(finding) for finding in read.findings if finding.prevents_loading and finding.severity == "error"]
    if wrong:
        raise FlowError(wrong)
    values = read.values
    return Bot(
        # JSON knows one kind of number: 30.0 stands where a whole number is wanted, and the schemas take it for one.
        # Not strict, msgspec does too; what else it would then take has been refused by the schemas.
        file=msgspec.convert(values["bot.json"], BotFile, strict=False),
        flow=msgspec.convert(values["flow.json"], FlowFile, strict=False),
        training=msgspec.convert(values.get("training.json", {}), TrainingFile, strict=False),
        version=version_of(values),
    )
