"""The skill as npm ``virtual-alexa`` meets it, with the interaction model that ``dialoom voice-model`` writes. It signs
nothing: a proxy before the service does that with the certificates of the stand-in."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import ClientSession, web
from tests.channels.test_alexa import CHANNEL, FLOW, OPTIONS, SKILL, asking, speaking
from tests.http.support import TRAINING, write_bot
from tests.identity.provider import node
from tests.live import ROOT

from dialoom import cli
from dialoom.testing.platforms.voice_assistant import Alexa

if TYPE_CHECKING:
    from pathlib import Path

CLIENT = ROOT / "tests" / "voice"


async def _signed(alexa: Alexa) -> web.AppRunner:
    """Serve a proxy that signs requests for the skill."""

    async def hand_on(request: web.Request) -> web.Response:
        body = await request.read()
        certificates = alexa.certificates
        headers = {
            "Content-Type": "application/json",
            "SignatureCertChainUrl": certificates.address(),
            "Signature-256": certificates.signature(body),
        }
        async with ClientSession() as session, session.post(alexa.endpoint, data=body, headers=headers) as answer:
            return web.Response(body=await answer.read(), status=answer.status, content_type="application/json")

    app = web.Application()
    app.router.add_post("/", hand_on)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner


async def _talk(*words: str) -> list[dict[str, Any]]:
    """Run the client; return what the skill answered."""
    process = await asyncio.create_subprocess_exec(
        node(), str(CLIENT / "talk.js"), *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def model(tmp_path: Path) -> str:
    """Install the client and write the tea bot's interaction model; return its file."""
    subprocess.run([sys.executable, str(ROOT / "hatch_build.py"), "packages", str(CLIENT)], check=True)
    folder = write_bot(tmp_path / "model" / "tea", {"id": "tea", "channels": [CHANNEL]}, FLOW, TRAINING)
    assert cli.main(["voice-model", str(folder), "--output", str(tmp_path / "models")]) == 0
    return str(tmp_path / "models" / "en-US.json")


async def test_virtual_alexa_talks_with_the_bot_by_the_written_model(model: str, tmp_path: Path) -> None:
    flow = asking({"type": "quick-reply", "data": ["Black", "Green", "Mint"]})
    flow["conversations"]["tea"]["steps"][1:] = [{"type": "message", "messages": ["Here is {{kind}}."]}]
    async with Alexa(SKILL) as alexa, speaking(alexa, tmp_path, flow):
        proxy = await _signed(alexa)
        try:
            address = f"http://127.0.0.1:{proxy.addresses[0][1]}/"
            said = ("!launch", "I want tea", "!AMAZON.RepeatIntent", "second", "!launch", "!AMAZON.StopIntent")
            heard = await _talk(address, SKILL, model, *said)
        finally:
            await proxy.cleanup()
    question = f"<speak><p>Which tea?</p><p>{OPTIONS}</p></speak>"
    assert [(one["speech"], one["ends"]) for one in heard] == [
        ("<speak><p>Hello!</p></speak>", False),
        (question, False),
        (question, False),
        ("<speak><p>Here is Green.</p></speak>", True),
        ("<speak><p>Hello!</p></speak>", False),
        ("", True),
    ]
