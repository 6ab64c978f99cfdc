"""What an answer to a delivery means, and how long the next attempt waits."""

from __future__ import annotations

import pytest

from dialoom.engine.events import NoResponse, Response
from dialoom.service.outbox.delivery import MAX_ATTEMPTS, MAX_PAUSE_SECONDS, judge, named, pause

NOW = 1_790_000_000_000
ADDRESS = "https://user:word@desk.example:8443/in?key=s3cret"


def answer(status: int, retry_after: str | None = None) -> Response:
    return Response(status=status, reason="x", headers={"retry-after": [retry_after]} if retry_after else {}, body=b"")


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_every_success_is_done(status: int) -> None:
    assert judge(ADDRESS, answer(status), NOW).what == "done"


@pytest.mark.parametrize("status", [408, 425, 429, 500, 501, 503, 599])
def test_what_passes_is_tried_again(status: int) -> None:
    assert judge(ADDRESS, answer(status), NOW).what == "again"


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 409, 410, 413, 422, 451])
def test_what_does_not_mend_itself_is_never_delivered(status: int) -> None:
    verdict = judge(ADDRESS, answer(status), NOW)
    assert verdict.what == "never"
    assert "resend" in verdict.reason


@pytest.mark.parametrize("kind", ["timeout", "refused", "name", "tls", "broken"])
def test_no_connection_is_tried_again(kind: str) -> None:
    assert judge(ADDRESS, NoResponse(kind, "Nobody there."), NOW) == ("again", "Nobody there.", 0.0)


@pytest.mark.parametrize("kind", ["egress", "credential", "request"])
def test_a_refusal_of_ours_is_never_delivered(kind: str) -> None:
    assert judge(ADDRESS, NoResponse(kind, "Not that."), NOW).what == "never"


def test_a_reason_names_the_host_alone() -> None:
    assert judge(ADDRESS, answer(404), NOW).reason.startswith("https://desk.example:8443 answered 404 Not Found.")
    assert named("http://[::1]:80/a") == "http://[::1]:80"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7),
        ("999999999999999999", MAX_PAUSE_SECONDS),
        ("Mon, 21 Sep 2026 14:13:50 GMT", 30),
        ("Mon, 21 Sep 2026 14:13:00 GMT", 0),
        ("Mon, 21 Sep 2099 14:13:00 GMT", MAX_PAUSE_SECONDS),
        ("soon", 0),
        ("-5", 0),
        ("1.5", 0),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_bounded(text: str, seconds: float) -> None:
    assert judge(ADDRESS, answer(503, text), NOW).pause == seconds


def test_pauses_double_from_a_second_to_an_hour_and_end_after_about_a_day() -> None:
    pauses = [pause("some-id", attempts) for attempts in range(1, MAX_ATTEMPTS)]
    assert 0.75 <= pauses[0] <= 1
    assert all(0.75 * 3600 <= one <= 3600 for one in pauses[12:])
    assert 18 < sum(pauses) / 3600 < 24
    assert pauses == [pause("some-id", attempts) for attempts in range(1, MAX_ATTEMPTS)]
    assert pauses != [pause("another", attempts) for attempts in range(1, MAX_ATTEMPTS)]
