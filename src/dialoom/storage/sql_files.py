"""Reads the SQL of a store's ``queries/*.sql``: every query under a name, with a line that says what it is for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import msgspec

FOLDER = Path(__file__).parent
_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_FILLED = re.compile(r"\$([a-z_]+)")
_ROW = re.compile(r"\bvalues (\(.*\))$", re.MULTILINE)


class Query(msgspec.Struct, frozen=True):
    """``sql`` writes one row where its line begins with ``values``."""

    name: str
    purpose: str
    sql: str

    def rows(self, count: int) -> str:
        """Return the statement for ``count`` rows at once."""
        return _repeated(self.sql, count)

    def filled(self, words: Mapping[str, str]) -> str:
        """Return the statement with what stands for ``$word``, put in in one pass: it may look like another word."""
        return _FILLED.sub(lambda found: words[found[1]], self.sql)


@lru_cache(maxsize=256)
def _repeated(sql: str, count: int) -> str:
    return _ROW.sub(lambda found: "values " + ", ".join([found[1]] * count), sql, count=1)


def parse(text: str) -> Mapping[str, Query]:
    queries: dict[str, Query] = {}
    _, *pieces = _NAME.split(text)
    for name, body in zip(pieces[::2], pieces[1::2], strict=True):
        lines = body.strip().splitlines()
        purpose = [line for line in lines if line.startswith("--")]
        if not purpose or name in queries:
            raise ValueError(f'query "{name}" stands twice or has no line that says what it is for')
        queries[name] = Query(name, " ".join(line[2:].strip() for line in purpose), "\n".join(lines[len(purpose) :]))
    return MappingProxyType(queries)


def load(store: str, file: str) -> Mapping[str, Query]:
    """Return the queries of ``<store>/queries/<file>.sql`` by name; ``store`` is empty for those of all stores."""
    return parse((FOLDER / store / "queries" / f"{file}.sql").read_text("utf-8"))
