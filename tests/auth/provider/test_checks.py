"""The table of checks: each row is a sentence with a source, and each has a case that it refuses."""

from __future__ import annotations

import re

import pytest

from dialoom.auth.provider import CHECKS, Check, Wrong
from tests.auth.provider import (
    test_callback,
    test_id_token,
    test_keys,
    test_metadata,
    test_person,
    test_social,
    test_token_answer,
)


def test_every_row_refuses_something_in_a_test() -> None:
    # Statuses, the age of a login and errors of the redirect have tests of their own.
    refused = {"metadata-status", "keys-status", "callback-error"}
    tables = (
        *(test_metadata.CASES, test_metadata.BODIES, test_keys.CASES, test_callback.CASES, test_token_answer.CASES),
        *(test_id_token.HEADERS, test_id_token.CLAIMS_REFUSED, test_id_token.TEXTS, test_id_token.RENEWED_REFUSED),
        test_social.CASES,
        test_person.USERINFO_REFUSED,
    )
    for table in tables:
        refused |= {code for _, code in table}
    for longer in (test_callback.ISSUERS, test_token_answer.BODIES, test_social.BODIES):
        refused |= {code for _, _, code in longer}
    assert {check.code for check in CHECKS} == refused


def test_no_code_stands_twice() -> None:
    assert len({check.code for check in CHECKS}) == len(CHECKS)


@pytest.mark.parametrize("check", CHECKS)
def test_a_row_is_a_sentence_with_its_source(check: Check) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", check.code)
    assert re.fullmatch(r"[A-Z].*\.", check.sentence)
    assert re.match(r"(OpenID Connect \w+ 1\.0|RFC \d+) [0-9A]|login\.md, ", check.source)


def test_what_is_wrong_is_told_in_sentences() -> None:
    wrong = Wrong("metadata-missing", 'It is "jwks_uri".')
    assert str(wrong) == f'{wrong.check.sentence} It is "jwks_uri".'
    assert str(Wrong("metadata-missing")) == wrong.check.sentence
