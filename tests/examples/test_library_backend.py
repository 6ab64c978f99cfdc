"""The library's own system, over real HTTP."""

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

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = EXAMPLES / "library" / "backend.py"
NOW = datetime(2027, 3, 1, 9, 0, tzinfo=UTC)
"""A Monday."""
STAY = {"branch": "central", "date": "2027-03-03", "time": "14:00", "length": "PT2H", "people": 4}
BRANCH = {
    "name": "Orchard Park Library",
    "short": "Orchard Park",
    "district": "Southgate",
    "address": "2 Orchard Way",
    "phone": "01632 960160",
    "week": ["10:00-16:00", "10:00-16:00", None, None, None, None, None],
}
EVENT = {
    "name": "Seed Swap",
    "short": "seeds",
    "about": "Bring seeds, take seeds.",
    "branch": "central",
    "weekday": "Friday",
    "time": "11:00",
}


backend = load("library")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with serving(backend.Server(backend.Library(tmp_path, now=lambda: NOW), 0)) as desk:
        yield desk


def test_a_branch_tells_its_hours_in_words(desk: Desk) -> None:
    branches = {one["id"]: one for one in desk.ask("GET", "/branches")[1]["branches"]}
    assert branches["harbour"]["hours"] == (
        "Tuesday and Wednesday 10:00-18:00, Thursday 10:00-20:00, Friday 10:00-18:00, Saturday 10:00-16:00"
    )
    assert (branches["central"]["today"], branches["harbour"]["today"]) == ("09:00-20:00", "closed")


def test_there_are_more_branches_than_a_page_of_replies(desk: Desk) -> None:
    assert len(desk.ask("GET", "/branches")[1]["branches"]) > 5


def test_a_new_branch_and_a_new_event_are_in_the_lists_and_stay(desk: Desk, tmp_path: Path) -> None:
    assert desk.ask("POST", "/branches", BRANCH)[0] == 201
    assert desk.ask("POST", "/events", EVENT | {"branch": "orchard-park"})[0] == 201
    assert desk.ask("GET", "/branches")[1]["branches"][-1]["hours"] == "Monday and Tuesday 10:00-16:00"
    assert desk.ask("GET", "/programme")[1]["events"][-1]["name"] == "Seed Swap"
    assert backend.Library(tmp_path).branches()[-1]["id"] == "orchard-park"


def test_a_branch_can_be_closed_down(desk: Desk) -> None:
    desk.ask("POST", "/branches", BRANCH)
    assert desk.ask("DELETE", "/branches/orchard-park") == (204, None)
    assert desk.ask("DELETE", "/branches/orchard-park")[0] == 404


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/branches", BRANCH | {"short": "Central"}, 409),
        ("/branches", BRANCH | {"week": ["always"] * 7}, 422),
        ("/branches", BRANCH | {"week": []}, 422),
        ("/branches", [], 422),
        ("/events", EVENT | {"branch": "moon"}, 404),
        ("/events", EVENT | {"weekday": "Someday"}, 422),
        ("/events", EVENT | {"name": "Chess Club"}, 409),
        ("/newsletter", {"email": "ada"}, 422),
        ("/newsletter", b"{", 400),
        ("/reservations", STAY | {"people": "4"}, 422),
        ("/reservations", STAY | {"date": "tomorrow"}, 422),
        ("/reservations", STAY | {"length": "long"}, 422),
        ("/cards/L1234567/renewals", {"titles": "all"}, 422),
    ],
)
def test_what_cannot_be_taken_is_refused_in_a_sentence(desk: Desk, path: str, body: Any, status: int) -> None:
    got, answer = desk.ask("POST", path, body)
    assert got == status
    assert answer["error"].endswith(".")


def test_events_come_in_order_and_of_a_branch_alone(desk: Desk) -> None:
    found = desk.ask("GET", "/events?branch=central&days=7")[1]
    assert [(one["date"], one["name"]) for one in found] == [
        ("2027-03-03", "Story Time"),
        ("2027-03-04", "Chess Club"),
        ("2027-03-05", "Conversation Cafe"),
        ("2027-03-06", "Code Club"),
    ]
    assert len(desk.ask("GET", "/events?branch=all&days=7")[1]) == 11
    assert len(desk.ask("GET", "/events?name=Chess%20Club&days=14")[1]) == 2


def test_an_event_of_today_that_is_over_is_not_told(tmp_path: Path) -> None:
    late = backend.Library(tmp_path, now=lambda: datetime(2027, 3, 4, 19, 0, tzinfo=UTC))
    assert [one["name"] for one in late.events("central", None, "1")] == []


