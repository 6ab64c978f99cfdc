"""``dialoom history import|export``: as an operator uses them, beside services and killed on the way."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from dialoom.cli.history import _opened
from dialoom.cli.progress import Progress
from dialoom.service.records.importing import FINGERPRINTED_BYTES
from tests.cli.test_run import dialoom
from tests.live import Service, echo_bot
from tests.postgres import query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from subprocess import CompletedProcess

    from tests.postgres import Server

RECORDS = 24_000
"""A dozen transactions, of which two are waited for: a busy machine may look some later than they are there."""
START = "2019-04-01T07:00:00.000Z"


def conversation(number: int, **more: Any) -> dict[str, Any]:
    channel = {"channel": {"ProviderName": "old-chat"}}
    least = {"_id": f"old-{number:06d}", "User": f"user {number % 97}", "Channel": "old", "Status": "success"}
    return least | {"StartedAt": START, "Errors": number % 3, "Data": channel, "Ticket": {"no": number}} | more


def said(number: int) -> dict[str, Any]:
    about = {
        "Conversation": f"old-{number // 2:06d}",
        "User": "user 1",
        "Channel": "old",
        "From": "user",
        "Type": "text",
    }
    return about | {
        "_id": f"said-{number:06d}",
        "Text": f"Grüße {number}",
        "CreatedAt": START,
        "Sequence": number % 2 + 1,
    }


def write(file: Path, records: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8")
    return file


class Place:
    """A stopped service's database; ``look`` asks it, with the tables' names as they are in both dialects."""

    def __init__(self, folder: Path, look: Callable[[str], int], **environment: str) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.look = look
        self.environment = environment
        self.bot = folder / "bot"

    def prepare(self) -> None:
        """Write the bot and publish it: its service starts and stops once."""
        echo_bot(self.bot, "hello")
        assert self.serve().stop() == 0

    def serve(self) -> Service:
        return Service([self.bot], self.data, environment=self.environment)

    def do(self, *words: str | Path) -> CompletedProcess[str]:
        return dialoom("history", *map(str, words), "--data", str(self.data), **self.environment)

    def begin(self, *words: str | Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dialoom.cli", "history", *map(str, words), "--data", str(self.data)]
        environment = os.environ | self.environment
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)


def _sqlite(folder: Path) -> Place:
    def look(sql: str) -> int:
        connection = apsw.Connection(str(folder / "data" / "dialoom.sqlite"))
        connection.set_busy_timeout(60_000)
        try:
            return int(connection.execute(sql).get or 0)
        finally:
            connection.close()

    return Place(folder, look)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a stopped service, for copies."""
    folder = tmp_path_factory.mktemp("prepared")
    _sqlite(folder).prepare()
    return folder


@pytest.fixture
def place(tmp_path: Path, prepared: Path) -> Place:
    return _copied(prepared, tmp_path)


@pytest.fixture(params=["sqlite", "postgres"])
def any_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "sqlite":
        yield request.getfixturevalue("place")
        return
    server: Server = request.getfixturevalue("postgres_server")
    url = server.database()

    def look(sql: str) -> int:
        rows = query(url, sql.replace(" from ", " from dialoom."))
        return int(rows[0][0]) if rows and rows[0][0] is not None else 0

    made = Place(tmp_path, look, DIALOOM_DATABASE_URL=url)
    made.prepare()
    yield made
    server.drop(url)


LINE = "select max(line) from imports"
COUNT = "select count(*) from conversations"


