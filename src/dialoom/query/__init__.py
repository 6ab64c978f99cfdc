"""The query language of the history API: reads ``query`` and ``sort``, matches, orders, and compiles to SQL.

Knows no store: a store hands over a ``Table`` and gets conditions in its dialect (history-api.md, Predicates).
"""

from __future__ import annotations

from dialoom.query.cursor import place_of, read_cursor, write_cursor
from dialoom.query.dates import stored_dates
from dialoom.query.fields import Fields, parse_fields, project
from dialoom.query.finding import finding
from dialoom.query.leading import compile_leading
from dialoom.query.match import matcher
from dialoom.query.order import order, parse_sort, sort_key, turner
from dialoom.query.parse import parse_query
from dialoom.query.postgres import jsonb_copy
from dialoom.query.runs import Run, compile_runs, compile_whole, led_by, led_properties, sorted_columns
from dialoom.query.sql import compile_order, compile_sql, is_sql_order
from dialoom.query.table import Column, Condition, Order, Table
from dialoom.query.tree import Node, Place, Selection, Sort
from dialoom.query.union import compile_union

__all__ = (
    "Column",
    "Condition",
    "Fields",
    "Node",
    "Order",
    "Place",
    "Run",
    "Selection",
    "Sort",
    "Table",
    "compile_leading",
    "compile_order",
    "compile_runs",
    "compile_sql",
    "compile_union",
    "compile_whole",
    "finding",
    "is_sql_order",
    "jsonb_copy",
    "led_by",
    "led_properties",
    "matcher",
    "order",
    "parse_fields",
    "parse_query",
    "parse_sort",
    "place_of",
    "project",
    "read_cursor",
    "sort_key",
    "sorted_columns",
    "stored_dates",
    "turner",
    "write_cursor",
)
