"""Checks payloads against types of the platforms that others wrote (``platforms.ts``), with one run of TypeScript.

The packages are installed by ``python hatch_build.py packages tests/platform_types``, which ``make test`` runs, or by the
first test that needs them.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.identity.provider import node
from tests.live import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dialoom.testing.platforms import Exchange

FOLDER = Path(__file__).parent
COMPILER = FOLDER / "node_modules" / "typescript" / "bin" / "tsc"
OPTIONS = {
    "strict": True,
    "noEmit": True,
    "skipLibCheck": True,
    "module": "esnext",
    "moduleResolution": "bundler",
    "allowImportingTsExtensions": True,
    "target": "esnext",
    "types": [],
}
_FAULT = re.compile(r"payloads\.ts\((\d+),\d+\): error (TS\d+: .*)")


class Payload(NamedTuple):
    """One JSON body, and the type of ``platforms.ts`` that it has to have."""

    type: str
    value: Any
    name: str
    """Where it comes from, for the one who reads a fault."""


def faults(payloads: Iterable[Payload], folder: Path) -> list[str]:
    """Return what the types refuse, each with the name and the beginning of the payload. Each payload is a literal, so
    that a field that its type does not have is refused too."""
    subprocess.run([sys.executable, str(ROOT / "hatch_build.py"), "packages", str(FOLDER)], check=True)
    once = {(one.type, json.dumps(one.value)): one.name for one in payloads}
    imported = f"import type * as platform from {json.dumps(str(FOLDER / 'platforms.ts'))};"
    lines = [f"export const _{at}: platform.{type} = {literal};" for at, (type, literal) in enumerate(once)]
    (folder / "payloads.ts").write_text("\n".join([imported, *lines]), "utf-8")
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS, "files": ["payloads.ts"]}), "utf-8")
    command = [node(), str(COMPILER), "--pretty", "false", "--project", str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    found = _FAULT.findall(run.stdout)
    assert run.returncode == 0 or found, run.stdout + run.stderr
    named = list(once.items())
    return [_told(*named[int(line) - 2], fault) for line, fault in found]


def _told(payload: tuple[str, str], name: str, fault: str) -> str:
    type, literal = payload
    return f"{name}: {type} {literal[:300]}: {fault[:600]}"


def sent(platform: str, method: str, path: str, body: Any) -> Iterator[tuple[str, Any]]:
    """Yield the types that a call of the service has to have, each with what has to have it; none for a call whose body
    no package describes."""
    last = path.split("?", maxsplit=1)[0].rpartition("/")[2]
    if method != "POST" or not isinstance(body, dict):
        return
    match platform, last:
        case "messenger-3", _:
            yield f'TelegramCall<"{last}">', body
        case "messenger-1", "messages":
            yield from (("MessengerCall", body), ("OtherMessengerCall", body))
        case "messenger-1", "messenger_profile":
            yield "MessengerProfile", body
        case "messenger-2", "send_message":
            yield "ViberCall", body
        case "messenger-2", "set_webhook":
            yield "ViberWebhook", body
        case "workplace-chat", "activities":
            yield "TeamsActivity", body
            yield from (("TeamsButtonData", data) for data in button_data(body))
        case "voice-assistant", "directives":
            yield "AlexaDirective", body


def button_data(value: Any) -> Iterator[Any]:
    """Yield what the buttons of cards say to Teams alone, which the type of a card leaves open."""
    if isinstance(value, dict) and "msteams" in value:
        yield value["msteams"]
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from button_data(inner)


RECEIVED = {
    "messenger-1": "MessengerEvents",
    "messenger-3": "TelegramUpdate",
    "voice-assistant": "AlexaRequest",
    "workplace-chat": "TeamsEvent",
}
"""By platform the type of what it calls the service with. The package of Viber has none."""


def exchanged(platform: str, exchange: Exchange) -> Iterator[tuple[str, Any]]:
    """Yield the types that both sides of an exchange have to have, the stand-in's too, each with what has to have it."""
    if exchange.caller == "service":
        yield from sent(platform, exchange.method, exchange.address, exchange.body)
    elif exchange.method == "POST":
        if platform in RECEIVED:
            yield RECEIVED[platform], exchange.body
        yield from answered(platform, exchange.status or 0, exchange.answer)


def answered(platform: str, status: int, body: Any) -> Iterator[tuple[str, Any]]:
    """Yield the type that an answer of the service to the platform has to have; none for an empty one."""
    if not isinstance(body, dict) or not body:
        return
    match platform, status:
        case "voice-assistant", 200:
            yield "AlexaAnswer", body
        case "messenger-2", 200:
            yield "ViberAnswer", body
        case "workplace-chat", 412:
            yield "TeamsTokenAnswer", body
