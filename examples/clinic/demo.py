"""The demo: a bot's back end on loopback and the service with the bot, both until Ctrl+C.

    python demo.py [BOT_FOLDER] [--host HOST] [--port PORT] [--data FOLDER]

The bot is the clinic, or another example that has a ``backend.py``. What it is told stays in the data folder.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

CLINIC = Path(__file__).resolve().parent
BACK_END = "backend.py"
PORTS = (8089, 8090, 8091, 8092)
"""Of the back ends of the examples."""
SECRETS = {"BOT_GYM_SECRET": "gym-demo"}
"""What bots and back ends of examples know each other by. On this machine only, so that they may stand here."""
STOP_WITHIN = 25.0
"""Seconds; the service itself takes at most 20."""


def main() -> int:
    parser = argparse.ArgumentParser(description="A bot with its back end.")
    parser.add_argument("bot", nargs="?", type=Path, default=CLINIC, metavar="BOT_FOLDER", help="the clinic by default")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", default="8080")
    parser.add_argument("--data", default="data")
    args = parser.parse_args()
    bot = args.bot.resolve()
    if not (bot / BACK_END).is_file():
        there = ", ".join(sorted(folder.parent.name for folder in CLINIC.parent.glob(f"*/{BACK_END}")))
        parser.error(f"{args.bot} is no example with a back end ({BACK_END}). There are: {there}.")
    where = ["--host", args.host, "--port", args.port, "--data", args.data]
    # The back end is on loopback, which flows may not reach once the service listens beyond it, unless it is listed.
    os.environ.setdefault("DIALOOM_EGRESS_ALLOW", ",".join(f"127.0.0.1:{port}" for port in PORTS))
    for name, secret in SECRETS.items():
        os.environ.setdefault(name, secret)
    backend = subprocess.Popen(
        [sys.executable, str(bot / BACK_END), "--data", str(Path(args.data) / f"{bot.name}-back-end")],
        start_new_session=True,
    )
    service = subprocess.Popen([sys.executable, "-m", "dialoom.cli", "run", str(bot), *where], start_new_session=True)
    parts = (service, backend)

    def stop(*_: object) -> None:
        for part in parts:
            if part.poll() is None:
                part.send_signal(signal.SIGTERM)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    # Whichever ends first ends the other: a bot without its back end, or the reverse, is no demo.
    ended, status = os.wait()
    stop()
    for part in parts:
        if part.pid != ended:
            part.wait(timeout=STOP_WITHIN)
    return abs(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    sys.exit(main())
