"""A finding shows no value that may be a secret, whatever is wrong with it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dialoom.flow import check_files

SECRET = "kR9xQ2mT7vB4nL1s"

FORMS = (
    SECRET,
    [SECRET],
    {"x": SECRET},
    {"env": SECRET},
    {"env": SECRET + " "},
    {"env": [SECRET]},
    f"{SECRET} {{{{",
    f"{{{{#{SECRET}",
    f"{{{{$has '{SECRET}",
    f"{SECRET}\n",
    f" {SECRET}",
)


def _source(**keys: Any) -> dict[str, Any]:
    step = {"type": "webhook", "entity": "a", "data-source": {"endpoint": "https://a.at", "method": "GET", **keys}}
    return {"flow.json": {"conversations": {"help": {"type": "goal", "steps": [step]}}}}


def _login(**keys: Any) -> dict[str, Any]:
    oidc = {"issuer": "https://id.at", "client-id": "a", "client-secret": {"env": "BOT_A"}}
    authentication = {"entity": "login", "messages": ["Log in"], "oidc": oidc | keys}
    return {"flow.json": {"conversations": {}, "settings": {"authentication": authentication}}}


def _channel(kind: str, key: str, value: Any) -> dict[str, Any]:
    return {"bot.json": {"id": "a", "channels": [{"id": "c", "type": kind, key: value}]}}


def _credential(value: Any) -> dict[str, Any]:
    return {"bot.json": {"id": "a", "credentials": {"c": value}}}


def places(value: Any) -> dict[str, dict[str, Any]]:
    return {
        "access-token": {"bot.json": {"id": "a", "access-token": value}},
        "credentials": {"bot.json": {"id": "a", "credentials": value}},
        "credential": _credential(value),
        "password": _credential({"type": "basic", "username": "ada", "password": value}),
        "bearer": _credential({"type": "bearer", "token": value}),
        "key": _credential({"type": "client-certificate", "certificate": value, "key": value}),
        "channels": {"bot.json": {"id": "a", "channels": value}},
        "channel": {"bot.json": {"id": "a", "channels": [value]}},
        "rest": _channel("rest", "token", value),
        "user-secret": _channel("web", "user-secret", value),
        "callback-secret": _channel("rest", "callback-secret", value),
        "page-token": _channel("messenger-2", "page-token", value),
        "client-secret": _login(**{"client-secret": value}),
        "headers": _source(headers={"Authorization": value}),
        "all headers": _source(headers=value),
        "payload": _source(method="POST", payload={"password": value}),
        "bot": {"bot.json": value},
        "flow": {"flow.json": value},
        "training": {"training.json": value},
    }


@pytest.mark.parametrize("form", FORMS, ids=map(str, range(len(FORMS))))
@pytest.mark.parametrize("place", places(""))
def test_no_finding_shows_what_stands_in_the_place_of_a_secret(place: str, form: Any) -> None:
    files = {"bot.json": {"id": "a"}, "flow.json": {"conversations": {}}} | places(form)[place]
    found = check_files({name: json.dumps(value) for name, value in files.items()})
    # The names of keys are shown.
    said = [finding.message for finding in found if finding.rule != "unknown-key"]
    assert SECRET not in "\n".join(said)


@pytest.mark.parametrize("address", [f"ftp://ada:{SECRET}@a.at", f"http://ada:{SECRET}@a.at/{{{{x}}}}"])
def test_no_finding_shows_an_address_with_a_password(address: str) -> None:
    bot = {
        "id": "a",
        "channels": [{"id": "c", "type": "rest", "callback-url": address, "callback-secret": {"env": "BOT_A"}}],
        "live-agents": {"desk": address},
    }
    web = {"id": "w", "type": "web", "allowed-origins": [address]}
    bot["channels"] = [*bot["channels"], web]
    files = {"bot.json": bot} | _login(issuer=address)
    files["flow.json"]["settings"]["authentication"]["confirmation-page-redirect-url-web"] = address
    found = check_files({name: json.dumps(value) for name, value in files.items()})
    assert {"post-address", "bad-origin", "login-issuer"} <= {finding.rule for finding in found}
    assert SECRET not in "\n".join(map(str, found))
