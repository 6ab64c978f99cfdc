"""Settings from their three sources, and the sentences that stop a start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dialoom.errors import SettingError
from dialoom.service.local import allowances, restrictions
from dialoom.service.settings import Settings, read_settings

if TYPE_CHECKING:
    from pathlib import Path


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "dialoom.toml"
    file.write_text('port = 1\nhost = "localhost"\ndata = "file"\n')
    settings = read_settings({"port": "3", "data": None}, {"DIALOOM_PORT": "2", "DIALOOM_HOST": "127.0.0.2"}, file)
    assert (settings.port, settings.host, settings.data) == (3, "127.0.0.2", "file")


OPENID = {
    "DIALOOM_STUDIO_OPENID_ISSUER": "https://id.example",
    "DIALOOM_STUDIO_OPENID_CLIENT_ID": "studio",
    "DIALOOM_STUDIO_OPENID_CLIENT_SECRET": "s3cret",
    "DIALOOM_STUDIO_OPENID_ROLES": "group:a=agent",
}


def test_the_settings_of_an_openid_provider_are_all_that_is_needed() -> None:
    assert read_settings({}, OPENID).studio_openid_scope == "openid profile email"


@pytest.mark.parametrize(
    ("environment", "parts"),
    [
        ({"DIALOOM_PORT": "many"}, ["port", "many", "DIALOOM_PORT", "a whole number from 0 to 65535"]),
        ({"DIALOOM_PORT": "70000"}, ["port", "70000", "65535"]),
        ({"DIALOOM_LOG_LEVL": "info"}, ["DIALOOM_LOG_LEVL", 'Did you mean "log_level"?']),
        ({"DIALOOM_HOST": "0.0.0.0"}, ["DIALOOM_HOST", "base_url", "DIALOOM_BASE_URL=https://"]),
        ({"DIALOOM_BASE_URL": "bots.example.org"}, ["base_url", "bots.example.org", "http(s)://"]),
        ({"DIALOOM_EGRESS_PRIVATE": "yes"}, ["egress_private", "yes", "DIALOOM_EGRESS_PRIVATE", "one of allow, deny"]),
        ({"DIALOOM_LOG_LEVEL": "loud"}, ["log_level", "loud", "one of debug, info, warning, error"]),
        ({"DIALOOM_TURN_CALLS_TIMEOUT": "0"}, ["turn_calls_timeout", "a number from 0 to 600"]),
        ({"DIALOOM_BOT_ENV_SHARED": "perhaps"}, ["bot_env_shared", "perhaps", "true or false"]),
        ({"DIALOOM_BOT_ENV": "tea: KEY"}, ["DIALOOM_BOT_ENV", "DIALOOM_BOT_ENV_SHARED=false"]),
        ({"DIALOOM_BOT_ENV": "KEY", "DIALOOM_BOT_ENV_SHARED": "false"}, ["DIALOOM_BOT_ENV", "a row for each bot"]),
        ({"DIALOOM_MOST_CONNECTIONS": "5"}, ["most_connections", "a whole number from 10 to 1000000"]),
        (
            {"DIALOOM_STUDIO_OPENID_ISSUER": "https://id.example", "DIALOOM_STUDIO_OPENID_CLIENT_ID": "a"},
            ["DIALOOM_STUDIO_OPENID_ISSUER", "studio_openid_client_secret and studio_openid_roles is missing"],
        ),
        ({"DIALOOM_STUDIO_OPENID_NAME": "Us"}, ["DIALOOM_STUDIO_OPENID_NAME", "studio_openid_issuer and"]),
        (OPENID | {"DIALOOM_STUDIO_OPENID_ISSUER": "http://id.example"}, ["studio_openid_issuer", "an https address"]),
        (
            OPENID | {"DIALOOM_STUDIO_OPENID_ROLES": "group:a=agent grup:b=agent"},
            ["entry 2 of environment variable DIALOOM_STUDIO_OPENID_ROLES", 'Did you mean "group"?'],
        ),
    ],
)
def test_a_wrong_setting_is_named_with_its_source_and_what_is_allowed(
    environment: dict[str, str], parts: list[str]
) -> None:
    with pytest.raises(SettingError) as caught:
        read_settings({}, environment)
    assert [part for part in parts if part not in str(caught.value)] == []


def test_variables_are_those_of_all_bots_or_of_each_its_own() -> None:
    shared = read_settings({}, {"DIALOOM_BOT_ENV": "ONE, TWO"}).variables()
    assert [shared.are_open_to("tea", name) for name in ("ONE", "TWO", "BOT_X", "THREE")] == [True, True, True, False]
    rows = {"DIALOOM_BOT_ENV": " tea: ONE, TWO ;salon:ONE; nails: ", "DIALOOM_BOT_ENV_SHARED": "false"}
    own = read_settings({}, rows).variables(["tea-shop"])
    assert [own.are_open_to("tea", name) for name in ("ONE", "TWO", "BOT_TEA_X", "BOT_X")] == [True, True, True, False]
    assert [own.are_open_to("salon", name) for name in ("ONE", "TWO", "BOT_TEA_X")] == [True, False, False]
    assert not own.are_open_to("tea", "BOT_TEA_SHOP_X")
    assert not own.are_open_to("nails-2", "BOT_NAILS_X")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://db/echo",
        "postgres://ada:p%40ss@db.example.org:5433/echo?sslmode=require",
        "postgresql://ada@one:5432,two:5433/echo",
        "postgresql://[::1]:5432/echo",
        "postgresql:///echo?host=/var/run/postgresql&user=ada",
    ],
)
def test_addresses_of_postgresql_databases_are_taken(url: str) -> None:
    settings = read_settings({"database_url": url}, {"DIALOOM_HISTORY_DATABASE_URL": url})
    assert (settings.database_url, settings.history_database_url) == (url, url)


@pytest.mark.parametrize(
    "url",
    [
        "mysql://ada:hidden@db/echo",
        "ada:hidden@db/echo",
        "postgresql://ada:hidden@db:port/echo",
        "postgresql://ada:hid@den@db/echo",
        "postgresql://ada:hid#hidden@db/echo",
        "postgresql://ada:hidden@[::1/echo",
        "postgresql://",
        "",
    ],
)
def test_other_addresses_are_refused_by_name_and_source_and_never_shown(url: str) -> None:
    for arguments, environment, source in (
        ({"database_url": url}, {}, "--database)"),
        ({}, {"DIALOOM_DATABASE_URL": url}, "environment variable DIALOOM_DATABASE_URL)"),
    ):
        with pytest.raises(SettingError) as caught:
            read_settings(arguments, environment)
        text = str(caught.value)
        assert text.startswith(f"database_url (from {source}")
        assert "postgresql://user:password@host:port/database" in text
        assert "hid" not in text


def test_a_replica_needs_its_database() -> None:
    with pytest.raises(SettingError, match=r"DIALOOM_HISTORY_DATABASE_URL.*Set DIALOOM_DATABASE_URL too"):
        read_settings({}, {"DIALOOM_HISTORY_DATABASE_URL": "postgresql://db/echo"})


def test_the_value_of_a_secret_setting_is_not_shown_when_it_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "dialoom.toml"
    file.write_text('keys = ["hidden"]\n')
    with pytest.raises(SettingError, match=r"keys .from .*dialoom.toml. is not allowed") as caught:
        read_settings({}, {}, file)
    assert "hidden" not in str(caught.value)


def test_broken_toml_is_named(tmp_path: Path) -> None:
    file = tmp_path / "dialoom.toml"
    file.write_text("port = \n")
    with pytest.raises(SettingError, match=r"dialoom\.toml cannot be read as TOML"):
        read_settings({}, {}, file)


@pytest.mark.parametrize(
    ("host", "base_url", "is_local"),
    [
        ("127.0.0.1", None, True),
        ("localhost", None, True),
        ("::1", None, True),
        ("127.0.0.1", "http://localhost:8080", True),
        ("127.0.0.1", "https://[::1]/bots", True),
        ("127.0.0.1", "https://bots.example.org", False),
        ("127.0.0.1", "http://localhost.example.org", False),
        ("127.0.0.1", "http://192.168.0.7", False),
        ("0.0.0.0", "http://127.0.0.1:8080", False),
        ("0.0.0.0", "https://bots.example.org", False),
    ],
)
def test_a_local_service_listens_on_loopback_and_is_known_by_no_other_name(
    host: str, base_url: str | None, is_local: bool
) -> None:
    settings = Settings(host=host, base_url=base_url)
    assert settings.is_local is is_local
    assert settings.allows_private is is_local
    assert (allowances(settings) is not None) is is_local


def test_whether_private_addresses_may_be_reached_is_said_by_its_setting_first() -> None:
    assert Settings(egress_private="deny").allows_private is False
    assert Settings(base_url="https://x.example", egress_private="allow").allows_private is True


def test_what_a_local_service_allows_is_one_sentence() -> None:
    assert allowances(Settings()) == (
        "Local service: bots may call private addresses, /metrics needs no token and / lists the bots."
    )
    assert allowances(Settings(egress_private="deny", unsigned_calls="allow")) == (
        "Local service: /metrics needs no token, / lists the bots and calls of test clients need no signature."
    )


def test_what_is_closed_behind_a_proxy_is_told_with_the_settings_that_open_it() -> None:
    told = restrictions(Settings(base_url="https://x.example", unsigned_calls="allow"))
    assert told is not None
    for part in ("https://x.example", "EGRESS_ALLOW", "EGRESS_PRIVATE=allow", "METRICS_TOKEN", "UNSIGNED_CALLS"):
        assert part in told
    assert restrictions(Settings(base_url="https://x.example", egress_private="deny", metrics_token="t")) is None
    assert restrictions(Settings()) is None
    assert restrictions(Settings(host="0.0.0.0", base_url="https://x.example")) is None


@pytest.mark.parametrize(
    "url",
    ["https://graph.example", "https://graph.example/v99.0/", "http://127.0.0.1:9000/graph", "http://[::1]:9000"],
)
def test_the_social_login_is_where_the_operator_says(url: str) -> None:
    settings = read_settings({}, {"DIALOOM_SOCIALNET_GRAPH_URL": url, "DIALOOM_SOCIALNET_DIALOG_URL": url})
    assert (settings.socialnet_graph_url, settings.socialnet_dialog_url) == (url, url)


@pytest.mark.parametrize(
    "url",
    [
        "http://graph.example",
        "graph.example",
        "https://",
        "https://ada:pass@graph.example",
        "https://graph.example?key=1",
        "https://graph.example#top",
        "https://[::1/",
        "javascript:alert(1)",
    ],
)
def test_secrets_of_the_social_login_go_over_https_alone(url: str) -> None:
    for name in ("SOCIALNET_GRAPH_URL", "SOCIALNET_DIALOG_URL"):
        with pytest.raises(SettingError) as caught:
            read_settings({}, {f"DIALOOM_{name}": url})
        assert f"DIALOOM_{name}" in str(caught.value)
        assert "it is an https address" in str(caught.value)
        assert "ada:pass" not in str(caught.value)
