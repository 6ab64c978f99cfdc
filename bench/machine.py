"""What every table of the benches says of itself: date, machine, and the median of several runs."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path


def heading(title: str) -> str:
    return f"{title}\n{machine()}; read the figures as ratios"


def machine() -> str:
    now = datetime.now(UTC)
    return f"{now:%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores, {_processor()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    texts = [list(columns)] + [
        [f"{cell:,.2f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows
    ]
    widths = [max(len(row[index]) for row in texts) for index in range(len(columns))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in texts]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def median_of(runs: int, measure: Callable[[], dict[str, float]]) -> dict[str, float]:
    """Each figure's median over several runs of the same measurement."""
    found = [measure() for _ in range(runs)]
    return {name: statistics.median(run[name] for run in found) for name in found[0]}
