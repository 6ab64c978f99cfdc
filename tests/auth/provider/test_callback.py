"""What the browser brings back: what is taken of it, and what is refused before anything is used up."""

from __future__ import annotations

import msgspec
import pytest

from dialoom.auth.provider import CallbackParams, Wrong, check_iss, code_of, read_callback
from dialoom.auth.provider.callback import AUTHORIZATION_ERRORS, CANCELS, MAX_PARAMETER_CHARS
from tests.auth.provider.right import FOUND, ISSUER
from tests.auth.provider.right import code_of as code_of_check

RIGHT = [("code", "SplxlOBeZQQYbYS6WxSbIA"), ("state", "af0ifjsldkj"), ("iss", ISSUER)]


def refusal(params: list[tuple[str, str]]) -> str:
    with pytest.raises(Wrong) as caught:
        read_callback(params)
    return code_of_check(caught)


def test_code_state_and_issuer_are_taken_and_the_rest_is_not_looked_at() -> None:
    further = [("session_state", "x" * 9000), ("scope", "a"), ("scope", "b"), ("error_description", "<script>\0")]
    found = read_callback([*further, *RIGHT])
    assert found == CallbackParams(code="SplxlOBeZQQYbYS6WxSbIA", state="af0ifjsldkj", iss=ISSUER)
    assert code_of(found) == "SplxlOBeZQQYbYS6WxSbIA"


def test_a_parameter_without_a_value_counts_as_missing() -> None:
    assert read_callback([*RIGHT[:2], ("iss", ""), ("error", "")]).iss is None
    assert read_callback([("code", "c"), ("state", "")]).state is None


CASES: list[tuple[list[tuple[str, str]], str]] = [
    ([], "callback-neither"),
    ([("state", "s")], "callback-neither"),
    ([("code", ""), ("state", "s")], "callback-neither"),
    ([("Code", "c"), ("state", "s")], "callback-neither"),
    ([*RIGHT, ("error", "access_denied")], "callback-neither"),
    ([*RIGHT, ("code", "another")], "callback-doubled"),
    ([*RIGHT, ("code", "")], "callback-doubled"),
    ([*RIGHT, ("state", "af0ifjsldkj")], "callback-doubled"),
    ([*RIGHT, ("iss", "https://evil.example")], "callback-doubled"),
    ([("error", "a"), ("error", "b")], "callback-doubled"),
    ([("code", "c"), ("state", "a\0b")], "callback-value"),
    ([("code", "c\r\nd"), ("state", "s")], "callback-value"),
    ([("code", "ä"), ("state", "s")], "callback-value"),
    ([("code", "\ud800"), ("state", "s")], "callback-value"),
    *[([(name, "a" * (most + 1))], "callback-value") for name, most in MAX_PARAMETER_CHARS.items()],
]


@pytest.mark.parametrize(("params", "code"), CASES)
def test_a_redirect_of_another_form_is_refused(params: list[tuple[str, str]], code: str) -> None:
    assert refusal(params) == code


@pytest.mark.parametrize("error", sorted(AUTHORIZATION_ERRORS))
def test_an_error_of_the_standard_is_told_to_the_operator(error: str) -> None:
    found = read_callback([("error", error), ("state", "s")])
    assert found.is_cancelled is (error in CANCELS)
    with pytest.raises(Wrong) as caught:
        code_of(found)
    assert code_of_check(caught) == "callback-error"
    assert str(caught.value).endswith(f' It said "{error}".')


def test_any_other_error_could_be_anything_and_is_told_as_none() -> None:
    found = read_callback([("error", "s3cret"), ("state", "s")])
    assert (found.error, found.is_cancelled) == ("other", False)
    with pytest.raises(Wrong) as caught:
        code_of(found)
    assert str(caught.value) == caught.value.check.sentence


def test_a_user_who_says_no_has_cancelled() -> None:
    assert read_callback([("error", "access_denied"), ("error_reason", "user_denied"), ("state", "s")]).is_cancelled
    assert not read_callback(RIGHT).is_cancelled


@pytest.mark.parametrize(
    "error", ["login_required", "interaction_required", "consent_required", "account_selection_required"]
)
def test_a_provider_that_may_not_ask_was_not_cancelled_by_the_user(error: str) -> None:
    found = read_callback([("error", error), ("state", "s")])
    assert (found.error, found.is_cancelled) == (error, False)


ISSUERS: list[tuple[str | None, bool, str]] = [
    ("https://evil.example", False, "callback-issuer"),
    (ISSUER + "/", True, "callback-issuer"),
    (None, True, "callback-issuer-missing"),
]


@pytest.mark.parametrize(("iss", "is_promised", "code"), ISSUERS)
def test_a_redirect_of_another_issuer_is_refused(iss: str | None, is_promised: bool, code: str) -> None:
    metadata = msgspec.structs.replace(FOUND, requires_iss=is_promised)
    with pytest.raises(Wrong) as caught:
        check_iss(metadata, iss)
    assert code_of_check(caught) == code


@pytest.mark.parametrize(("iss", "is_promised"), [(ISSUER, True), (ISSUER, False), (None, False)])
def test_the_right_issuer_or_none_where_none_was_promised_is_taken(iss: str | None, is_promised: bool) -> None:
    check_iss(msgspec.structs.replace(FOUND, requires_iss=is_promised), iss)


def test_neither_code_nor_state_shows_in_what_is_printed() -> None:
    assert repr(read_callback(RIGHT)) == "CallbackParams(***)"
