"""The clinic's own booking system: a small REST service that the example bot calls. Standard library only.

    python backend.py [--port 8089] [--data FOLDER] [--delay SECONDS]

It keeps its appointments in FOLDER/appointments.db. A booking is asked for with an ``Idempotency-Key``: the same key
gives the same appointment, however often it is sent. ``GET /appointments`` shows how many calls came for each.
"""

from __future__ import annotations

import argparse
import json
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo

SPECIALTIES = {
    "Cardiology": {"price": 120, "minutes": 30},
    "Dermatology": {"price": 85, "minutes": 20},
    "Eye care": {"price": 70, "minutes": 20},
    "General practice": {"price": 45, "minutes": 15},
    "Orthopaedics": {"price": 95, "minutes": 30},
}

DOCTORS = {
    "brandt": ("Dr. Lena Brandt", "Cardiology", "English, German"),
    "okafor": ("Dr. Chidi Okafor", "Cardiology", "English, French"),
    "weber": ("Dr. Anna Weber", "Dermatology", "English, German"),
    "haddad": ("Dr. Sami Haddad", "Dermatology", "Arabic, English"),
    "novak": ("Dr. Ivana Novak", "Eye care", "Croatian, English"),
    "lind": ("Dr. Erik Lind", "Eye care", "English, Finnish"),
    "petrova": ("Dr. Mila Petrova", "Eye care", "Bulgarian, English"),
    "adler": ("Dr. Jonas Adler", "General practice", "English, German"),
    "pereira": ("Dr. Marta Pereira", "General practice", "English, Portuguese"),
    "demir": ("Dr. Elif Demir", "General practice", "English, Turkish"),
    "fontaine": ("Dr. Paul Fontaine", "General practice", "English, French"),
    "ivanova": ("Dr. Vera Ivanova", "General practice", "Bulgarian, English"),
    "meyer": ("Dr. Tom Meyer", "General practice", "English, German"),
    "rossi": ("Dr. Giulia Rossi", "General practice", "English, Italian"),
    "vries": ("Dr. Bram de Vries", "Orthopaedics", "Dutch, English"),
    "wang": ("Dr. Mei Wang", "Orthopaedics", "Chinese, English"),
}

MORNING = ["09:00", "09:30", "10:00", "10:30", "11:00", "11:30"]
AFTERNOON = ["13:00", "13:30", "14:00", "14:30", "15:00", "15:30", "16:00"]
SATURDAY = 5
DAYS_AHEAD = 180
BODY_LIMIT = 64 * 1024
FIELDS = ("doctor", "date", "time", "name", "phone")

TABLE = """
create table if not exists appointments (
    number integer primary key autoincrement,
    key text unique,
    request text not null,
    doctor text not null, date text not null, time text not null, name text not null, phone text not null,
    is_cancelled integer not null default 0
);
create unique index if not exists one_patient_a_slot on appointments (doctor, date, time) where is_cancelled = 0;
create table if not exists calls (key text primary key, count integer not null);
"""