def test_a_killed_import_loses_nothing_and_doubles_nothing(any_place: Place) -> None:
    file = write(any_place.folder / "old.ndjson", [conversation(number) for number in range(RECORDS)])
    reached = 0
    for _ in range(2):
        running = any_place.begin("import", "echo", file)
        end = time.monotonic() + 120
        while any_place.look(LINE) <= reached and running.poll() is None:
            assert time.monotonic() < end
            time.sleep(0.002)
        running.send_signal(signal.SIGKILL)
        running.wait()
        before, reached = reached, any_place.look(LINE)
        assert reached > before
        assert any_place.look(COUNT) == reached
    assert reached < RECORDS
    done = any_place.do("import", "echo", file)
    assert done.returncode == 0, done.stderr
    assert f"read up to line {reached:,} before" in done.stderr
    assert done.stdout == f"{RECORDS - reached:,} lines read: {RECORDS - reached:,} conversations written.\n"
    assert any_place.look(COUNT) == RECORDS
    assert "Nothing was left to read" in any_place.do("import", "echo", file).stdout
    again = any_place.do("import", "echo", file, "--again")
    assert again.stdout == f"{RECORDS:,} lines read: 0 conversations written, {RECORDS:,} were there already.\n"
    assert any_place.look(COUNT) == RECORDS


def test_what_comes_in_goes_out_the_same_and_clients_read_it(place: Place, prepared: Path) -> None:
    file = write(place.folder / "old.ndjson", [conversation(number) for number in range(50)])
    messages = write(place.folder / "said.ndjson", [said(number) for number in range(100)])
    service = place.serve()
    try:
        assert place.do("import", "echo", file).returncode == 0
        told = place.do("import", "echo", messages, "--messages")
        assert told.stdout == "100 lines read: 100 messages written.\n"
        found = service.history("echo", "conversations", query={"Ticket.no": {"$gte": 48}})
        assert [one["_id"] for one in found] == ["old-000048", "old-000049"]
        assert found[0]["Data"]["user"]["FirstName"] is None
        talk = service.history("echo", "messages", query={"Conversation": "old-000007"}, sort="Sequence")
        assert [one["Text"] for one in talk] == ["Grüße 14", "Grüße 15"]
        assert service.say("echo", "user 1", "hi").json[-1]["text"] == "hello"
    finally:
        assert service.stop() == 0
    for kind, count in (("--messages", 102), ("--skip", 51)):
        words = [kind] if kind == "--messages" else []
        out = place.folder / f"out{kind}.ndjson"
        done = place.do("export", "echo", out, *words)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(f"{count} ")
        assert out.stat().st_mode & 0o777 == 0o600
        other = _copied(prepared, place.folder / kind.strip("-"))
        assert other.do("import", "echo", out, *words).returncode == 0
        back = place.folder / f"back{kind}.ndjson"
        assert other.do("export", "echo", back, *words).returncode == 0
        assert back.read_bytes() == out.read_bytes()
    assert not [*place.folder.glob("*.part")]


def _copied(prepared: Path, folder: Path) -> Place:
    shutil.copytree(prepared, folder, dirs_exist_ok=True)
    return _sqlite(folder)


def test_a_bad_line_is_told_with_its_place_and_a_rerun_goes_on_behind_what_was_written(place: Place) -> None:
    records = [conversation(number) for number in range(10)]
    records[4]["Errors"] = "none"
    file = write(place.folder / "old.ndjson", records)
    done = place.do("import", "echo", file)
    assert done.returncode == 1
    assert f"{file}:5: /Errors must be a whole number" in done.stderr
    assert "4 lines read: 4 conversations written, 1 line refused." in done.stderr
    assert "--skip-bad" in done.stderr
    assert "Traceback" not in done.stderr
    assert place.look(COUNT) == 4
    done = place.do("import", "echo", file, "--skip-bad")
    assert done.returncode == 0
    assert "read up to line 4 before" in done.stderr
    assert f"{file}:5: /Errors" in done.stderr
    assert done.stdout == "6 lines read: 5 conversations written, 1 line refused.\n"
    records[4]["Errors"] = 0
    done = place.do("import", "echo", write(file, records))
    assert done.stdout == "10 lines read: 1 conversation written, 9 were there already.\n"


