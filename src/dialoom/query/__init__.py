"""The query language of the history API: reads ``query`` and ``sort``, matches, orders, and compiles to SQL.

Knows no store: a store hands over a ``Table`` and gets conditions in its dialect (history-api.md, Predicates).
"""

from __future__ import annotations

from dialoom.query.dates import stored_dates
from dialoom.query.match import matcher
from dialoom.query.order import order, parse_sort, sort_key
from dialoom.query.parse import parse_query
from dialoom.query.postgres import jsonb_copy
from dialoom.query.sql import compile_order, compile_sql
from dialoom.query.table import Column, Condition, Order, Table
from dialoom.query.tree import Node, Selection, Sort

__all__ = (
    "Column",
    "Condition",
    "Node",
    "Order",
    "Selection",
    "Sort",
    "Table",
    "compile_order",
    "compile_sql",
    "jsonb_copy",
    "matcher",
    "order",
    "parse_query",
    "parse_sort",
    "sort_key",
    "stored_dates",
)
