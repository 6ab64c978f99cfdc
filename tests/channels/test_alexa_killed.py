"""What becomes of an Alexa turn when the service is killed before it has answered."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.channels.test_alexa import CHANNEL, SKILL, TEAS, asking, training_with
from tests.data.far_ends import far_end
from tests.http.support import write_bot
from tests.live import Service, free_port

from dialoom.testing.platforms.voice_assistant import Alexa

if TYPE_CHECKING:
    from pathlib import Path

    from tests.data.far_ends import Call


async def test_what_the_killed_service_had_to_say_is_heard_with_the_next_request_and_once(tmp_path: Path) -> None:
    is_open = asyncio.Event()

    async def brew(call: Call) -> None:
        await is_open.wait()
        await call.reply("200 OK", b'{"number": 7}', "Content-Type: application/json")

    async with Alexa(SKILL) as alexa, far_end(brew) as kitchen:
        flow = asking({"type": "quick-reply", "data": ["Black", "Green", "Mint"]})
        flow["conversations"]["tea"]["steps"][2]["data-source"]["endpoint"] = f"{kitchen.url}/tea"
        bot = write_bot(tmp_path / "tea", {"id": "tea", "channels": [CHANNEL]}, flow, training_with(TEAS))
        roots = tmp_path / "roots.pem"
        await asyncio.to_thread(roots.write_bytes, alexa.certificates.roots_pem())
        environment = {
            "DIALOOM_VOICE_ASSISTANT_ROOTS": str(roots),
            "DIALOOM_VOICE_ASSISTANT_CERTIFICATE_URL": alexa.url,
        }
        port = free_port()
        alexa.endpoint = f"http://127.0.0.1:{port}/v1/bots/tea/channels/speaker/voice-assistant"
        ada = alexa.user()
        before = await asyncio.to_thread(Service, [bot], tmp_path / "data", port, environment)
        try:
            for text in ("I want tea", "Mint"):
                await ada.say(text)
            asking_for_it = asyncio.create_task(ada.say("secret"))
            # The progressive response comes two seconds on: by then the request is in the inbox.
            await alexa.until(lambda: bool(alexa.calls("/v1/directives")) and bool(kitchen.calls))
        finally:
            await asyncio.to_thread(before.kill)
        await asking_for_it
        assert alexa.faults == ["The skill answered with status 0."], "Alexa sends no request again"
        is_open.set()
        after = await asyncio.to_thread(Service, [bot], tmp_path / "data", port, environment)
        try:
            await ada.open()
            await ada.open()
        finally:
            await asyncio.to_thread(after.kill)
        assert [text for text in ada.heard if "Order" in text] == ["Order 7: Mint. Hello!"]
        assert len(kitchen.calls) == 2, "the back end is called again, with the same Idempotency-Key"
        assert len({call.headers.get("idempotency-key") for call in kitchen.calls}) == 1
