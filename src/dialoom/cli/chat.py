"""``dialoom chat BOT_FOLDER``: talk with a bot in the terminal, look into its memory, go back, keep the talk as a test.

Calls to the outside are made for real, by the rules of a service with the settings that stand here. Nothing is stored.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final

from dialoom.auth.vault import Vault
from dialoom.authoring.play import channel_of
from dialoom.authoring.scenarios import Address, File, Happens, Point, UserTurn
from dialoom.authoring.talk import Talk
from dialoom.authoring.trace_lines import lines_of
from dialoom.authoring.update import json_text
from dialoom.cli.bots import bot_in, settings_here, variables_here
from dialoom.cli.output import in_colour
from dialoom.data.egress import Egress
from dialoom.data.fetcher import HttpFetcher
from dialoom.engine import Flow, Turn, compile_flow, dynamic
from dialoom.engine.effects import Failed, Request, Send
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import RemoteError
from dialoom.flow import Bot
from dialoom.flow.channels import Channel
from dialoom.flow.variables import Variables
from dialoom.messages import Option
from dialoom.messages.plain import plain_title
from dialoom.service.bots.bots import Bots
from dialoom.service.bots.masked_trace import masked_trace
from dialoom.service.bots.masking import Masking
from dialoom.service.bots.outbound_calls import OutboundCalls
from dialoom.service.clock import SystemClock
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.understanding import normalise

MAX_LISTED = 20
"""Options that are listed; of a longer list people type what they want."""

HELP = """\
/1, /2 ...         choose what is listed under that number (several: /1 /3)
/memory            what the bot knows
/back              take the last message back
/save FILE         write the talk as a conversation test
/at LAT LON        send a place
/file ADDRESS      send a file by its address
/login [TOKEN]     log in, as if at the provider; services get this token
/login failed      let the login fail
/quit              end (so does Ctrl+D)"""


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("chat", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="BOT_FOLDER")
    parser.add_argument("--channel", help="id or type of the channel to talk on (default: the first web channel)")
    parser.add_argument("--trace", action="store_true", help="show after each turn how it came about")
    return parser


def run(args: argparse.Namespace) -> int:
    settings, bot = settings_here(), bot_in(args.folder)
    channel = channel_of(bot, args.channel, "web")
    with asyncio.Runner() as runner, tempfile.TemporaryDirectory() as folder:
        egress = Egress(settings.allows_private, settings.listed(settings.egress_allow), frozenset())
        fetcher = HttpFetcher(egress)
        try:
            secrets = _secrets_of(variables_here(), Path(folder))
            outside = OutboundCalls(fetcher, secrets, settings.turn_calls_timeout)
            _open(runner, bot, channel, outside, is_traced=args.trace)
        finally:
            runner.run(fetcher.close())
    return 0


def _secrets_of(variables: Variables, folder: Path) -> Bots:
    """Return what puts secrets into outside calls. Nothing is published, so that its store is never opened."""
    return Bots(SqliteStore(folder / "data.sqlite"), Vault.from_keys([os.urandom(32)]), SystemClock(), variables)


def _open(runner: asyncio.Runner, bot: Bot, channel: Channel, outside: OutboundCalls, *, is_traced: bool) -> None:
    def calls() -> Callable[[Request], Awaitable[Response | NoResponse]]:
        deadline = outside.deadline()
        return lambda request: outside.call(bot, request, deadline)

    plain = compile_flow(bot)
    lists = runner.run(_lists(plain, calls))
    flow = dynamic.filled(plain, lists)
    authentication = bot.flow.settings.authentication
    masking = Masking(authentication.entity if authentication else None)
    window = _Window(Talk(flow, channel, calls, _now, lists, is_traced=is_traced), flow, masking, runner)
    window.say(f"{bot.name}. Type what you want to say; /help shows what else can be done.")
    window.hear(UserTurn(event=Happens("opening")))
    for line in window.lines():
        window.obey(line)


async def _lists(
    flow: Flow, calls: Callable[[], Callable[[Request], Awaitable[Response | NoResponse]]]
) -> dict[str, list[Any]]:
    """Return the lists of the bot's dynamic data; of one that cannot be read the values of the file stay."""
    lists = {}
    for type in dynamic.dynamic_types(flow):
        try:
            answer = await calls()(dynamic.request(flow, type))
            if isinstance(answer, NoResponse):
                raise RemoteError(answer.kind, answer.detail)
            lists[type] = dynamic.elements(flow, type, answer)
        except RemoteError as error:
            print(f"The values of {type} are those of the file: {error}", file=sys.stderr)
    return lists


def _now() -> int:
    return time.time_ns() // 1_000_000


