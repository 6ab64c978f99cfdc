"""The query language of the history API: parses, matches and sorts, and compiles to SQL.

Running the SQL belongs in ``storage``, which gives a ``Table`` and gets conditions in its dialect.
"""

from __future__ import annotations

from dialoom.query.cursor import read_cursor, write_cursor
from dialoom.query.dates import stored_dates
from dialoom.query.fields import Fields, parse_fields, project
from dialoom.query.match import matcher
from dialoom.query.parse import parse_query
from dialoom.query.sort import parse_sort, place_key, place_of, sort_documents, sort_key, with_tie_breaker
from dialoom.query.sql.candidates import Candidates, candidates, compile_candidates, compile_sorted_candidates
from dialoom.query.sql.compile import compile_sql
from dialoom.query.sql.keyset_page import (
    Stretch,
    compile_sorted,
    compile_stretches,
    index_column,
    indexed_properties,
    is_sql_order,
    sort_columns,
)
from dialoom.query.sql.postgres import jsonb_copy
from dialoom.query.sql.table import Column, DialectName, SqlCondition, Table
from dialoom.query.tree import Node, Place, Selection, Sort

__all__ = (
    "Candidates", "Column", "DialectName", "Fields", "Node", "Place", "Selection", "Sort", "SqlCondition",
    "Stretch", "Table", "candidates", "compile_candidates", "compile_sorted",
    "compile_sorted_candidates", "compile_sql", "compile_stretches", "index_column", "indexed_properties",
    "is_sql_order", "jsonb_copy", "matcher", "parse_fields", "parse_query", "parse_sort", "place_key", "place_of",
    "project", "read_cursor", "sort_columns", "sort_documents", "sort_key", "stored_dates", "with_tie_breaker",
    "write_cursor",
)  # fmt: skip
