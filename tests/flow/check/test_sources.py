from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow import Finding, check_files
from dialoom.flow.variables import Variables
from tests.flow.files import certain, said, steps, texts


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
    assert certain(of_source(entity="a", selector="$.b")) == []


def test_a_request_without_method_takes_get_and_says_so() -> None:
    (found,) = of_source(endpoint="https://a.at")
    assert (found.severity, found.message) == ("warning", '"method" is missing: GET is taken.')


@pytest.mark.parametrize("name", ["X Key", "X-Key:", "", "X\r\nY"])
def test_a_header_name_that_http_does_not_allow_is_refused(name: str) -> None:
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
    assert check_files(files, variables=Variables(frozenset({"HISTORY_TOKEN"}))) == []


OF_TWO = Variables(
    rows={"erp": frozenset({"ERP_KEY", "BOT_TEA_KEY"})}, bots=frozenset({"tea", "tea-shop", "a.b", "a-b"})
)


@pytest.mark.parametrize(
    ("bot", "name", "is_open"),
    [
        ("tea", "BOT_TEA", True),
        ("tea", "BOT_TEA_KEY", True),
        ("tea", "BOT_TEAPOT_KEY", False),
        ("tea", "BOT_KEY", False),
        ("tea", "BOT_TEA_SHOP_KEY", False),
        ("tea", "BOT_TEA_SHOP", False),
        ("tea", "BOT_TEA_SHOPS", True),
        ("tea-shop", "BOT_TEA_SHOP_KEY", True),
        ("tea-shop", "BOT_TEA_KEY", False),
        ("tea", "ERP_KEY", False),
        ("erp", "ERP_KEY", True),
        ("erp", "BOT_TEA_KEY", True),
        ("erp", "BOT_ERP_KEY", True),
        ("a.b", "BOT_A_B_KEY", False),
        ("a-b", "BOT_A_B_KEY", False),
        ("unknown", "BOT_UNKNOWN_KEY", True),
        ("unknown", "BOT_TEA_KEY", False),
    ],
)
def test_where_variables_are_not_shared_a_bot_names_its_own_and_those_of_its_row(
    bot: str, name: str, is_open: bool
) -> None:
    files = texts({"id": bot, "access-token": {"env": name}}, {"conversations": {}})
    found = said(check_files(files, variables=OF_TWO), "bad-variable")
    assert (found == []) is is_open
    assert name not in "".join(map(str, found))


@pytest.mark.parametrize(
    ("bot", "path"),
    [
        ({"access-token": "fifteen-letters"}, ["access-token"]),
        ({"access-token": "sixteen--letters"}, []),
        ({"channels": [{"id": "a", "type": kind, "token": "short"} for kind in ("rest", "web", "mobile")]}, [0, 1, 2]),
        ({"channels": [{"id": "a", "type": "telegram", "token": "short"}]}, []),
        ({"access-token": {"env": "BOT_A"}}, []),
    ],
)
def test_a_token_of_the_service_that_can_be_guessed_is_an_error_and_those_of_platforms_are_not(
    bot: dict[str, Any], path: list[Any]
) -> None:
    found = check_files(texts({"id": "bot"} | bot, {"conversations": {}}))
    short = [finding for finding in found if finding.rule == "short-token"]
    assert [finding.path for finding in short] == [at if isinstance(at, str) else f"channels/{at}/token" for at in path]
    assert all((one.severity, one.prevents_loading) == ("error", False) and "short" not in one.message for one in short)


def test_a_secret_in_clear_is_a_warning_that_does_not_repeat_it() -> None:
    bot = {
        "id": "bot",
        "access-token": "hunter2-of-the-shop",
        "channels": [
            {"id": "a", "type": "rest", "token": "hunter2-of-the-shop"},
            {"id": "b", "type": "web", "token": "public-by-nature"},
        ],
        "credentials": {"c": {"type": "basic", "username": {"env": "BOT_U"}, "password": "hunter2"}},
    }
    headers = {"Authorization": "Bearer hunter2", "Accept": "text/plain", "X-Api-Key": "{{key}}"}
    step = {"type": "webhook", "data-source": {"endpoint": "https://a.at", "method": "GET", "headers": headers}}
    found = steps(step, bot=bot)
    assert [(finding.rule, finding.severity, finding.path) for finding in certain(found)] == [
        ("literal-secret", "warning", "access-token"),
        ("literal-secret", "warning", "channels/0/token"),
        ("literal-secret", "warning", "credentials/c/password"),
        ("literal-secret", "warning", "conversations/book/steps/0/data-source/headers/Authorization"),
    ]
    assert "hunter2" not in "".join(map(str, found))