class _Window:
    """Reads what is typed in the terminal, and writes what the bot says under it."""

    def __init__(self, talk: Talk, flow: Flow, masking: Masking, runner: asyncio.Runner) -> None:
        self._talk = talk
        self._flow = flow
        self._masking = masking
        self._runner = runner
        self._options: tuple[Option, ...] = ()

    def lines(self) -> Iterator[str]:
        while True:
            try:
                line = input("> " if sys.stdin.isatty() else "").strip()
            except EOFError:
                return
            if not sys.stdin.isatty():
                self.say(f"> {line}")
            if line in {"/quit", "/exit"}:
                return
            if line:
                yield line

    def obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        command = getattr(self, f"_{word[1:]}", None) if word in _COMMANDS else None
        if command is not None:
            command(rest.strip())
        elif word.startswith("/") and word[1:].isdecimal():
            self._choose(line.split())
        elif word.startswith("/") and not self._is_phrase(line):
            self.note(f"There is no command {word}. /help shows those that there are.")
        else:
            self.hear(UserTurn(text=line))

    def _is_phrase(self, line: str) -> bool:
        """Return whether the bot has words of its own that begin with a slash, ``/start`` and the like."""
        commands, phrase = self._flow.commands, normalise(line)
        known = commands.restart | commands.next_page | commands.previous_page
        return phrase in known or self._flow.recogniser.trained_expression(line) is not None

    def hear(self, user: UserTurn) -> None:
        turn = self._runner.run(self._talk.hear(user))
        self._show(turn)
        if turn.trace is not None:
            trace = masked_trace(turn.trace, self._masking, self._talk.exchanges[-1].before, turn.state)
            for line in lines_of(trace):
                self.note(f"  | {line}")

    def _choose(self, words: list[str]) -> None:
        numbers = [int(word[1:]) for word in words if word[:1] == "/" and word[1:].isdecimal()]
        if len(numbers) != len(words) or not all(1 <= number <= len(self._options) for number in numbers):
            self.note(f"Choose with /1 to /{len(self._options)}." if self._options else "Nothing is listed to choose.")
            return
        values = [self._options[number - 1].value for number in numbers]
        self.hear(UserTurn(option=values[0] if len(values) == 1 else values))

    def _help(self, _: str) -> None:
        self.say(HELP)

    def _memory(self, _: str) -> None:
        state = self._talk.state
        held = {"entities": state.entities, "context": state.context, "open": [frame.key for frame in state.stack]}
        shown = self._masking.value({key: value for key, value in held.items() if value})
        self.say(json.dumps(shown, ensure_ascii=False, indent=2))

    def _back(self, _: str) -> None:
        if len(self._talk.exchanges) < 2:
            self.note("There is nothing to take back.")
            return
        self._talk.back()
        self.note("Taken back. The bot's last words were:")
        self._show(self._talk.exchanges[-1].turn)

    def _save(self, name: str) -> None:
        if not name:
            self.note("Name the file: /save my-bot/tests/talk.json")
            return
        file = Path(name)
        if file.exists():
            self.note(f"{file} exists. Name another file; nothing was written.")
            return
        text = json_text(self._talk.as_test(file.stem)) + "\n"
        try:
            file.write_text(text, "utf-8")
        except OSError as error:
            self.note(f"{file} cannot be written: {error.strerror}.")
            return
        self.note(f"The talk stands in {file}, with the answers of the outside as mocks. What was said stands there in")
        self.note("clear: take secrets out before others see it.")
        for obstacle in self._talk.obstacles():
            self.note(f"It will not pass as it stands: {obstacle}")

    def _at(self, rest: str) -> None:
        try:
            latitude, longitude = (float(part) for part in rest.replace(",", " ").split())
        except ValueError:
            self.note("A place is two numbers: /at 48.2 16.37")
            return
        self.hear(UserTurn(location=Point(latitude, longitude)))

    def _file(self, address: str) -> None:
        if not address.startswith(("http://", "https://")):
            self.note("A file is sent by its address: /file https://example.com/photo.jpg")
            return
        self.hear(UserTurn(attachments=(File(Address(address)),)))

    def _login(self, token: str) -> None:
        if self._flow.login is None:
            self.note('This bot has no login: its settings have no "authentication".')
            return
        if len(token.split()) > 1 or token.startswith("{"):
            self.note("A login has one token without spaces, or none: /login, /login TOKEN, /login failed.")
            return
        self.hear(UserTurn(login=FAILED if token == FAILED else {"access_token": token or "token"}))

    # ---- what is written -----------------------------------------------------------------------------------------

    def _show(self, turn: Turn) -> None:
        self._options = ()
        for effect in turn.effects:
            if isinstance(effect, Send):
                message = effect.message
                if message.text:
                    self.say(f"  {message.text}")
                dialog = message.dialog
                self._options = message.replies or (dialog.options if dialog is not None else ())
                if dialog is not None:
                    hint = ": /login logs in" if dialog.type == "login" else ""
                    self.note(f"  [{dialog.type}] {plain_title(dialog.title)}{hint}")
                self._list()
            elif isinstance(effect, Failed):
                self.note(f"  ! {effect.step}: {effect.reason}")

    def _list(self) -> None:
        for number, option in enumerate(self._options[:MAX_LISTED], 1):
            second = f" ({option.subtitle})" if option.subtitle else ""
            self.say(f"  {in_colour(f'/{number}', 'dim')} {plain_title(option.title)}{second}")
        if len(self._options) > MAX_LISTED:
            self.note(f"  ... and {len(self._options) - MAX_LISTED} more: type what you want.")

    def say(self, text: str) -> None:
        print(text, flush=True)

    def note(self, text: str) -> None:
        print(in_colour(text, "dim"), flush=True)


FAILED: Final = "failed"
_COMMANDS = frozenset({"/help", "/memory", "/back", "/save", "/at", "/file", "/login"})
