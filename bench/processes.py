"""What the kernel says of a process: CPU, memory, open files (Linux; psutil counts the same elsewhere, but slower)."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def cpu(process: int) -> float:
    """Seconds of CPU that it has used, user and system."""
    return sum(_times(process)[:2])


def precise_cpu(process: int) -> float:
    """Seconds of CPU of all its threads that are there, in nanoseconds' precision: for what is over within a second."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    return sum(int((task / "schedstat").read_text("ascii").split()[0]) for task in tasks) / 1e9


def memory(process: int) -> dict[str, float]:
    """Bytes by the kernel's names: ``Rss`` is all that is resident, ``Pss`` has its share of what others use too."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()[1:]
    return {name: int(rest.split()[0]) * 1024.0 for name, _, rest in (line.partition(":") for line in lines)}


def cpu_with_children(process: int) -> float:
    """And those of its children, gone ones too."""
    while True:
        # A child that ends meanwhile takes its time to its parent, which was asked already: so all once more.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            return _tree(process)


def _tree(process: int) -> float:
    return sum(_times(process)) + sum(map(_tree, children(process)))


def children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task")
    return [int(child) for task in tasks.iterdir() for child in (task / "children").read_text("ascii").split()]


def resident(process: int) -> int:
    """Bytes of memory that it holds."""
    return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def open_files(process: int) -> int:
    return len(list(Path(f"/proc/{process}/fd").iterdir()))


def parent(process: int) -> int:
    return int(_fields(process)[1])


def _times(process: int) -> list[float]:
    """utime, stime, cutime, cstime (proc_pid_stat(5), fields 14 to 17)."""
    return [int(field) / TICKS for field in _fields(process)[11:15]]


def _fields(process: int) -> list[str]:
    """From the third on: the second, the name, may hold spaces."""
    return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