def test_a_file_that_was_changed_in_its_middle_alone_is_read_again(place: Place) -> None:
    records = [conversation(number) for number in range(1200)]
    file = write(place.folder / "old.ndjson", records)
    size = file.stat().st_size
    assert size > 3 * FINGERPRINTED_BYTES
    assert place.do("import", "echo", file).returncode == 0
    records[600]["_id"] = "new-000600"
    changed = write(place.folder / "changed.ndjson", records)
    assert changed.stat().st_size == size
    done = place.do("import", "echo", changed.replace(file))
    assert done.stdout == "1,200 lines read: 1 conversation written, 1,199 were there already.\n"
    copy = file.rename(place.folder / "another name")
    assert "Nothing was left to read" in place.do("import", "echo", copy).stdout


def test_what_fails_while_a_file_is_read_is_not_told_as_its_fault(tmp_path: Path) -> None:
    file = write(tmp_path / "old.ndjson", [conversation(1)])
    with pytest.raises(ConnectionError, match="far away"), _opened(str(file)):
        raise ConnectionError("far away")


def test_standard_input_and_output_are_files_as_well(place: Place) -> None:
    lines = "".join(json.dumps(conversation(number)) + "\n" for number in range(5))
    command = [sys.executable, "-m", "dialoom.cli", "history", "import", "echo", "-", "--data", str(place.data)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "cannot be gone on with" in done.stderr
    assert place.look(LINE) == 0
    given = place.do("export", "echo", "-", "--query", '{"Errors":{"$lt":2}}', "--sort", '{"Errors":-1}')
    assert [json.loads(line)["_id"][-1] for line in given.stdout.splitlines()] == ["1", "4", "0", "3"]
    assert given.stderr == "4 conversations written.\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("import", "echo", "no-such-file"), "cannot be read"),
        (("import", "nobody", "old.ndjson"), 'There is no bot "nobody"'),
        (("export", "nobody", "out.ndjson"), 'There is no bot "nobody"'),
        (("export", "echo", "no-such-folder/out.ndjson"), "cannot be written"),
        (("export", "echo", "out.ndjson", "--query", '{"$where":"1"}'), "--query"),
        (("export", "echo", "out.ndjson", "--sort", "Data.entities.colour"), "--sort"),
    ],
)
def test_wrong_usage_is_said_with_what_to_do(place: Place, words: tuple[str, ...], told: str) -> None:
    write(place.folder / "old.ndjson", [conversation(1)])
    done = place.do(*words[:2], place.folder / words[2], *words[3:])
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not (place.folder / "out.ndjson").exists()


def test_a_json_array_is_refused_with_what_to_do(place: Place) -> None:
    file = place.folder / "array.json"
    file.write_text(json.dumps([conversation(1)]))
    done = place.do("import", "echo", file, "--skip-bad")
    assert done.returncode == 1
    assert "Accept: application/x-ndjson" in done.stderr


# -- the line that says how far it is


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_one_line_moves() -> None:
    out, times = _Terminal(), iter([0.0, 0.0, 0.1, 2.0])
    progress = Progress("read", "lines", out, lambda: next(times))
    for count, share in ((500, 0.1), (1000, 0.2), (1500, 0.3)):
        progress.show(count, share)
    assert out.getvalue() == "\r\033[K1,500 lines read, 500 a second, 30% of the file, about 7 s left"
    progress.clear()
    assert out.getvalue().endswith("\r\033[K")


def test_elsewhere_a_line_comes_now_and_then() -> None:
    out, times = io.StringIO(), iter([0.0, 1.0, 5.0, 11.0, 20.0, 100.0])
    progress = Progress("written", "messages", out, lambda: next(times))
    for count in (0, 5000, 11_000, 20_000, 100_000):
        progress.show(count)
    progress.clear()
    assert out.getvalue() == "11,000 messages written, 1,000 a second\n100,000 messages written, 1,000 a second\n"


def test_a_long_way_is_told_in_minutes() -> None:
    out, times = _Terminal(), iter([0.0, 0.0, 10.0])
    progress = Progress("read", "lines", out, lambda: next(times))
    progress.show(0, 0.0)
    progress.show(10, 0.01)
    assert out.getvalue().endswith("about 16 min 30 s left")
