from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow import Finding, check_files
from tests.flow.files import said, steps, texts


def of_source(**keys: Any) -> list[Finding]:
    source = {key.replace("_", "-"): value for key, value in keys.items()}
    return steps({"type": "webhook", "data-source": source})


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({}, 'needs an "endpoint" to call or an "entity" to read'),
        ({"endpoint": "https://a.at", "entity": "a"}, "cannot stand together"),
        ({"endpoint": ""}, '"endpoint" is empty'),
    ],
)
def test_a_source_is_an_endpoint_or_an_entity(keys: dict[str, Any], words: str) -> None:
    (message,) = said(of_source(**keys), "data-source")
    assert words in message


def test_a_source_that_is_an_entity_needs_nothing_else() -> None:
    assert of_source(entity="a", selector="$.b") == []


def test_a_request_without_method_takes_get_and_says_so() -> None:
    (found,) = of_source(endpoint="https://a.at")
    assert (found.severity, found.message) == ("warning", '"method" is missing: GET is taken.')


@pytest.mark.parametrize("name", ["X Key", "X-Key:", "", "X\r\nY"])
def test_a_header_name_must_be_one(name: str) -> None:
    assert len(said(of_source(endpoint="https://a.at", headers={name: "a"}), "bad-header")) == 1


@pytest.mark.parametrize(
    ("endpoint", "is_told"),
    [
        ("https://a.at/{{b}}", False),
        ("HTTP://a.at", False),
        ("{{base}}/a", False),
        ("http{{s}}://a.at", False),
        ("ftp://a.at", True),
        ("a.at/b", True),
        ("/a/{{b}}", True),
        ("httpx://a", True),
    ],
)
def test_an_endpoint_that_is_no_web_address_is_a_warning(endpoint: str, is_told: bool) -> None:
    found = [finding for finding in of_source(endpoint=endpoint, method="GET") if finding.rule == "no-http"]
    assert [finding.severity for finding in found] == (["warning"] if is_told else [])


@pytest.mark.parametrize("name", ["HOME", "DIALOOM_KEYS", "BOT_", "BOT_A-B", "bot_a", ""])
def test_a_secret_names_only_variables_open_to_bots(name: str) -> None:
    found = check_files(texts({"id": "bot", "access-token": {"env": name}}, {"conversations": {}}))
    assert len(said(found, "bad-variable")) == 1


def test_the_service_may_open_further_variables() -> None:
    files = texts({"id": "bot", "access-token": {"env": "HISTORY_TOKEN"}}, {"conversations": {}})
    assert len(check_files(files)) == 1
    assert check_files(files, variables={"HISTORY_TOKEN"}) == []


def test_a_secret_in_clear_is_a_warning_that_does_not_repeat_it() -> None:
    bot = {
        "id": "bot",
        "access-token": "hunter2",
        "channels": [{"id": "a", "type": "rest", "token": "hunter2"}, {"id": "b", "type": "web", "token": "public"}],
        "credentials": {"c": {"type": "basic", "username": {"env": "BOT_U"}, "password": "hunter2"}},
    }
    headers = {"Authorization": "Bearer hunter2", "Accept": "text/plain", "X-Api-Key": "{{key}}"}
    step = {"type": "webhook", "data-source": {"endpoint": "https://a.at", "method": "GET", "headers": headers}}
    found = steps(step, bot=bot)
    assert [(finding.rule, finding.severity, finding.path) for finding in found] == [
        ("literal-secret", "warning", "access-token"),
        ("literal-secret", "warning", "channels/0/token"),
        ("literal-secret", "warning", "credentials/c/password"),
        ("literal-secret", "warning", "conversations/book/steps/0/data-source/headers/Authorization"),
    ]
    assert "hunter2" not in "".join(map(str, found))
