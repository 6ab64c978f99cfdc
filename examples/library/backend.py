"""The town library's own system: a small REST service that the example bot calls. Standard library only.

    python backend.py [--port 8091] [--data FOLDER]

Branches, events and titles are lists that the bot takes as values of its entity types; ``POST /branches`` and ``POST
/events`` make them longer while all runs. It keeps what it was told in FOLDER/library.json.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import sys
import threading
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo

Row = dict[str, Any]

DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
LOAN_DAYS = 21
DAYS_AHEAD = 28
LONGEST_STAY = 240
"""Minutes of one reservation."""
BODY_LIMIT = 64 * 1024
PLACES = ("branches", "programme", "events", "titles", "cards", "rooms", "reservations", "newsletter")
START = Path(__file__).with_name("library.json")
"""What the library has on its first day."""


class Refusal(Exception):
    """An answer other than 2xx, with a sentence for the caller."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def clock_on_the_wall() -> datetime:
    return datetime.now(ZoneInfo("Europe/London"))


class Library:
    """Branches, events, titles, cards and rooms. ``now`` is the library's own clock."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = clock_on_the_wall) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "library.json"
        self.now = now
        self.lock = threading.RLock()
        self.kept: dict[str, Any] = json.loads((self.file if self.file.exists() else START).read_text("utf-8"))

    def keep(self) -> None:
        """Whole or not at all: a stop in the midst of it leaves the file as it was."""
        beside = self.file.with_suffix(".new")
        beside.write_text(json.dumps(self.kept, ensure_ascii=False, indent=1), "utf-8")
        os.replace(beside, self.file)

    # -- branches and events

    def branches(self) -> list[Row]:
        return [self.shown(branch) for branch in self.kept["branches"]]

    def shown(self, branch: Row) -> Row:
        opening = branch["week"][self.now().weekday()]
        return {
            **{key: branch[key] for key in ("id", "name", "short", "district", "address", "phone")},
            "hours": hours_of(branch["week"]),
            "today": opening or "closed",
            "rooms": len(branch["rooms"]),
        }

    def branch(self, id: str | None) -> Row:
        with self.lock:
            for branch in self.kept["branches"]:
                if branch["id"] == id:
                    return dict(branch)
        raise Refusal(404, f"There is no branch {id!r}. GET /branches lists all.")

    def add_branch(self, wanted: object) -> Row:
        fields = texts(wanted, ("name", "short", "district", "address", "phone"))
        week = wanted.get("week") if isinstance(wanted, dict) else None
        if not isinstance(week, list) or len(week) != 7 or not all(one is None or is_opening(one) for one in week):
            raise Refusal(422, 'A branch has a "week": seven entries from Monday on, each "09:00-18:00" or null.')
        branch = {
            "id": re.sub(r"[^a-z0-9]+", "-", fold(fields["short"])).strip("-"),
            **fields,
            "week": week,
            "rooms": [],
        }
        with self.lock:
            if any(one["id"] == branch["id"] for one in self.kept["branches"]):
                raise Refusal(409, f"There is a branch {branch['id']!r} already.")
            self.kept["branches"].append(branch)
            self.keep()
        return self.shown(branch)

    def remove_branch(self, id: str) -> None:
        self.branch(id)
        with self.lock:
            self.kept["branches"] = [one for one in self.kept["branches"] if one["id"] != id]
            self.keep()

    def programme(self) -> list[Row]:
        """Every event once, whenever it takes place."""
        return [{key: one[key] for key in ("name", "short", "about")} for one in self.kept["events"]]

    def add_event(self, wanted: object) -> Row:
        event: Row = dict(texts(wanted, ("name", "short", "about", "branch", "weekday", "time")))
        self.branch(event["branch"])
        if event["weekday"] not in DAY_NAMES or minutes_of(event["time"]) is None:
            raise Refusal(422, 'An event has a "weekday" such as "Monday" and a "time" such as "18:30".')
        with self.lock:
            if any(one["name"] == event["name"] for one in self.kept["events"]):
                raise Refusal(409, f"There is an event {event['name']!r} already.")
            self.kept["events"].append(event)
            self.keep()
        return event

    def events(self, branch: str | None, name: str | None, days: str | None) -> list[Row]:
        """What takes place in the next days, in order of time; from a given branch or of a given name only."""
        if branch not in (None, "", "all"):
            self.branch(branch)
        ahead = int(days) if days and days.isdigit() else 7
        today, clock = self.now().date(), self.now().strftime("%H:%M")
        found: list[Row] = []
        for day in (today + timedelta(days=number) for number in range(min(ahead, DAYS_AHEAD))):
            for event in self.kept["events"]:
                if (
                    event["weekday"] != DAY_NAMES[day.weekday()]
                    or branch not in (None, "", "all", event["branch"])
                    or name not in (None, "", event["name"])
                    or (day == today and event["time"] < clock)
                ):
                    continue
                found.append(
                    {
                        "name": event["name"],
                        "date": day.isoformat(),
                        "time": event["time"],
                        "branch": self.name_of(event["branch"]),
                        "about": event["about"],
                    }
                )
        return sorted(found, key=lambda one: (one["date"], one["time"], one["name"]))

    def name_of(self, branch: str) -> str:
        return next((str(one["name"]) for one in self.kept["branches"] if one["id"] == branch), branch)

    # -- the catalogue

    def titles(self, query: str | None) -> list[Row]:
        """All titles, or those whose title and author hold most of the words of a query, best first."""
        titles: list[Row] = self.kept["titles"]
        if query is None:
            return [{key: one[key] for key in ("id", "title", "short", "author")} for one in titles]
        words = [word for word in re.findall(r"\w+", fold(query)) if word not in SMALL_WORDS]
        ranked = []
        for one in titles:
            has = set(re.findall(r"\w+", fold(f"{one['title']} {one['short']} {one['author']}")))
            hits = sum(word in has for word in words)
            if hits and hits * 2 >= len(words):
                ranked.append((-hits, len(has), one))
        ranked.sort(key=lambda entry: entry[:2])
        return [{"id": one["id"], "title": one["title"], "author": one["author"]} for _, _, one in ranked[:10]]

    def title(self, id: str) -> Row:
        """A title with its copies: where one stands on the shelf, and when the first that is out comes back."""
        one = next((one for one in self.kept["titles"] if one["id"] == id), None)
        if one is None:
            raise Refusal(404, f"There is no title {id!r}. GET /titles lists all.")
        today = self.now().date()
        back = [(today + timedelta(days=days)).isoformat() for days in one["out"]]
        shelf = [{"branch": self.name_of(branch), "copies": copies} for branch, copies in one["shelf"].items()]
        return {
            **{key: one[key] for key in ("id", "title", "author")},
            "shelf": shelf,
            "back": min(back, default=None),
            "waiting": one["waiting"],
            "ebook": one["ebook"],
        }

    # -- cards and loans

    def card(self, number: str) -> Row:
        card = self.kept["cards"].get(number.upper())
        if card is None:
            raise Refusal(404, f"There is no library card {number}.")
        today = self.now().date()
        return {
            "number": number.upper(),
            "loans": [
                {
                    "title": one["title"],
                    "due": one.get("until") or (today + timedelta(days=one["days"])).isoformat(),
                    "wanted": one["wanted"],
                }
                for one in card["loans"]
            ],
        }

    def renew(self, number: str, wanted: object) -> Row:
        """From today on, so that the same call twice changes nothing more. A title that somebody waits for stays."""
        titles = wanted.get("titles") if isinstance(wanted, dict) else None
        if titles is not None and not (isinstance(titles, list) and all(isinstance(one, str) for one in titles)):
            raise Refusal(422, 'Give the "titles" as a list of texts; without it all are renewed.')
        self.card(number)
        until = (self.now().date() + timedelta(days=LOAN_DAYS)).isoformat()
        renewed, refused = [], []
        with self.lock:
            for loan in self.kept["cards"][number.upper()]["loans"]:
                if titles and loan["title"] not in titles:
                    continue
                if loan["wanted"]:
                    refused.append(loan["title"])
                else:
                    loan["until"] = until
                    renewed.append(loan["title"])
            self.keep()
        return {"renewed": renewed, "refused": refused, "due": until}

    # -- study rooms

    def rooms(self, wanted: object) -> Row:
        """What is free for such a reservation; without a room, why, and the nearest times that are."""
        branch, day, start, minutes, people = self.read_stay(wanted)
        opening = branch["week"][day.weekday()]
        answer: Row = {"rooms": [], "reason": None, "others": [], "length": spelled(minutes), "minutes": minutes}
        if not branch["rooms"]:
            return {**answer, "reason": "no-rooms"}
        if people > max(room["seats"] for room in branch["rooms"]):
            return {**answer, "reason": "too-many", "seats": max(room["seats"] for room in branch["rooms"])}
        if not 1 <= minutes <= LONGEST_STAY:
            return {**answer, "reason": "too-long"}
        today = self.now().date()
        if not today <= day <= today + timedelta(days=DAYS_AHEAD):
            return {**answer, "reason": "day"}
        if opening is None:
            return {**answer, "reason": "closed"}
        opens, closes = bounds(opening)
        if day == today:
            opens = max(opens, minutes_of(self.now().strftime("%H:%M")) or 0)
        free = self.free(branch, day, start, minutes, people) if opens <= start and start + minutes <= closes else []
        answer["rooms"] = [{"name": room["name"], "seats": room["seats"]} for room in free]
        if not free:
            half_hours = range(-(-opens // 30) * 30, closes - minutes + 1, 30)
            times = [time for time in half_hours if self.free(branch, day, time, minutes, people)]
            nearest = sorted(sorted(times, key=lambda time: abs(time - start))[:5])
            answer |= {"reason": "taken" if times else "full", "others": [clock_of(time) for time in nearest]}
        return answer

    def free(self, branch: Row, day: date, start: int, minutes: int, people: int) -> list[Row]:
        taken = {
            one["room"]
            for one in self.kept["reservations"]
            if one["branch"] == branch["id"]
            and one["date"] == day.isoformat()
            and one["start"] < start + minutes
            and start < one["start"] + one["minutes"]
        }
        rooms = [room for room in branch["rooms"] if room["seats"] >= people and room["name"] not in taken]
        return sorted(rooms, key=lambda room: (room["seats"], room["name"]))

    def read_stay(self, wanted: object) -> tuple[Row, date, int, int, int]:
        fields = texts(wanted, ("branch", "date", "time", "length"))
        people = wanted.get("people") if isinstance(wanted, dict) else None
        start, minutes = minutes_of(fields["time"]), length_of(fields["length"])
        if start is None or minutes is None or not isinstance(people, int):
            raise Refusal(422, 'A stay has a "time" (14:30), a "length" (PT90M) and a number of "people".')
        return self.branch(fields["branch"]), read_day(fields["date"]), start, minutes, people

    def reserve(self, wanted: object, key: str | None) -> Row:
        """Under a key that was used before: the same reservation again."""
        with self.lock:
            known = next((one for one in self.kept["reservations"] if key is not None and one["key"] == key), None)
            if known is not None:
                return self.reserved(known)
            branch, day, start, minutes, _ = self.read_stay(wanted)
            offer = self.rooms(wanted)
            if not offer["rooms"]:
                raise Refusal(409, f"No room is free at {clock_of(start)} on {day.isoformat()}.")
            made = {
                "number": f"R-{1001 + len(self.kept['reservations'])}",
                "key": key,
                "branch": branch["id"],
                "room": offer["rooms"][0]["name"],
                "date": day.isoformat(),
                "start": start,
                "minutes": minutes,
            }
            self.kept["reservations"].append(made)
            self.keep()
            return self.reserved(made)

    def reserved(self, one: Row) -> Row:
        return {
            "number": one["number"],
            "room": one["room"],
            "branch": self.name_of(one["branch"]),
            "date": one["date"],
            "from": clock_of(one["start"]),
            "to": clock_of(one["start"] + one["minutes"]),
        }

    def reservations(self) -> list[Row]:
        return [self.reserved(one) for one in self.kept["reservations"]]

    # -- the newsletter

    def subscribe(self, wanted: object) -> Row:
        """The same address again changes the topics."""
        email = texts(wanted, ("email",))["email"]
        topics = wanted.get("topics") if isinstance(wanted, dict) else None
        if "@" not in email or not isinstance(topics, list) or not all(isinstance(one, str) for one in topics):
            raise Refusal(422, 'A subscription has an "email" and a list of "topics".')
        with self.lock:
            is_new = email.casefold() not in self.kept["subscribers"]
            self.kept["subscribers"][email.casefold()] = topics
            self.keep()
        return {"email": email, "topics": topics, "isNew": is_new}


# ---- how things are spelled --------------------------------------------------------------------------------------

_SMALL = (
    "a an the of and or is in on by do does you have got has can i get any there it this that book novel copy called "
    "available please want looking for me some from with your"
)
SMALL_WORDS = frozenset(_SMALL.split())
"""Words of a question that say nothing about a title."""


def fold(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return (
        "".join(one for one in apart if not unicodedata.combining(one))
        .replace("'", "")
        .replace("\N{RIGHT SINGLE QUOTATION MARK}", "")
    )


def is_opening(one: object) -> bool:
    return isinstance(one, str) and re.fullmatch(r"[0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9]", one) is not None


def bounds(opening: str) -> tuple[int, int]:
    opens, _, closes = opening.partition("-")
    return minutes_of(opens) or 0, minutes_of(closes) or 0


def minutes_of(clock: str) -> int | None:
    found = re.fullmatch(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", clock)
    return None if found is None else int(found[1]) * 60 + int(found[2])


def clock_of(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def length_of(duration: str) -> int | None:
    """Minutes of an ISO 8601 duration of hours and minutes."""
    found = re.fullmatch(r"PT(?:([0-9]{1,3})H)?(?:([0-9]{1,4})M)?", duration)
    return None if found is None else int(found[1] or 0) * 60 + int(found[2] or 0)


def spelled(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    parts = [f"{number} {unit}{'s' * (number != 1)}" for number, unit in ((hours, "hour"), (rest, "minute")) if number]
    return " and ".join(parts) or "0 minutes"


def hours_of(week: list[str | None]) -> str:
    """``Monday to Friday 09:00-20:00, Saturday 10:00-17:00``: days with the same hours stand together."""
    parts: list[tuple[int, int, str]] = []
    for day, opening in enumerate(week):
        if opening is None:
            continue
        if parts and parts[-1][1] == day - 1 and parts[-1][2] == opening:
            parts[-1] = (parts[-1][0], day, opening)
        else:
            parts.append((day, day, opening))
    return ", ".join(f"{days_of(first, last)} {opening}" for first, last, opening in parts)


def days_of(first: int, last: int) -> str:
    if first == last:
        return DAY_NAMES[first]
    return f"{DAY_NAMES[first]} {'and' if last == first + 1 else 'to'} {DAY_NAMES[last]}"


def read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refusal(422, f"{text!r} is no day. Write it as 2027-03-04.") from None


def texts(wanted: object, names: tuple[str, ...]) -> dict[str, str]:
    """These fields of a body; each a text that is not empty."""
    if not isinstance(wanted, dict) or not all(isinstance(wanted.get(name), str) and wanted[name] for name in names):
        raise Refusal(422, f"Give an object with the texts {', '.join(names)}.")
    return {name: wanted[name] for name in names}


# ---- HTTP --------------------------------------------------------------------------------------------------------


class Desk(BaseHTTPRequestHandler):
    """The library's REST interface."""

    house: Library

    def answer(self) -> tuple[int, object]:
        address = urlsplit(self.path)
        parts = [unquote(part) for part in address.path.strip("/").split("/")]
        match self.command:
            case "GET":
                found = self.tell(parts, dict(parse_qsl(address.query)))
            case "POST":
                found = self.take(parts)
            case "DELETE" if parts[0] == "branches" and len(parts) == 2:
                self.house.remove_branch(parts[1])
                found = 204, None
            case _:
                found = None
        if found is not None:
            return found
        if parts[0] in PLACES:
            raise Refusal(405, f"{self.command} {address.path} is not allowed.")
        raise Refusal(404, f"There is nothing at {address.path}.")

    def tell(self, parts: list[str], query: dict[str, str]) -> tuple[int, object] | None:
        library = self.house
        match parts:
            case ["branches"]:
                return 200, {"branches": library.branches()}
            case ["programme"]:
                return 200, {"events": library.programme()}
            case ["events"]:
                return 200, library.events(query.get("branch"), query.get("name"), query.get("days"))
            case ["titles"]:
                return 200, {"titles": library.titles(query.get("q"))}
            case ["titles", id]:
                return 200, library.title(id)
            case ["cards", number]:
                return 200, library.card(number)
            case ["reservations"]:
                return 200, library.reservations()
        return None

    def take(self, parts: list[str]) -> tuple[int, object] | None:
        library = self.house
        match parts:
            case ["branches"]:
                return 201, library.add_branch(self.read_json())
            case ["events"]:
                return 201, library.add_event(self.read_json())
            case ["cards", number, "renewals"]:
                return 200, library.renew(number, self.read_json())
            case ["rooms", "search"]:
                return 200, library.rooms(self.read_json())
            case ["reservations"]:
                return 201, library.reserve(self.read_json(), self.headers.get("Idempotency-Key"))
            case ["newsletter"]:
                return 200, library.subscribe(self.read_json())
        return None

    def read_json(self) -> object:
        length = self.headers.get("Content-Length", "0")
        if not length.isdigit() or int(length) > BODY_LIMIT:
            raise Refusal(413, f"A body has at most {BODY_LIMIT} bytes.")
        try:
            return json.loads(self.rfile.read(int(length)))
        except ValueError:
            raise Refusal(400, "The body is no JSON.") from None

    def reply(self) -> None:
        try:
            status, content = self.answer()
        except Refusal as refusal:
            status, content = refusal.status, {"error": str(refusal)}
        body = b"" if status == 204 else json.dumps(content, ensure_ascii=False).encode()
        # A caller who went away meanwhile: what was reserved stays reserved.
        with suppress(BrokenPipeError, ConnectionResetError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = reply  # noqa: N815 - the names that http.server looks for

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the addresses hold what readers asked for."""


class Server(ThreadingHTTPServer):
    daemon_threads = False  # a stop waits for what is under way
    request_queue_size = 128

    def __init__(self, library: Library, port: int) -> None:
        super().__init__(("127.0.0.1", port), type("DeskOfLibrary", (Desk,), {"house": library}))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="The town library's system, for the example bot.")
    parser.add_argument("--port", type=int, default=8091, help="port on 127.0.0.1; 0 takes a free one (default: 8091)")
    parser.add_argument("--data", type=Path, default=Path("data/library"), help="folder of what it was told")
    options = parser.parse_args(arguments)
    library = Library(options.data)
    try:
        server = Server(library, options.port)
    except OSError as error:
        print(f"Port {options.port} cannot be used ({error.strerror}). Choose another with --port.", file=sys.stderr)
        return 1

    def stop(*_: object) -> None:
        # In a thread of its own: shutdown() waits for the loop that this handler interrupts.
        threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    print(f"The library keeps what it is told in {library.file}.\nIts system is at {server.url}", flush=True)
    with server:
        server.serve_forever(poll_interval=0.1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