@pytest.mark.parametrize(
    ("endpoint", "names"),
    [
        ("https://a.at/{{city}}", ["city"]),
        ("https://a.at?x={{$encodeURI city}}&y={{day}}", ["day"]),
        ("{{base}}/b/{{city}}", ["city"]),
        ("https://{{host}}:{{port}}/{{{city}}}", ["city"]),
        ("https://a.at/{{#if a}}b/{{city}}{{/if}}", ["city"]),
        ("https://a.at/{{$encodeURI city}}", []),
        ("{{base}}", []),
        ("{{scheme}}://{{host}}", []),
        ("https://a.at/{{", []),
    ],
)
def test_a_value_in_an_address_that_is_not_encoded_is_named(endpoint: str, names: list[str]) -> None:
    found = [finding for finding in of_source(endpoint=endpoint, method="GET") if finding.rule == "unencoded-value"]
    assert [finding.message.split('"')[1] for finding in found] == names
    assert {finding.severity for finding in found} <= {"warning"}


def of_dynamic(**keys: Any) -> list[Finding]:
    dynamic = {"data-source": {"method": "GET"} | keys, "value-template": "{{this}}"}
    definition = {"name": "City", "lookup-strategy": "keywords", "data": [], "dynamic-data": dynamic}
    return steps({"type": "message", "messages": ["a"]}, training={"entity-definitions": [definition]})


def test_dynamic_data_reads_an_endpoint() -> None:
    (message,) = said(of_dynamic(entity="cities"), "dynamic-source")
    assert 'Give an "endpoint"' in message
    found = of_dynamic(endpoint="https://a.at/{{$encodeURI 'a b'}}", headers={"X-A": "b"})
    assert not {"dynamic-source", "dynamic-value", "unencoded-value"} & {finding.rule for finding in found}


@pytest.mark.parametrize(
    "keys",
    [
        {"endpoint": "https://a.at/{{city}}"},
        {"endpoint": "https://a.at", "headers": {"X-A": "{{city}}"}},
        {"endpoint": "https://a.at", "payload": "{{city}}"},
        {"endpoint": "https://a.at", "payload": {"b": "{{$lowercase city}}"}},
        {"endpoint": "https://a.at", "selector": "$['{{city}}']"},
    ],
)
def test_a_value_of_memory_in_the_request_of_a_list_is_told(keys: dict[str, Any]) -> None:
    (message,) = said(of_dynamic(**keys), "dynamic-value")
    assert '"city" prints nothing' in message


@pytest.mark.parametrize(
    ("endpoint", "is_told"),
    [
        ("{{base}}/a", True),
        ("https://{{host}}/a", True),
        ("https://a.at:{{port}}/a", True),
        ("https://a.at{{path}}", True),
        ("http{{s}}://a.at/b", True),
        ("https://{{$encodeURI shop}}.a.at/", True),
        ("https://a.at/{{$encodeURI b}}", False),
        ("https://a.at?b={{$encodeURI b}}", False),
        ("{{#if test}}https://a.at/{{else}}https://b.at/{{/if}}{{$encodeURI c}}", False),
        ("https://a.at/b", False),
    ],
)
def test_a_value_that_decides_which_host_is_called_is_a_warning(endpoint: str, is_told: bool) -> None:
    found = [finding for finding in of_source(endpoint=endpoint, method="GET") if finding.rule == "moving-endpoint"]
    assert [finding.severity for finding in found] == (["warning"] if is_told else [])


def test_a_user_name_in_an_address_is_told() -> None:
    assert len(said(of_source(endpoint="https://ada:hunter2@a.at/b", method="GET"), "no-http")) == 1
    assert said(of_source(endpoint="https://a.at/b@c", method="GET"), "no-http") == []


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        ({"headers": {"X-Api-Key": "hunter2"}}, "headers/X-Api-Key"),
        ({"headers": {"X-Auth-Token": "hunter2"}}, "headers/X-Auth-Token"),
        ({"payload": {"user": {"clientSecret": "hunter2"}}}, "payload/user/clientSecret"),
        ({"payload": {"token": "0123456789abcdefhunter2"}}, "payload/token"),
        ({"endpoint": "https://a.at?a=b&api_key=hunter2"}, "endpoint"),
        ({"endpoint": "https://a.at?key=AIza0123456789hunter2"}, "endpoint"),
    ],
)
def test_a_secret_is_known_by_its_key_in_headers_payloads_and_addresses(keys: dict[str, Any], path: str) -> None:
    found = of_source(**{"endpoint": "https://a.at", "method": "POST"} | keys)
    assert [finding.path.partition("data-source/")[2] for finding in found] == [path]
    assert [finding.rule for finding in found] == ["literal-secret"]
    assert "hunter2" not in str(found[0])


@pytest.mark.parametrize(
    "keys",
    [
        {"headers": {"Authorization": "Bearer {{login.access_token}}", "X-Key": {"env": "BOT_KEY"}}},
        {"payload": {"password": "{{password}}", "token": "city", "key": "name", "secretary": "Ada"}},
        {"endpoint": "https://a.at?key=city&token={{$encodeURI token}}"},
    ],
)
def test_what_only_looks_like_a_secret_is_right(keys: dict[str, Any]) -> None:
    assert said(of_source(**{"endpoint": "https://a.at", "method": "POST"} | keys), "literal-secret") == []
