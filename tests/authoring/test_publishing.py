"""What an administrator has to publish: new references to variables, and credentials that go to another host."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dialoom.authoring.publishing import credential_changes


def _files(source: dict[str, Any], env: str = "BOT_SHOP_KEY") -> dict[str, str]:
    flow = {"conversations": {"c": {"steps": [{"type": "webhook", "data-source": source}]}}}
    bot = {"settings": {"credentials": {"shop": {"token": {"env": env}}}}}
    return {
        "flow.json": json.dumps(flow),
        "bot.json": json.dumps(bot),
        "tests/x.json": json.dumps({"env": "BOT_OTHER"}),
    }


SOURCE = {"endpoint": "https://shop.example/orders", "authentication-method": "shop"}


@pytest.mark.parametrize(
    ("source", "env", "expected"),
    [
        (SOURCE, "BOT_SHOP_KEY", []),
        (SOURCE | {"endpoint": "https://shop.example/other"}, "BOT_SHOP_KEY", []),
        (SOURCE, "BOT_ROOT", ['It names the environment variable "BOT_ROOT".']),
        (SOURCE | {"endpoint": "https://evil.example/"}, "BOT_SHOP_KEY", ['It sends "shop" to evil.example.']),
        (SOURCE | {"endpoint": "{{place}}"}, "BOT_SHOP_KEY", ['It sends "shop" to {{place}}.']),
        (
            {"endpoint": "https://evil.example/", "headers": {"X": {"env": "BOT_SHOP_KEY"}}},
            "BOT_SHOP_KEY",
            ['It sends "BOT_SHOP_KEY" to evil.example.'],
        ),
        ({"endpoint": "https://evil.example/"}, "BOT_SHOP_KEY", []),
    ],
)
def test_new_variables_and_moved_credentials_are_told(source: dict[str, Any], env: str, expected: list[str]) -> None:
    assert credential_changes(_files(SOURCE), _files(source, env)) == expected