class Refusal(Exception):
    """An answer other than 2xx, with a sentence for the caller."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def clock_on_the_wall() -> datetime:
    return datetime.now(ZoneInfo("Europe/Berlin"))


class Clinic:
    """Doctors, free times and appointments. ``now`` is the clinic's own clock."""

    def __init__(self, folder: Path, delay: float = 0, now: Callable[[], datetime] = clock_on_the_wall) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "appointments.db"
        self.delay = delay
        self.now = now
        with closing(self.open()) as database:
            database.executescript(TABLE)

    def open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.file, timeout=10, isolation_level=None)
        database.row_factory = sqlite3.Row
        return database

    def specialties(self) -> list[dict[str, object]]:
        return [{"name": name, **facts} for name, facts in SPECIALTIES.items()]

    def doctors(self, specialty: str | None) -> list[dict[str, str]]:
        return [
            {"id": id, "name": name, "specialty": field, "speaks": speaks}
            for id, (name, field, speaks) in DOCTORS.items()
            if specialty is None or field.casefold() == specialty.casefold()
        ]

    def days(self, doctor: str | None) -> list[str]:
        """The next ten days with a free time, from tomorrow on."""
        today, days = self.now().date(), []
        for ahead in range(1, DAYS_AHEAD):
            day = today + timedelta(days=ahead)
            if self.slots(doctor, day.isoformat()):
                days.append(day.isoformat())
                if len(days) == 10:
                    break
        return days

    def slots(self, doctor: str | None, day: str | None) -> list[str]:
        if doctor not in DOCTORS:
            raise Refusal(404, f"There is no doctor {doctor!r}. GET /doctors lists all.")
        when = read_day(day)
        now = self.now()
        if not now.date() <= when <= now.date() + timedelta(days=DAYS_AHEAD) or when.weekday() > SATURDAY:
            return []
        times = MORNING if when.weekday() == SATURDAY else MORNING + AFTERNOON
        if when == now.date():
            times = [time for time in times if time > now.strftime("%H:%M")]
        with closing(self.open()) as database:
            taken = {
                row["time"]
                for row in database.execute(
                    "select time from appointments where doctor = ? and date = ? and is_cancelled = 0", (doctor, day)
                )
            }
        return [time for time in times if time not in taken]

    def book(self, wanted: object, key: str | None) -> dict[str, object]:
        request = json.dumps(wanted, sort_keys=True)
        self.count(key)
        if self.delay:
            time.sleep(self.delay)
        if not isinstance(wanted, dict) or not all(isinstance(wanted.get(f), str) and wanted[f] for f in FIELDS):
            raise Refusal(422, f"A booking is an object with the texts {', '.join(FIELDS)}.")
        known = self.booked_under(key, request)
        if known is not None:
            return known
        if wanted["time"] not in self.slots(wanted["doctor"], wanted["date"]):
            # The same key may have booked it a moment ago, in a call that was given up and sent again.
            known = self.booked_under(key, request)
            if known is not None:
                return known
            raise Refusal(409, f"{wanted['time']} on {wanted['date']} is not free.")
        with closing(self.open()) as database:
            try:
                number = database.execute(
                    "insert into appointments (key, request, doctor, date, time, name, phone) values (?,?,?,?,?,?,?)",
                    (key, request, *(wanted[field] for field in FIELDS)),
                ).lastrowid
            except sqlite3.IntegrityError:
                known = self.booked_under(key, request)
                if known is not None:
                    return known
                raise Refusal(409, f"{wanted['time']} on {wanted['date']} is not free.") from None
        return self.appointment(f"C-{1000 + (number or 0)}")

    def booked_under(self, key: str | None, request: str) -> dict[str, object] | None:
        if key is None:
            return None
        with closing(self.open()) as database:
            row = database.execute("select * from appointments where key = ?", (key,)).fetchone()
        if row is None:
            return None
        if row["request"] != request:
            raise Refusal(422, "This Idempotency-Key was used for another booking.")
        return shown(row)

    def count(self, key: str | None) -> None:
        if key is None:
            return
        with closing(self.open()) as database:
            database.execute(
                "insert into calls (key, count) values (?, 1) on conflict (key) do update set count = count + 1", (key,)
            )

    def appointments(self) -> list[dict[str, object]]:
        with closing(self.open()) as database:
            rows = database.execute(
                "select appointments.*, coalesce(calls.count, 1) as calls"
                " from appointments left join calls on calls.key = appointments.key order by number"
            ).fetchall()
        return [{**shown(row), "key": row["key"], "calls": row["calls"]} for row in rows]

    def appointment(self, name: str) -> dict[str, object]:
        with closing(self.open()) as database:
            row = database.execute("select * from appointments where number = ?", (read_number(name),)).fetchone()
        if row is None:
            raise Refusal(404, f"There is no appointment {name}.")
        return shown(row)

    def cancel(self, name: str) -> None:
        self.appointment(name)
        with closing(self.open()) as database:
            changed = database.execute(
                "update appointments set is_cancelled = 1 where number = ? and is_cancelled = 0", (read_number(name),)
            ).rowcount
        if not changed:
            raise Refusal(410, f"The appointment {name} was cancelled before.")