@pytest.mark.parametrize(
    ("words", "first"),
    [("austen emma", "Emma"), ("do you have the hobbit", "The Hobbit"), ("garcia marquez", "One Hundred Years of Solitude"),
     ("1984", "Nineteen Eighty-Four"), ("MOBY DICK", "Moby-Dick")],
)  # fmt: skip
def test_a_title_is_found_by_words_of_title_and_author(desk: Desk, words: str, first: str) -> None:
    assert desk.ask("GET", "/titles?q=" + words.replace(" ", "+"))[1]["titles"][0]["title"] == first


def test_a_title_is_not_found_by_small_words_or_by_one_word_of_many(desk: Desk) -> None:
    assert desk.ask("GET", "/titles?q=do+you+have+the")[1]["titles"] == []
    assert desk.ask("GET", "/titles?q=a+white+coffee+machine+king")[1]["titles"] == []


def test_every_title_is_on_a_shelf_or_comes_back(desk: Desk) -> None:
    for one in desk.ask("GET", "/titles")[1]["titles"]:
        title = desk.ask("GET", f"/titles/{one['id']}")[1]
        assert title["shelf"] or title["back"] > "2027-03-01"


def test_loans_are_renewed_but_for_those_that_somebody_waits_for(desk: Desk) -> None:
    renewal = desk.ask("POST", "/cards/L2345678/renewals", {})[1]
    assert renewal == {"renewed": ["Matilda"], "refused": ["Nineteen Eighty-Four"], "due": "2027-03-22"}
    assert desk.ask("POST", "/cards/L2345678/renewals", {"titles": None})[1] == renewal
    assert [one["due"] for one in desk.ask("GET", "/cards/l2345678")[1]["loans"]] == ["2027-03-04", "2027-03-22"]
    assert desk.ask("POST", "/cards/L1234567/renewals", {"titles": ["Emma"]})[1]["renewed"] == ["Emma"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"branch": "westfield"}, "no-rooms"),
        ({"people": 40}, "too-many"),
        ({"length": "PT5H"}, "too-long"),
        ({"date": "2027-02-28"}, "day"),
        ({"date": "2027-06-01"}, "day"),
        ({"branch": "harbour", "date": "2027-03-07"}, "closed"),
        ({"time": "19:00"}, "taken"),
    ],
)
def test_a_stay_that_is_not_possible_is_told_with_its_reason(desk: Desk, change: Any, reason: str | None) -> None:
    offer = desk.ask("POST", "/rooms/search", STAY | change)[1]
    assert offer["reason"] == reason
    assert bool(offer["rooms"]) == (reason is None)
    assert bool(offer["others"]) == (reason == "taken")


def test_the_smallest_room_that_fits_is_given_and_the_same_key_reserves_once(desk: Desk) -> None:
    first = desk.ask("POST", "/reservations", STAY, "k1")
    assert first == (
        201,
        {
            "number": "R-1001",
            "room": "Room 1",
            "branch": "Central Library",
            "date": "2027-03-03",
            "from": "14:00",
            "to": "16:00",
        },
    )
    assert desk.ask("POST", "/reservations", STAY, "k1") == first
    assert len(desk.ask("GET", "/reservations")[1]) == 1


def test_rooms_wanted_by_many_go_to_as_many_as_there_are(desk: Desk) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: desk.ask("POST", "/reservations", STAY, f"k{n}")[0], range(8)))
    assert sorted(answers) == [201] * 4 + [409] * 4


def test_a_second_subscription_changes_the_topics(desk: Desk) -> None:
    wanted = {"email": "ada@example.org", "topics": ["Events"]}
    assert desk.ask("POST", "/newsletter", wanted)[1]["isNew"]
    assert not desk.ask("POST", "/newsletter", wanted | {"topics": ["Children"]})[1]["isNew"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("PUT", "/branches", 405),
        ("GET", "/cards/L9999999", 404),
        ("GET", "/titles/nothing", 404),
        ("GET", "/events?branch=moon", 404),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(desk: Desk, method: str, path: str, status: int) -> None:
    got, answer = desk.ask(method, path)
    assert got == status
    assert answer["error"].endswith(".")


def test_it_prints_its_address_and_ends_when_told(tmp_path: Path) -> None:
    command = [sys.executable, str(FILE), "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert Desk(process.stdout.readline().split()[-1]).ask("GET", "/branches")[0] == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0


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
