"""``python -m bench [NAME...]``: every bench, or those named, each a table."""

from __future__ import annotations

import importlib
import sys

BENCHES = ("turns", "engine", "limits", "templates", "history", "store", "channels")

for name in sys.argv[1:] or BENCHES:
    importlib.import_module(f"bench.{name}").main()
    print()
