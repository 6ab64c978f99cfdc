"""The test in docs/do/try-channels.md runs as it stands."""

from __future__ import annotations

import re
from typing import Any

from tests.docs.pages import DOCS
from tests.testing.platforms.receiver import Receiver, receiver

PAGE = (DOCS.parent / "do" / "try-channels.md").read_text("utf-8")


async def test_the_example_of_the_page_passes() -> None:
    found = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    async with receiver() as hook:
        names: dict[str, Any] = {}
        exec(found[1].replace("https://bot.example/hook", hook.url), names)
        await names["test_the_bot_is_called_and_answers"](as_the_bot(hook))
        assert hook.received[0].headers["x-telegram-bot-api-secret-token"] == "a-secret"


def as_the_bot(hook: Receiver) -> Any:
    async def call(telegram: Any, method: str, **given: Any) -> tuple[int, Any]:
        return await hook.post(f"{telegram.url}/bot{telegram.bot_token}/{method}", given)

    return call
