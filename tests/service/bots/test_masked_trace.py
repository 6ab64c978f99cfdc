"""A trace is masked as records are, before anybody sees it."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.engine import State, Trace
from dialoom.engine.effects import Request
from dialoom.engine.trace import Called, Changed, Entry, Reading, Sent, Understood, Visited
from dialoom.service.bots.masked_trace import MAX_BODY_CHARS, masked_call, masked_trace
from dialoom.service.bots.masking import MASK, Masking


def _masked(*entries: Entry, before: dict[str, Any] | None = None, after: dict[str, Any] | None = None) -> list[Entry]:
    states = State(entities=before or {}), State(entities=after or {})
    return list(masked_trace(Trace(entries), Masking("login"), *states).entries)


def _read(text: str, value: Any, **more: Any) -> Reading:
    return Reading(type="Number", value=value, confidence=1.0, start=0, end=len(text), text=text, **more)


def test_values_under_hidden_names_are_masked_before_and_after() -> None:
    assert _masked(
        Changed(name="pin", before="1234", after="5678"),
        Changed(name="login", before=None, after={"access_token": "opaque-token"}),
        Changed(name="guests", before=2, after=3),
        Changed(name="list", before=None, after=["x" * 100] * 100),
    ) == [
        Changed(name="pin", before=MASK, after=MASK),
        Changed(name="login", before=None, after=MASK),
        Changed(name="guests", before=2, after=3),
        Changed(name="list", before=None, after={"truncated": 10301}),
    ]


def test_the_answer_to_a_hidden_question_is_masked_with_its_readings() -> None:
    lost = _read("12", 12)
    understood = Understood(
        meant="value", text="1234", question="pay/0", entity="pin", taken=(_read("1234", 1234, lost=(lost,)),)
    )
    [masked] = _masked(understood)
    assert isinstance(masked, Understood)
    assert masked.text == MASK
    [one] = masked.taken
    assert (one.value, one.text, one.lost[0].value, one.lost[0].text) == (MASK, MASK, MASK, MASK)


def test_readings_of_a_type_with_a_hidden_name_are_masked_though_nothing_took_them() -> None:
    secret = Reading(type="CardPin", value="9999", confidence=1.0, start=0, end=4, text="9999")
    [masked] = _masked(Understood(meant="nothing", text="9999", unused=(secret, _read("9", 9))))
    assert isinstance(masked, Understood)
    assert [(one.value, one.text) for one in masked.unused] == [(MASK, MASK), (9, "9")]


def test_a_secret_that_comes_beside_another_answer_is_masked_in_the_message() -> None:
    taken = (_read("two", 2, taken_by="pay/0", entity="guests"), _read("4711", 4711, taken_by="pay/1", entity="pin"))
    understood = Understood(meant="value", text="two, the pin is 4711", question="pay/0", entity="guests", taken=taken)
    masked, *_ = _masked(understood, Changed(name="pin", before=None, after=4711), after={"pin": 4711})
    assert isinstance(masked, Understood)
    assert masked.text == "two, the pin is ***"
    assert [one.value for one in masked.taken] == [2, MASK]


def test_a_secret_that_the_turn_forgot_again_is_masked_in_texts_and_addresses() -> None:
    changes = Changed(name="pin", before=None, after="47 11"), Changed(name="pin", before="47 11", after=None)
    url = "https://ada:word@api.test/pay/47%2011/now?n=2&api-key=abc&said=my+47+11"
    _, _, said, called, failed = _masked(
        *changes,
        Sent(text="Your pin is 47 11.", step="pay/1"),
        Called(step="pay/2", method="GET", url=url, status=200),
        Visited(step="pay/2", outcome="failed", reason="No eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc here."),
    )
    assert said == Sent(text="Your pin is ***.", step="pay/1")
    assert isinstance(called, Called)
    assert called.url == "https://api.test/pay/***/now?n=2&api-key=***&said=my%20***"
    assert isinstance(failed, Visited)
    assert failed.reason == "No *** here."


@pytest.mark.parametrize(
    ("body", "form", "shown"),
    [
        (b'{"by": "47 11", "pin": 1, "of": {"token": "x"}, "n": 2}', "", '{"by":"***","pin":"***","of":{"token":"***"},"n":2}'),
        (b"by=47+11&pin=1&n=2", "application/x-www-form-urlencoded; charset=utf-8", "by=***&pin=***&n=2"),
        (b"The pin is 47 11, as eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc says", "text/plain", "The pin is ***, as *** says"),
        (b"[" * 5000, "", "[" * MAX_BODY_CHARS + "…"),
        (b"\xff", "", "\ufffd"),
        (None, "", ""),
    ],
)  # fmt: skip
def test_a_call_is_shown_without_secrets_whatever_its_body_is(body: bytes | None, form: str, shown: str) -> None:
    trace = Trace((Changed(name="pin", before=None, after="47 11"), Changed(name="pin", before="47 11", after=None)))
    request = Request(
        method="POST", url="https://ada:word@api.test/pay?said=47+11", headers=(("content-type", form),), body=body
    )
    url, text = masked_call(request, trace, Masking("login"), State(), State())
    assert (url, text) == ("https://api.test/pay?said=***", shown)
