"""``dialoom history import|export BOT FILE.ndjson``: records in bulk, one a line, beside running services."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from dialoom.cli.output import written
from dialoom.cli.progress import Progress
from dialoom.cli.stores import add_place, known_bot, open_beside, settings_of
from dialoom.errors import QueryError, SettingError
from dialoom.query import Selection, index_column, indexed_properties, parse_query, parse_sort
from dialoom.service.bots.masking import Masking
from dialoom.service.records.importing import Import, ImportProgress, ImportStopped, Pace, Refusal, file_fingerprint
from dialoom.service.records.record_schema import RecordReader
from dialoom.service.records.record_stream import write_records
from dialoom.service.service import DATABASE, Service
from dialoom.service.settings import Settings
from dialoom.storage.collections import TABLES
from dialoom.storage.sqlite.connection import is_taken
from dialoom.storage.store import Collection

STREAM = "-"
"""In the place of a file: standard input or output."""


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("history")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    bring = actions.add_parser("import", help="bring in records, one JSON object a line; a rerun goes on")
    bring.add_argument("--skip-bad", action="store_true", help="pass over lines that are no record, and count them")
    bring.add_argument("--again", action="store_true", help="read the file from its beginning, also one read before")
    give = actions.add_parser("export", help="write records, one JSON object a line")
    give.add_argument("--query", metavar="JSON", help="only those that match, as in the history API")
    give.add_argument("--sort", metavar="SORT", help="a property or a JSON object, as in the history API")
    for action, what in ((bring, "read"), (give, "write")):
        action.add_argument("bot", metavar="BOT", help="the bot's id")
        action.add_argument("file", metavar="FILE", help=f"the file to {what}; - for standard input or output")
        action.add_argument("--messages", action="store_true", help="messages in place of conversations")
        add_place(action)
    return parser


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args)
    if args.action == "export":
        return asyncio.run(_export(settings, args))
    # The store's thread must get the interpreter's lock back soon, as in the service.
    sys.setswitchinterval(0.0002)
    return asyncio.run(_import(settings, args))


def _collection(args: argparse.Namespace) -> Collection:
    return "messages" if args.messages else "conversations"


# -- import


async def _import(settings: Settings, args: argparse.Namespace) -> int:
    collection, name = _collection(args), args.file
    with _opened(name) as file:
        async with open_beside(settings) as service:
            await known_bot(service, args.bot)
            is_kept = name != STREAM and file.seekable()
            mark, size = _known_by(file, collection) if is_kept else ("", 0)
            progress = Progress("read", "lines")

            def tell(refusal: Refusal) -> None:
                progress.clear()
                print(_place(name, refusal), file=sys.stderr)

            def show(reached: ImportProgress) -> None:
                progress.show(reached.line, reached.read / size if size else None)

            work = Import(
                service.store,
                collection,
                args.bot,
                mark,
                reader=await _checked(service, collection, args.bot),
                pace=Pace(service.clock, lambda: _is_served(settings)),
                on_refused=tell if args.skip_bad else None,
                progress=show,
            )
            begin = 0 if args.again else await work.begin()
            _tell_begin(name, begin, is_kept=is_kept)
            try:
                reached = await work.run(file, begin)
            except ImportStopped as stopped:
                progress.clear()
                tell(stopped.refusal)
                print(_told(stopped.progress, begin, collection), file=sys.stderr)
                print(
                    "Correct the line and give the command again: what is there stays as it is. Or pass over such "
                    "lines with --skip-bad.",
                    file=sys.stderr,
                )
                return 1
            progress.clear()
            print(_told(reached, begin, collection))
    return 0


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == STREAM:
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(Path(name).open("rb"))
        except OSError as error:
            raise SettingError(f"{name} cannot be read: {error.strerror}. Name the file to import.") from error
        yield file


def _known_by(file: BinaryIO, collection: Collection) -> tuple[str, int]:
    about = os.fstat(file.fileno())
    return file_fingerprint(file, collection, about.st_mtime_ns), about.st_size


async def _checked(service: Service, collection: Collection, bot: str) -> RecordReader:
    """Return the reader of imported records, with the masking rule of the bot's active version."""
    active = await service.store.active(bot)
    deployed = None if active is None else await service.bots.usable(bot, active.version)
    authentication = None if deployed is None else deployed.bot.flow.settings.authentication
    entity = None if authentication is None else authentication.entity
    return RecordReader(collection, bot, Masking(entity), entity)


def _is_served(settings: Settings) -> bool:
    """Return whether a running service has to wait while this process writes. PostgreSQL lets both write at once."""
    return settings.database_url is None and is_taken(Path(settings.data) / DATABASE)


def _tell_begin(name: str, begin: int, *, is_kept: bool) -> None:
    if not is_kept:
        print(
            "What comes through a pipe cannot be gone on with: should this end early, give all of it once more. What "
            "is there by then stays as it is.",
            file=sys.stderr,
        )
    elif begin:
        print(f"{name} was read up to line {begin:,} before, and is read on from there.", file=sys.stderr)


def _told(reached: ImportProgress, begin: int, collection: Collection) -> str:
    lines = reached.line - begin
    if not lines and begin:
        return f"Nothing was left to read: all {begin:,} lines were read before. --again reads them again."
    parts = [f"{_counted(reached.written, collection)} written"]
    if reached.known:
        parts.append(f"{reached.known:,} {'was' if reached.known == 1 else 'were'} there already")
    if reached.bad:
        parts.append(f"{_counted(reached.bad, 'lines')} refused")
    return f"{_counted(lines, 'lines')} read: {', '.join(parts)}."


def _counted(count: int, things: str) -> str:
    return f"{count:,} {things.removesuffix('s') if count == 1 else things}"


def _place(name: str, refusal: Refusal) -> str:
    return f"{name}:{refusal.line}: {f'{refusal.pointer} ' if refusal.pointer else ''}{refusal.reason}"


# -- export


async def _export(settings: Settings, args: argparse.Namespace) -> int:
    collection = _collection(args)
    selection = _selection(collection, args)
    async with open_beside(settings) as service:
        await known_bot(service, args.bot)
        progress = Progress("written", collection)
        with written(None if args.file == STREAM else args.file) as write:
            count = await write_records(service.store, collection, args.bot, selection, write, progress.show)
        progress.clear()
    print(f"{_counted(count, collection)} written.", file=sys.stderr if args.file == STREAM else sys.stdout)
    return 0


def _selection(collection: Collection, args: argparse.Namespace) -> Selection:
    try:
        selection = Selection(where=parse_query(args.query), sort=parse_sort(args.sort))
    except QueryError as error:
        raise SettingError(f"--query or --sort: {error}") from error
    table = TABLES[collection]
    if index_column(selection.sort, table) is None:
        columns = ", ".join(indexed_properties(table))
        raise SettingError(f"--sort: a bulk of records comes in the order of one of these properties: {columns}.")
    return selection
