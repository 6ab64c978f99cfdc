"""Addresses: what values become in them, and what they can never do."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from dialoom.errors import TemplateError
from dialoom.template import Scope, compile_endpoint
from dialoom.template.values import DateText

BASE = "https://api.example.com"


def render(source: str, **memory: object) -> tuple[str, bool]:
    return compile_endpoint(source).render(Scope(memory))


@pytest.mark.parametrize(
    ("source", "value", "expected"),
    [
        ("/cars/{{x}}", "O'Neil\"]})", "/cars/O'Neil%22]%7D)"),
        ("/cars?n={{$encodeURI x}}", "O'Neil\"]})", "/cars?n=O%27Neil%22%5D%7D%29"),
        ("/cars/{{x}}", "a/b", "/cars/a/b"),
        ("/cars/{{$encodeURI x}}", "a/../b?c#d", "/cars/a%2F..%2Fb%3Fc%23d"),
        ("/cars/{{x}}", "100%", "/cars/100%25"),
        ("/cars/{{x}}", "a%20b", "/cars/a%2520b"),
        ("/cars/{{x}}", "..%2f..%2Fadmin", "/cars/..%252f..%252Fadmin"),
        ("/cars/{{x}}/y", "a%2fb%5cc%00", "/cars/a%252fb%255cc%2500/y"),
        ("/cars/{{x}}", "%252f", "/cars/%25252f"),
        ("/cars/{{x}}f", "%2", "/cars/%252f"),
        ("/cars/{{$encodeURI x}}", "a%2fb", "/cars/a%252fb"),
        ("/a%20b/{{x}}", "c%20d", "/a%20b/c%2520d"),
        ("/cars?q={{x}}", "a%20b", "/cars?q=a%20b"),
        ("{{x}}", "/cars/a%20b?q=c%3Dd", "/cars/a%20b?q=c%3Dd"),
        ("/cars/{{x}}", "é\t|", "/cars/%C3%A9%09%7C"),
        ("/cars/{{{x}}}", "a b", "/cars/a%20b"),
        ("/cars?q={{x}}", "a?b/../c", "/cars?q=a?b/../c"),
        ("/cars?q={{x}}&p=1", "a#b", "/cars?q=a%23b&p=1"),
        ("/cars?q={{x}}#top", "a", "/cars?q=a#top"),
        ("/cars/{{#each x}}{{this}}{{#unless @last}},{{/unless}}{{/each}}", ["a b", "c"], "/cars/a%20b,c"),
        ("/cars?date={{$encodeURI x}}", DateText("2017-08-07"), "/cars?date=2017.08.07"),
        ("/a/../b/{{x}}", "c", "/a/../b/c"),
        ("{{x}}", "/cars", "/cars"),
        ("{{x}}", "?q=1", "?q=1"),
        ("{{x}}", "", ""),
        ("/ü b/{{x}}", 1.0, "/%C3%BC%20b/1"),
    ],
)
def test_a_value_becomes_a_part_of_the_address(source: str, value: object, expected: str) -> None:
    assert render(BASE + source, x=value) == (BASE + expected, True)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (BASE + "/cars/{{x}}", "../users"),
        (BASE + "/cars/{{x}}/y", ".."),
        (BASE + "/cars/{{x}}", "%2e%2E/users"),
        (BASE + "/cars/{{x}}/of", "..;"),
        (BASE + "/cars/{{x}}/of", ".;a=1"),
        (BASE + "/cars/{{x}}", "./y"),
        (BASE + "/cars/.{{x}}", "."),
        (BASE + "/cars/{{$encodeURI x}}", ".."),
        (BASE + "/cars/{{x}}", "a?admin=1"),
        (BASE + "/cars/{{x}}", "a#b"),
        (BASE + "/cars/{{x}}", "a\r\nHost: b"),
        (BASE + "/cars?q={{x}}", "a\nb"),
        (BASE + "/cars/{{x}}", "\ud800"),
        (BASE + "{{x}}", ".evil.example"),
        (BASE + "{{x}}", "@evil.example/"),
        (BASE + "{{x}}", ":8080/"),
        (BASE + "{{x}}/cars", "evil"),
        (BASE + ":80{{x}}/cars", "80"),
        ("https://{{x}}.example.com/", "evil.example/"),
        ("https://{{x}}.example.com/", "evil.example?"),
        ("https://{{x}}.example.com/", "evil.example#"),
        ("https://{{x}}.example.com/", "evil.example\\"),
        ("https://{{x}}.example.com/", "user@evil.example:80"),
        ("https://{{x}}.example.com/", "evil.example／"),
        ("https://{{x}}.example.com/", "evil.example%2f"),
        ("https://{{x}}/cars", "user:pw@evil.example"),
        ("https://{{x}}/cars", "evil.example/other"),
        ("https://api.example.com:{{x}}/cars", "80@evil.example"),
        ("https://user:{{x}}@api.example.com/", "pw@evil.example/"),
        ("{{x}}://api.example.com/", "https://evil.example/"),
        ("{{x}}://api.example.com/", "ftp"),
        ("ht{{x}}://api.example.com/", "tps://evil.example/a"),
        ("{{x}}.example.com/", "https://evil.example/"),
        ("{{x}}/cars", "https://api.example.com?x="),
        ("{{x}}", "ftp://api.example.com"),
        ("{{x}}", "//api.example.com"),
        ("{{x}}", "javascript:alert(1)"),
        ("{{x}}", "https://user:pw@evil.example/"),
        ("{{x}}", ""),
        ("cars/{{x}}", "1"),
        ("https://{{x}}", ""),
    ],
)
def test_a_value_that_changes_host_path_or_scheme_is_refused(source: str, value: str) -> None:
    with pytest.raises(TemplateError, match="The endpoint"):
        render(source, x=value)


@pytest.mark.parametrize(
    ("source", "value", "expected"),
    [
        ("https://{{x}}/cars", "api.example.com", "https://api.example.com/cars"),
        ("https://{{x}}/cars", "localhost:8080", "https://localhost:8080/cars"),
        ("https://{{x}}/cars", "[::1]:8080", "https://[::1]:8080/cars"),
        ("https://{{x}}.example.com/cars", "eu", "https://eu.example.com/cars"),
        ("https://api.{{x}}/cars", "example.com", "https://api.example.com/cars"),
        ("https://api.example.com:{{x}}/cars", 8443, "https://api.example.com:8443/cars"),
        ("{{x}}://api.example.com/", "http", "http://api.example.com/"),
        ("{{x}}/cars", "https://api.example.com/v1", "https://api.example.com/v1/cars"),
        ("{{x}}", "https://api.example.com/next?page=2#x", "https://api.example.com/next?page=2#x"),
        ("{{x}}?page=2", "https://api.example.com/list", "https://api.example.com/list?page=2"),
        ("{{x}}", "https://api.example.com/a%20b?after=c%3D", "https://api.example.com/a%20b?after=c%3D"),
        ("{{x}}/cars", "https://api.example.com/a%20b", "https://api.example.com/a%20b/cars"),
    ],
)
def test_an_address_whose_host_is_a_value_says_so(source: str, value: object, expected: str) -> None:
    assert render(source, x=value) == (expected, False)


def test_text_of_the_author_inside_blocks_is_literal() -> None:
    source = "{{#if test}}https://test.example.com{{else}}https://api.example.com{{/if}}/cars/{{id}}"
    assert render(source, test=True, id=1) == ("https://test.example.com/cars/1", True)
    assert render(source, id=1) == ("https://api.example.com/cars/1", True)


def test_white_space_around_an_address_is_left_out() -> None:
    assert render("  https://api.example.com/a \n") == ("https://api.example.com/a", True)


def test_a_value_cannot_forge_the_marks_around_inserted_values() -> None:
    assert render(BASE + "/{{x}}", x="a\x01b\x02c\x03d\x04e")[0] == BASE + "/a%01b%02c%03d%04e"


@pytest.mark.parametrize(
    "source",
    [
        BASE + "/cars/{{x}}/y?z=1",
        BASE + "/cars?x={{x}}",
        BASE + "/{{$encodeURI x}}/y",
        BASE + "{{x}}",
        "https://{{x}}.example.com/cars",
        "https://api.example.com:{{x}}/cars",
    ],
)
@given(value=some.text(some.sampled_from("ab1.:/?#@\\%2e[]／ é\r\x01"), max_size=8) | some.text(max_size=8))
@settings(deadline=None)
def test_no_value_changes_what_the_author_fixed(source: str, value: str) -> None:
    try:
        url, is_literal = render(source, x=value)
    except TemplateError:
        return
    parts = urlsplit(url)
    assert parts.scheme == "https"
    assert parts.username is None
    assert parts.hostname is not None
    assert parts.hostname.endswith(".example.com")
    if source.startswith(BASE + "/"):
        assert is_literal
        assert parts.netloc == "api.example.com"
        assert not {".", ".."} & set(parts.path.lower().replace("%2e", ".").split("/"))
        assert not parts.fragment
        assert parts.query.startswith("z=1" if "?z=1" in source else "x=" if "?x=" in source else "")
    assert url.isprintable()


def test_an_endpoint_tells_the_linter_what_it_needs() -> None:
    endpoint = compile_endpoint("https://api.example.com/{{id}}?q={{$encodeURI q}}{{#if a}}&d={{$date d 'L'}}{{/if}}")
    assert endpoint.unencoded == (("id", 24), ("d", 61))
    assert endpoint.begins_with_host
    assert not compile_endpoint("{{base}}/x").begins_with_host
    assert not compile_endpoint("api.example.com/x").begins_with_host
