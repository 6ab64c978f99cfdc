"""The ``dialoom`` command: one file a subcommand, each with ``add_parser`` and ``run``.

Exit codes: 0 done, 1 the thing checked is wrong, 2 wrong usage (service.md, Command line).
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from dialoom import __version__
from dialoom.cli.usage import Parser
from dialoom.errors import DialoomError, SettingError

ENV_FILE = "--env-file"

COMMANDS = {
    "run": "run the service with these bots",
    "chat": "talk with a bot in the terminal",
    "check": "load and lint bots; exit 1 on errors",
    "test": "play the conversation tests of bots",
    "train": "train the understanding of a bot and report on its expressions",
    "picture": "draw the flow of a bot",
    "init": "make a new bot folder",
    "schema": "print or write the JSON Schemas",
    "completion": "print the script that completes commands in a shell",
    "voice-model": "make the interaction model of an Alexa skill from a bot",
    "publish": "make bot folders the active versions, beside running services",
    "versions": "list the published versions of a bot",
    "diff": "show what differs between two versions of a bot",
    "rollback": "make an earlier version of a bot active again",
    "doctor": "look at everything that a service needs",
    "token": "make, list and revoke access tokens",
    "channel": "connect channels to their platforms, and check them",
    "studio": "make links into the studio, end its sessions",
    "dead": "list, resend and drop dead letters",
    "user": "export and erase what is kept of a person, log them out",
    "history": "import and export records in bulk",
    "index": "index properties of the history, or stop that",
    "backup": "copy the database whole, beside running services",
    "database": "give the room of what was deleted back to the disk",
    "keys": "give the vault a new key, and retire old ones",
    "clock": "say that the clock is right after a jump",
    "after-restore": "end tokens, studio sessions and links that a backup brought back",
}
"""Each command with its line in ``dialoom --help``, which imports none of them."""


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of the one command ``only``, whose module alone is imported; or the one that knows all commands
    by name."""
    root = Parser(prog="dialoom", description="Self-hosted conversational bots from a folder of JSON.")
    root.add_argument("--version", action="version", version=f"dialoom {__version__}")
    root.add_argument(
        ENV_FILE, type=Path, metavar="FILE", help="read variables from a file first, as the service's unit does"
    )
    commands = root.add_subparsers(dest="command", metavar="COMMAND", required=True)
    if only is None:
        for name, summary in COMMANDS.items():
            commands.add_parser(name, help=summary)
    else:
        module = importlib.import_module(f"dialoom.cli.{only.replace('-', '_')}")
        module.add_parser(commands).set_defaults(run=module.run)
    return root


def _command_in(words: Sequence[str]) -> str | None:
    """Return the command that is given; None where help on all is wanted, or there is no such command."""
    left = iter(words)
    for word in left:
        if word == ENV_FILE:
            next(left, None)
        elif not word.startswith(f"{ENV_FILE}="):
            return word if word in COMMANDS else None
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    only = _command_in(words)
    # What is imported stays: the collector's walks over it would be a tenth of the start. ``run`` does without it until
    # the service is ready.
    gc.disable()
    try:
        args = parser(only).parse_args(words)
    finally:
        gc.enable()
    try:
        if args.env_file is not None:
            from dialoom.cli.env_file import read_env_file  # few commands need it

            os.environ.update(read_env_file(args.env_file))
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
