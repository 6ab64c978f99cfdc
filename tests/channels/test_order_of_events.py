"""The order that events of one user are taken in, and what is made of those that come twice or change an earlier one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.channels.platform_service import running_service
from tests.channels.test_telegram import CHANNEL, connected
from tests.http.support import TRAINING
from tests.live import call

from dialoom.testing.platforms.messenger_3 import Telegram

if TYPE_CHECKING:
    from pathlib import Path

    from tests.live import Answer


def question(entity: str) -> dict[str, Any]:
    return {
        "type": "question",
        "entity": entity,
        "entity-type": "Text",
        "is-explicit": True,
        "messages": [f"{entity}?"],
    }


STEPS = [
    question("one"),
    question("two"),
    question("three"),
    {"type": "message", "messages": ["{{one}}-{{two}}-{{three}}"]},
]
FLOW = {
    "conversations": {
        "help": {"type": "support", "steps": [{"type": "message", "messages": ["Say tea."]}]},
        "tea": {"type": "goal", "display-name": "tea", "steps": STEPS},
    }
}


async def test_arrival_counts_and_not_the_time_of_the_platform_and_nothing_counts_twice(tmp_path: Path) -> None:
    async with (
        Telegram(CHANNEL["bot-token"], "tea_bot") as telegram,
        running_service(tmp_path, CHANNEL, FLOW, TRAINING, messenger_3_url=telegram.url) as running,
    ):
        await connected(running)
        ada = telegram.user("Ada")
        written = {text: telegram.keep(ada.chat, ada.profile, {"text": text}) for text in ("tea", "early", "late")}
        written["early"]["date"] -= 60
        updates = [(7, "message", "tea"), (9, "message", "late"), (8, "message", "early"), (9, "message", "late")]

        async def arrives(id: int, kind: str, text: str) -> Answer:
            body = {"update_id": id, kind: written[text]}
            headers = {"X-Telegram-Bot-Api-Secret-Token": CHANNEL["webhook-secret"]}
            return await asyncio.to_thread(call, "POST", telegram.webhook["url"], body, headers)

        for update in updates:
            assert (await arrives(*update)).status == 200
        written["early"]["text"] = "edited"
        assert (await arrives(10, "edited_message", "early")).status == 200
        await telegram.until(lambda: len(ada.received) == 4)
        await running.settled()
        assert [said["text"] for said in ada.received] == ["one?", "two?", "three?", "late-early-edited"]
