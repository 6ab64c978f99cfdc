"""Alexa as people speak to it: the service and the strict stand-in of the platform call each other."""

from __future__ import annotations

import contextlib
import copy
from typing import TYPE_CHECKING, Any

import pytest
from tests.channels.platform_service import running_service
from tests.http.support import FLOW

from dialoom.testing.platforms.voice_assistant import Alexa

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.channels.platform_service import Running

SKILL = "amzn1.ask.skill.00000000-0000-4000-8000-000000000001"
CHANNEL = {"id": "speaker", "type": "voice-assistant", "skill-id": SKILL}
OPTIONS = "You can say Black, Green or Mint."


@pytest.fixture
async def alexa() -> AsyncIterator[Alexa]:
    async with Alexa(SKILL) as platform:
        yield platform


@contextlib.asynccontextmanager
async def speaking(alexa: Alexa, folder: Path, flow: dict[str, Any] = FLOW, **settings: Any) -> AsyncIterator[Running]:
    """Run the tea bot as the skill of this platform."""
    roots = folder / "roots.pem"
    roots.write_bytes(alexa.certificates.roots_pem())
    named = {"voice_assistant_roots": str(roots), "voice_assistant_certificate_url": alexa.url} | settings
    async with running_service(folder, CHANNEL, flow, **named) as running:
        alexa.endpoint = f"{running.url}/v1/bots/tea/channels/speaker/voice-assistant"
        yield running


def asking(display: dict[str, Any]) -> dict[str, Any]:
    """Return the tea flow with its question shown in this form."""
    flow = copy.deepcopy(FLOW)
    flow["conversations"]["tea"]["steps"][0]["display"] = display
    return flow


async def test_a_user_opens_the_skill_speaks_and_is_answered(alexa: Alexa, tmp_path: Path) -> None:
    async with speaking(alexa, tmp_path):
        ada = alexa.user()
        await ada.open()
        await ada.say("I want tea")
        await ada.say("the second one")
        assert ada.heard == ["Hello!", f"Which tea? {OPTIONS}", "The password?"]
        assert alexa.faults == []
        assert ada.is_in_session
        assert ada.spoken[3]["card"] == {"type": "Simple", "title": "tea", "content": f"Which tea?\n{OPTIONS}"}