def shown(row: sqlite3.Row) -> dict[str, object]:
    name, specialty, _ = DOCTORS[row["doctor"]]
    return {
        "number": f"C-{1000 + row['number']}",
        "doctor": name,
        "specialty": specialty,
        "date": row["date"],
        "time": row["time"],
        "name": row["name"],
        "phone": row["phone"],
        "status": "cancelled" if row["is_cancelled"] else "booked",
    }


def read_day(text: str | None) -> date:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        raise Refusal(400, f"{text!r} is no day. Write it as 2027-03-04.") from None


def read_number(name: str) -> int:
    """As people write it: C-1001, c1001, 1001."""
    digits = name.upper().removeprefix("C").lstrip("- ")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 9:
        raise Refusal(404, f"There is no appointment {name}.")
    return int(digits) - 1000


class Desk(BaseHTTPRequestHandler):
    """One call: the path decides what is asked of the clinic. Connections are not kept: a stop waits for none."""

    timeout = 10  # a caller who connects and says nothing
    clinic: Clinic

    def answer(self) -> tuple[int, object]:
        address = urlsplit(self.path)
        query = dict(parse_qsl(address.query))
        parts = [unquote(part) for part in address.path.strip("/").split("/")]
        clinic = self.clinic
        match self.command, parts:
            case "GET", ["specialties"]:
                return 200, clinic.specialties()
            case "GET", ["doctors"]:
                return 200, clinic.doctors(query.get("specialty"))
            case "GET", ["days"]:
                return 200, clinic.days(query.get("doctor"))
            case "GET", ["slots"]:
                return 200, clinic.slots(query.get("doctor"), query.get("date"))
            case "GET", ["appointments"]:
                return 200, clinic.appointments()
            case "POST", ["appointments"]:
                return 201, clinic.book(self.read_json(), self.headers.get("Idempotency-Key"))
            case "GET", ["appointments", name]:
                return 200, clinic.appointment(name)
            case "DELETE", ["appointments", name]:
                clinic.cancel(name)
                return 204, None
            case _, ["specialties" | "doctors" | "days" | "slots" | "appointments", *_]:
                raise Refusal(405, f"{self.command} is not allowed here.")
        raise Refusal(404, f"There is nothing at {address.path}.")

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
        # A caller who was killed meanwhile: what was booked stays booked.
        with suppress(BrokenPipeError, ConnectionResetError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = reply  # noqa: N815 - the names that http.server looks for

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the addresses hold what patients asked for."""


class Server(ThreadingHTTPServer):
    daemon_threads = False  # a stop waits for the bookings that are under way
    request_queue_size = 128

    def __init__(self, clinic: Clinic, port: int) -> None:
        super().__init__(("127.0.0.1", port), type("DeskOfClinic", (Desk,), {"clinic": clinic}))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="The clinic's booking system, for the example bot.")
    parser.add_argument("--port", type=int, default=8089, help="port on 127.0.0.1; 0 takes a free one (default: 8089)")
    parser.add_argument("--data", type=Path, default=Path("data/clinic"), help="folder of the appointments")
    parser.add_argument("--delay", type=float, default=0, metavar="SECONDS", help="make each booking take this long")
    options = parser.parse_args(arguments)
    clinic = Clinic(options.data, options.delay)
    try:
        server = Server(clinic, options.port)
    except OSError as error:
        print(f"Port {options.port} cannot be used ({error.strerror}). Choose another with --port.", file=sys.stderr)
        return 1

    def stop(*_: object) -> None:
        # In a thread of its own: shutdown() waits for the loop that this handler interrupts.
        threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    print(f"The clinic keeps its appointments in {clinic.file}.\nIts booking system is at {server.url}", flush=True)
    with server:
        server.serve_forever(poll_interval=0.1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
