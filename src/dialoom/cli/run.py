"""``dialoom run BOT_FOLDER...``: the whole service in the foreground until it is told to stop."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dialoom import __version__
from dialoom.channels import CHANNELS
from dialoom.errors import DialoomError, SettingError
from dialoom.flow.channels import row_of
from dialoom.http.app import App
from dialoom.http.server.limits.client_address import ClientAddresses, networks
from dialoom.http.server.limits.connection_limits import Limits
from dialoom.http.server.server import Server, make_room
from dialoom.service.access.rate import read_size
from dialoom.service.access.tokens import Token
from dialoom.service.bots.bots import Deployed
from dialoom.service.bots.reload import Reload
from dialoom.service.local import IN_CLEAR, allowances
from dialoom.service.observe.logs import configure, loop_fault
from dialoom.service.observe.tracing import read_tracing
from dialoom.service.service import Service, build_service, running
from dialoom.service.settings import Settings, log_format_of, read_settings

if TYPE_CHECKING:
    from dialoom.testing.sandbox import Sandbox

log = logging.getLogger(__name__)


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser("run")
    parser.add_argument("folders", nargs="*", type=Path, metavar="BOT_FOLDER", help="folders of bots to publish")
    parser.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", help="port to listen on (default 8080; 0 takes a free one)")
    parser.add_argument("--data", help="folder of the database and the key file (default ./data)")
    parser.add_argument("--database", metavar="URL", help="PostgreSQL in place of SQLite in the data folder")
    parser.add_argument(
        "--publish", action="store_true", help="publish also what was changed in the studio and not published there"
    )
    parser.add_argument(
        "--sandbox",
        action="store_true",
        help="play the bot on stand-ins of its platforms, without accounts; nothing is kept without --data",
    )
    return parser


def run(args: argparse.Namespace) -> int:
    form = log_format_of(os.environ, Path("dialoom.toml"))
    configure("info", form)
    try:
        return _run(args)
    except DialoomError as error:
        if form == "text":
            raise
        # Whoever reads the log by a program reads why the service did not start.
        log.critical("%s", error)
        return 2 if isinstance(error, SettingError) else 1


def _run(args: argparse.Namespace) -> int:
    gc.disable()
    given = {"host": args.host, "port": args.port, "data": args.data, "database_url": args.database}
    sandbox = _sandbox(args) if args.sandbox else None
    if sandbox is not None:
        given |= sandbox.settings() | {"data": args.data or sandbox.data}
    settings = read_settings(given, os.environ, Path("dialoom.toml"))
    if sandbox is not None and settings.database_url is not None:
        raise SettingError(
            "--sandbox uses no PostgreSQL: the bot with the tokens of stand-ins would become its active version there. "
            "Leave out --database, unset DIALOOM_DATABASE_URL and take database-url out of dialoom.toml."
        )
    configure(settings.log_level, settings.log_format)
    if settings.is_in_clear:
        log.warning(IN_CLEAR)
    # The store's thread gives up the interpreter's lock at each step and must get it back soon: with the default of
    # 5 ms one user's commits beside a busy loop ran at 4 a second, with 0.2 ms at 172.
    sys.setswitchinterval(0.0002)
    door = _listen(settings)
    try:
        port = door.getsockname()[1]
        tracing = read_tracing(os.environ)
        service = build_service(settings, CHANNELS, own_port=port, tracing=tracing)
        app = App(service, service.addresses.base_url)
        with asyncio.Runner(loop_factory=_loop) as runner:
            runner.run(_serve(service, app, args, door, sandbox))
    finally:
        door.close()
    return 0


def _loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        raise SettingError(
            f"Cannot listen on {settings.host} port {settings.port}: {error.strerror}. Stop the program that uses it, "
            f"or choose another port with --port (0 takes a free one)."
        ) from error


def _sandbox(args: argparse.Namespace) -> Sandbox:
    from dialoom.testing.sandbox import Sandbox

    if len(args.folders) != 1:
        raise SettingError("--sandbox plays one bot. Name its folder: dialoom run --sandbox my-bot")
    port = args.port or "8080"
    # Beside the service's port, so that a bookmark holds; a free one where that is taken.
    return Sandbox(args.folders[0], int(port) + 1 if port.isdigit() and 0 < int(port) < 65535 else 0)


async def _serve(
    service: Service, app: App, args: argparse.Namespace, door: socket.socket, sandbox: Sandbox | None
) -> None:
    asyncio.get_running_loop().set_exception_handler(loop_fault)
    connections = make_room(service.settings.most_connections)
    if connections < service.settings.most_connections:
        log.warning("the system lets this process open files for %d connections only (ulimit -n)", connections)
    made: list[Token] = []
    links: list[str] = []
    server = Server(
        app,
        delay=service.settings.stop_delay,
        limits=Limits(connections=connections, unfinished_bytes=read_size(service.settings.unfinished_bodies)),
        clients=ClientAddresses(networks(service.settings.trusted_proxies)),
        greet=lambda: _greet(service, app.base_url, made, links, sandbox),
    )
    if sandbox is not None:
        await sandbox.start()
    # Looks before the bots are read: what is changed while they are, which may take a while, is noticed.
    publish = service.publish if sandbox is None else lambda _: sandbox.publish(service)
    watch = Reload(publish, args.folders, service.bots.saved)
    try:
        folders = args.folders if sandbox is None else [sandbox.folder]
        publishes_edits = args.publish or sandbox is not None  # whose copy holds nothing of the studio when it starts
        async with running(service, folders, server.left, publishes_edits=publishes_edits) as new:
            # Whatever else takes it (a journal, a container's log) keeps it, and whoever reads that would be let in.
            if sys.stdout.isatty():
                made += new
                links.append(await service.studio.link())
            watching = asyncio.create_task(watch.run())
            connecting = asyncio.create_task(_connect(sandbox, service, server, app.base_url))
            # What was loaded lives as long as the process: leave it out of the collector's walks.
            gc.freeze()
            gc.enable()
            try:
                await server.serve(sockets=[door])
            finally:
                watching.cancel()
                connecting.cancel()
    finally:
        if sandbox is not None:
            await sandbox.stop()
        service.tracing.close()
    log.info("stopped")


async def _connect(sandbox: Sandbox | None, service: Service, server: Server, base_url: str) -> None:
    """Connect the stand-ins once the service answers: some platforms call the bot while it is set up."""
    if sandbox is not None:
        await server.is_open.wait()
        await sandbox.connect(service, base_url)


def _channel_lines(deployed: Deployed, base_url: str, data: str) -> list[str]:
    """Return a line for each channel of a bot with its address, and one for its history."""
    bot = deployed.bot
    width = max(12, *(len(channel.id) for channel in bot.channels))
    lines = []
    for channel in bot.channels:
        row = row_of(channel)
        if channel.id in deployed.closed or row.missing_keys(channel):
            told = f"closed: it takes no calls. Why: dialoom channel list {bot.id} --data {data}"
        elif row.caller == "page":
            told = f"{base_url}/chat/{bot.id}/{channel.id}"
        else:
            address = f"{base_url}/v1/bots/{bot.id}/channels/{channel.id}/{row.address.format(name='my-app')}"
            told = f"{'' if row.caller == 'client' else 'POST '}{address}"
        lines.append(f"  {channel.id:{width}} {told}")
    return [*lines, f"  {'history':{width}} {base_url}/v1/bots/{bot.id}/conversations"]


def _greet(
    service: Service, base_url: str, made: list[Token], links: list[str], sandbox: Sandbox | None = None
) -> None:
    """Print what runs where, addresses last, so that they are on screen; a log for programs has it as one line, or two
    where a local service allows more."""
    allowed = allowances(service.settings)
    if service.settings.log_format == "json" and not sys.stdout.isatty():
        bots = ", ".join(deployed.bot.id for deployed in service.bots.all()) or "none"
        log.info("Dialoom %s is running on %s; its bots: %s", __version__, base_url, bots)
        if allowed is not None:
            log.info("%s", allowed)
        return
    lines = [f"Dialoom {__version__} is running. Stop it with Ctrl+C."]
    if allowed is not None:
        lines.append(allowed)
    lines.append("")
    for deployed in service.bots.all():
        bot = deployed.bot
        lines.append(f'Bot "{bot.name}" (id {bot.id}, version {bot.version[:12]})')
        lines += _channel_lines(deployed, base_url, service.settings.data)
        for token in made:
            if token.row.bot == bot.id:
                what = "history token" if token.row.kind == "server" else f"token of {token.row.channel}"
                lines.append(f"  {what}: {token.text}")
        lines.append(f"  tokens: dialoom token list {bot.id} --show --data {service.settings.data}")
    lines += [f"Studio  {link}" for link in links or [f"{base_url}/studio"]]
    where = f"--data {service.settings.data}"
    if service.settings.base_url is None:
        where += f" --port {urlsplit(base_url).port}"
    begin = "signs in once, within 15 minutes; another" if links else "sign in with a link"
    lines.append(f"  {begin}: dialoom studio link {where}")
    lines.append(f"API description: {base_url}/docs (OpenAPI 3.1: {base_url}/openapi.json)")
    if not service.bots.all():
        lines.append("There is no bot yet. Make one in the studio, or with: dialoom init my-bot && dialoom run my-bot")
    if sandbox is not None:
        lines.append(f"Sandbox  {sandbox.url}")
        lines.append("  plays the users of " + ", ".join(place.platform.platform for place in sandbox.places))
    print("\n".join(lines), flush=True)
