"""The ``dialoom`` command: one file a subcommand, each with ``add_parser`` and ``run``.

Exit codes: 0 done, 1 the thing checked is wrong, 2 wrong usage (service.md, Command line).
"""

from __future__ import annotations

import argparse
import gc
import importlib
import sys
from typing import TYPE_CHECKING

from dialoom import __version__
from dialoom.errors import DialoomError, SettingError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (
    "run",
    "chat",
    "check",
    "test",
    "train",
    "picture",
    "init",
    "schema",
    "publish",
    "versions",
    "diff",
    "rollback",
    "doctor",
    "token",
    "studio",
    "dead",
    "user",
    "history",
    "index",
    "keys",
    "clock",
    "after-restore",
)


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """``only``: the one command whose module is imported, so that ``dialoom --help`` and each command start fast."""
    root = argparse.ArgumentParser(prog="dialoom", description="Self-hosted conversational bots from a folder of JSON.")
    root.add_argument("--version", action="version", version=f"dialoom {__version__}")
    commands = root.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        if only is None or name == only:
            module = importlib.import_module(f"dialoom.cli.{name.replace('-', '_')}")
            module.add_parser(commands).set_defaults(run=module.run)
    return root


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    only = next((word for word in words if word in COMMANDS), None) if words[:1] != ["--help"] else None
    # What is imported stays: the collector's walks over it would be a tenth of the start. ``run`` does without it until
    # the service is ready.
    gc.disable()
    args = parser(only).parse_args(words)
    gc.enable()
    try:
        return int(args.run(args))
    except SettingError as error:
        print(error, file=sys.stderr)
        return 2
    except DialoomError as error:
        print(error, file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader of our output (``| head``) has gone; there is nobody left to tell.
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        return 130
