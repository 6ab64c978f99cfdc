"""The clinic's booking system, over real HTTP."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.examples.back_ends import EXAMPLES, Desk, load, serving
from tests.live import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = EXAMPLES / "clinic" / "backend.py"
NOW = datetime(2027, 3, 1, 9, 15, tzinfo=UTC)
BOOKING = {"doctor": "weber", "date": "2027-03-04", "time": "10:00", "name": "Ada", "phone": "+49 30 1234567"}


backend = load("clinic")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with serving(backend.Server(backend.Clinic(tmp_path, now=lambda: NOW), 0)) as desk:
        yield desk


def test_one_specialty_has_more_doctors_than_a_page_of_replies(desk: Desk) -> None:
    status, doctors = desk.ask("GET", "/doctors?specialty=General%20practice")
    assert status == 200
    assert len(doctors) > 5
    assert {doctor["specialty"] for doctor in doctors} == {"General practice"}


def test_every_specialty_has_a_price_and_a_doctor(desk: Desk) -> None:
    for specialty in desk.ask("GET", "/specialties")[1]:
        assert specialty["price"] > 0
        assert desk.ask("GET", "/doctors?specialty=" + specialty["name"].replace(" ", "+"))[1]


def test_a_weekday_has_more_free_times_than_a_page_of_replies(desk: Desk) -> None:
    assert len(desk.ask("GET", "/slots?doctor=weber&date=2027-03-04")[1]) > 5


@pytest.mark.parametrize("day", ["2027-02-28", "2027-03-07", "2028-03-04"])
def test_nothing_is_free_in_the_past_on_sundays_and_far_ahead(desk: Desk, day: str) -> None:
    assert desk.ask("GET", f"/slots?doctor=weber&date={day}") == (200, [])


def test_of_today_only_what_is_still_to_come_is_free(desk: Desk) -> None:
    assert desk.ask("GET", "/slots?doctor=weber&date=2027-03-01")[1][0] == "09:30"


def test_the_next_days_are_days_with_free_times(desk: Desk) -> None:
    days = desk.ask("GET", "/days?doctor=weber")[1]
    assert days[0] == "2027-03-02"
    assert (len(days), "2027-03-07" in days) == (10, False)


def test_a_booked_time_is_free_no_more_until_it_is_cancelled(desk: Desk) -> None:
    status, made = desk.ask("POST", "/appointments", BOOKING, "k1")
    assert (status, made["number"], made["doctor"], made["status"]) == (201, "C-1001", "Dr. Anna Weber", "booked")
    assert "10:00" not in desk.ask("GET", "/slots?doctor=weber&date=2027-03-04")[1]
    assert desk.ask("POST", "/appointments", BOOKING, "k2")[0] == 409
    assert desk.ask("DELETE", "/appointments/c-1001") == (204, None)
    assert "10:00" in desk.ask("GET", "/slots?doctor=weber&date=2027-03-04")[1]
    assert desk.ask("DELETE", "/appointments/C-1001")[0] == 410


def test_the_same_key_gives_the_same_appointment_and_every_call_is_counted(desk: Desk) -> None:
    first = desk.ask("POST", "/appointments", BOOKING, "k1")
    assert desk.ask("POST", "/appointments", BOOKING, "k1") == first
    (kept,) = desk.ask("GET", "/appointments")[1]
    assert (kept["number"], kept["key"], kept["calls"]) == ("C-1001", "k1", 2)


def test_the_same_key_at_the_same_moment_books_once(desk: Desk) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: desk.ask("POST", "/appointments", BOOKING, "k1"), range(8)))
    assert {status for status, _ in answers} == {201}
    (kept,) = desk.ask("GET", "/appointments")[1]
    assert kept["calls"] == 8


def test_one_slot_wanted_by_many_goes_to_one(desk: Desk) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: desk.ask("POST", "/appointments", BOOKING, f"k{n}")[0], range(8)))
    assert sorted(answers) == [201] + [409] * 7


def test_another_booking_under_a_used_key_is_refused(desk: Desk) -> None:
    desk.ask("POST", "/appointments", BOOKING, "k1")
    assert desk.ask("POST", "/appointments", BOOKING | {"time": "11:00"}, "k1")[0] == 422


@pytest.mark.parametrize("body", [[], {}, BOOKING | {"name": ""}, BOOKING | {"phone": 5}, None, "text"])
def test_a_booking_with_something_missing_is_refused(desk: Desk, body: Any) -> None:
    status, answer = desk.ask("POST", "/appointments", body if body is not None else b"{")
    assert status in {400, 422}
    assert answer["error"]
    assert desk.ask("GET", "/appointments")[1] == []


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("PUT", "/appointments", 405),
        ("GET", "/appointments/C-9999", 404),
        ("GET", "/appointments/x", 404),
        ("DELETE", "/appointments/C-1", 404),
        ("GET", "/slots?doctor=nobody&date=2027-03-04", 404),
        ("GET", "/slots?doctor=weber&date=tomorrow", 400),
        ("GET", "/slots", 404),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(desk: Desk, method: str, path: str, status: int) -> None:
    got, answer = desk.ask(method, path)
    assert got == status
    assert answer["error"].endswith(".")


def test_it_prints_its_address_keeps_its_appointments_and_finishes_what_is_under_way(tmp_path: Path) -> None:
    command = [sys.executable, str(FILE), "--port", "0", "--data", str(tmp_path), "--delay", "0.3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        desk = Desk(process.stdout.readline().split()[-1])
        day = desk.ask("GET", "/days?doctor=weber")[1][0]
        with ThreadPoolExecutor(1) as pool:
            booking = pool.submit(desk.ask, "POST", "/appointments", BOOKING | {"date": day}, "k1")
            wait_for_call(tmp_path)
            process.send_signal(signal.SIGTERM)
            assert booking.result()[0] == 201
        assert process.wait(timeout=60) == 0
    assert [kept["key"] for kept in backend.Clinic(tmp_path).appointments()] == ["k1"]


def wait_for_call(folder: Path) -> None:
    """Until the booking system has counted a call: it then is in the midst of it."""
    clinic = backend.Clinic(folder)

    def is_counted() -> bool:
        with backend.closing(clinic.open()) as database:
            return bool(database.execute("select count(*) from calls").fetchone()[0])

    wait_until(is_counted)


def test_a_port_in_use_is_said_and_ends_with_1(desk: Desk, tmp_path: Path) -> None:
    port = desk.url.rpartition(":")[2]
    done = subprocess.run(
        [sys.executable, str(FILE), "--port", port, "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "--port" in done.stderr
