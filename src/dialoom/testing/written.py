"""JSON as people write it in test files: a value stands on one line where it fits, else each of its parts on one."""

from __future__ import annotations

import json
from typing import Any

WIDTH = 120
"""Columns of a line."""


def written(value: Any, indent: int = 0, column: int = 0) -> str:
    """Return a value as JSON laid out for its place. ``indent``: of the line that the value begins in; ``column``:
    where in it the value begins."""
    line = json.dumps(value, ensure_ascii=False)
    if column + len(line) < WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        names = [(json.dumps(key, ensure_ascii=False) + ": ", item) for key, item in value.items()]
        parts = [inner + name + written(item, indent + 2, indent + 2 + len(name)) for name, item in names]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    parts = [inner + written(item, indent + 2, indent + 2) for item in value]
    return "[\n" + ",\n".join(parts) + "\n" + " " * indent + "]"
