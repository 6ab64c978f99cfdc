"""The table of helpers. What a block does with its body is left to ``blocks``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dialoom.template.helpers import dates, logic, numbers, texts
from dialoom.template.helpers.row import Helper, weigh

HELPERS: Final[Mapping[str, Helper]] = {row.name: row for row in (*logic.ROWS, *dates.ROWS, *numbers.ROWS, *texts.ROWS)}

__all__ = ["HELPERS", "Helper", "weigh"]
