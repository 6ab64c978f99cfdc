"""``dialoom index add|drop COLLECTION PROPERTY`` and ``dialoom index list``: the operator's own indexes."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from typing import Any

from dialoom.cli.output import add_format, print_list
from dialoom.cli.stores import add_place, open_beside, settings_of
from dialoom.errors import SettingError
from dialoom.service.settings import Settings
from dialoom.storage.operator_indexes import check_property
from dialoom.storage.store import IndexRow, Store

COLLECTIONS = ("conversations", "messages")


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("index")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, what in (("add", "index a property, while the service runs"), ("drop", "do without its index again")):
        action = actions.add_parser(name, help=what)
        action.add_argument("collection", metavar="COLLECTION", choices=COLLECTIONS, help=" or ".join(COLLECTIONS))
        action.add_argument("property", metavar="PROPERTY", help="as in a query, such as Data.entities.city")
        add_place(action)
    show = actions.add_parser("list", help="list the indexes that were added")
    add_format(show)
    add_place(show)
    return parser


def run(args: argparse.Namespace) -> int:
    if args.action == "add":
        check_property(args.collection, args.property)
    return asyncio.run(_act(settings_of(args), args))


async def _act(settings: Settings, args: argparse.Namespace) -> int:
    async with open_beside(settings) as service:
        match args.action:
            case "list":
                _print(await service.store.indexes(), args.format)
            case "add":
                await _add(service.store, args)
            case _:
                await _drop(service.store, args)
    return 0


async def _add(store: Store, args: argparse.Namespace) -> None:
    print(f"Indexing {args.property} of {args.collection}. Turns go on meanwhile; it can take minutes.", flush=True)
    await store.add_index(args.collection, args.property)
    print("Ready: queries use it.")


async def _drop(store: Store, args: argparse.Namespace) -> None:
    if not await store.drop_index(args.collection, args.property):
        raise SettingError(f"{args.property} of {args.collection} has no index of yours. See: dialoom index list")
    print(f"Queries for {args.property} of {args.collection} do without an index from now on.")


def _print(rows: Sequence[IndexRow], form: str) -> None:
    empty = "No index was added. See: dialoom index add --help"
    print_list(rows, form, line=_line, value=IndexRow._asdict, empty=empty)


def _line(row: IndexRow) -> str:
    state = "ready" if row.is_ready else "not ready: add or drop it once more"
    return f"{row.collection}  {row.property}  {state}"
