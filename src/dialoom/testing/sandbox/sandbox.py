"""Starts the stand-ins of a bot's channels beside the service, connects them, and serves the page for their users."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dialoom.channels import CHANNELS
from dialoom.errors import DialoomError
from dialoom.testing.platforms import Alexa, Messenger, Teams, Telegram, Viber
from dialoom.testing.sandbox.bot_copy import BotCopy, Place
from dialoom.testing.sandbox.page_server import PageServer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.service.bots.bots import Deployed
    from dialoom.service.service import Service


class Sandbox:
    """All that ``dialoom run --sandbox`` adds to a service. Nothing of it outlives the process."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._kept = tempfile.TemporaryDirectory(prefix="dialoom-sandbox-")
        self._copy = BotCopy(folder, Path(self._kept.name) / folder.resolve().name)
        self._page = PageServer(self.places, port)
        for place in self.places:
            place.platform.bind()

    @property
    def places(self) -> Sequence[Place]:
        """Return the bot's channels of platforms."""
        return self._copy.places

    @property
    def folder(self) -> Path:
        """Return the folder of the copied bot, for the service."""
        return self._copy.folder

    @property
    def data(self) -> str:
        """Return a folder for the store of a service that was given none."""
        return str(Path(self._kept.name) / "data")

    @property
    def url(self) -> str:
        """Return the address of the page."""
        return self._page.url

    def settings(self) -> dict[str, Any]:
        """Return the settings that point the service at the stand-ins."""
        found: dict[str, Any] = {}
        for place in self.places:
            platform = place.platform
            if isinstance(platform, Messenger):
                found["messenger_1_url"] = platform.api_url
            elif isinstance(platform, Viber):
                found["messenger_2_url"] = platform.api_url
            elif isinstance(platform, Telegram):
                found["messenger_3_url"] = platform.url
            elif isinstance(platform, Teams):
                found["workplace_chat_metadata_url"] = platform.metadata_url
                found["workplace_chat_login_url"] = found["workplace_chat_token_url"] = platform.url
                found["workplace_chat_service_hosts"] = platform.url.removeprefix("http://")
            elif isinstance(platform, Alexa):
                roots = Path(self._kept.name) / "roots.pem"
                roots.write_bytes(platform.certificates.roots_pem())
                found["voice_assistant_roots"] = str(roots)
                found["voice_assistant_certificate_url"] = platform.url
        return found

    async def start(self) -> None:
        """Start the stand-ins and the page's server, before the service loads its bot."""
        for place in self.places:
            await place.platform.start()
        await self._page.start()

    async def connect(self, service: Service, base_url: str) -> None:
        """Tell each platform where the bot is, once the service answers; what fails is shown on the page."""
        bot = self._copy.bot
        deployed = service.bots.active(bot)
        if deployed is None:
            return
        self._page.bot = deployed.bot.name
        for place in self.places:
            address = f"{base_url}/v1/bots/{bot}/channels/{place.channel}/{place.platform.platform}"
            try:
                self._page.problems[place.channel] = await self._connect(service, deployed, place, address)
            except DialoomError as error:
                self._page.problems[place.channel] = [str(error)]
        self._page.changed()

    async def publish(self, service: Service) -> Deployed:
        """Publish the bot again after its files have changed."""
        await asyncio.to_thread(self._copy.write)
        # The copy holds what the folder's author wrote, and nothing of the studio any more.
        return await service.publish(self.folder, publishes_edits=True)

    async def stop(self) -> None:
        """Stop the servers and remove the copy."""
        await self._page.stop()
        for place in self.places:
            await place.platform.stop()
        await asyncio.to_thread(self._kept.cleanup)

    @staticmethod
    async def _connect(service: Service, deployed: Deployed, place: Place, address: str) -> list[str]:
        """Set a channel up as ``dialoom channel connect`` and a developer on the platform's pages do. Returns what is
        wrong."""
        platform = place.platform
        speaker, channel = CHANNELS.get(platform.platform), deployed.channel(place.channel)
        if speaker is None or channel is None:
            return ["This version does not speak with this platform."]
        if isinstance(platform, Alexa | Teams):
            platform.endpoint = address
        elif isinstance(platform, Messenger) and not await platform.connect(address):
            return [f"{address} did not repeat the challenge."]
        done = await speaker.connect(service.bot_channels.of(deployed.bot, channel), address)
        return [one.text for one in done if one.state == "wrong"]
