"""Users whose names are made of signs that mean something to someone: nothing breaks, on the way out and back again.

The real service, a bot that puts the name wherever a flow can put a text, and a far end that says what it was sent.
"""

from __future__ import annotations

import json
import threading
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest

from dialoom.messages.plain import plain_title
from tests.live import Answer, Service, call, clinic

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = [
    "O'Neil\"]})",
    "O'Neil",
    '"]})',
    "{{user.Id}} {{#each x}}",
    "$..* || @.id == 1",
    "'; drop table users; --",
    '\\" or true or "\\',
    "../../etc/passwd?x=1#y&z=%0d%0aX-Evil: 1",
    "<img src=x onerror=alert(1)> **bold** [a](javascript:b)",
    "Zoë 🙂 \u202eliN",
    "null",
    "[object Object]",
    "%s %d ${HOME} `id`",
]
PEOPLE = [{"name": name, "id": f"id-{number}"} for number, name in enumerate(NAMES)]
URL = "http://127.0.0.1:{port}"


def flow(port: int) -> dict[str, Any]:
    far = URL.format(port=port)
    return {
        "conversations": {
            "greet": {
                "type": "goal",
                "display-name": "greeting {{name}}",
                "steps": [
                    {"type": "question", "entity": "name", "entity-type": "Text", "messages": ["Who are you?"]},
                    {
                        "type": "webhook",
                        "entity": "mirror",
                        "data-source": {
                            "endpoint": f"{far}/mirror/{{{{$encodeURI name}}}}?q={{{{$encodeURI name}}}}",
                            "method": "POST",
                            "headers": {"X-Name": "{{$encodeURI name}}"},
                            "payload": {"name": "{{name}}", "deep": ["Hi {{name}}!"], "own": "{{user.FirstName}}"},
                        },
                    },
                    {
                        "type": "webhook",
                        "entity": "found",
                        "data-source": {
                            "endpoint": f"{far}/people",
                            "method": "GET",
                            "selector": "$[?@.name == '{{name}}'].id",
                        },
                    },
                    {
                        "type": "question",
                        "entity": "greeting",
                        "entity-type": "Greeting",
                        "messages": ["Hello {{name}}, how shall I greet you? {{$json found}}"],
                        "display": {
                            "type": "quick-reply",
                            "data": [
                                {"title": "As {{name}}", "value": "short"},
                                {"title": "Dear {{name}}", "value": "long"},
                            ],
                        },
                    },
                    {"type": "message", "messages": ["{{greeting}}: {{mirror.payload.name}}"]},
                ],
            }
        }
    }


TRAINING = {
    "entity-definitions": [
        {"name": "Conversation", "lookup-strategy": "trait", "data": [{"value": "greet", "expressions": ["hello"]}]},
        {"name": "Greeting", "lookup-strategy": "keywords", "data": [{"value": "short"}, {"value": "long"}]},
    ]
}


class Mirror(BaseHTTPRequestHandler):
    """Says back what came, and who there is."""

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        if urlsplit(self.path).path == "/people":
            content: Any = PEOPLE
        else:
            payload = json.loads(self.rfile.read(length))
            content = {
                "path": self.path,
                "header": self.headers["X-Name"],
                "evil": self.headers["X-Evil"],
                "payload": payload,
            }
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer  # noqa: N815 - the names that http.server looks for

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    far = ThreadingHTTPServer(("127.0.0.1", 0), Mirror)
    # A start that fails leaves it running, which must not keep the tests from their end.
    thread = threading.Thread(target=lambda: far.serve_forever(poll_interval=0.01), daemon=True)
    thread.start()
    folder: Path = tmp_path_factory.mktemp("names")
    bot = folder / "names"
    bot.mkdir()
    channels = [{"id": "rest", "type": "rest", "name": "Test"}]
    files = {"bot": {"id": "names", "channels": channels}, "flow": flow(far.server_port), "training": TRAINING}
    for file, content in files.items():
        (bot / f"{file}.json").write_text(json.dumps(content), "utf-8")
    service = Service([bot], folder / "data")
    yield service
    service.stop()
    far.shutdown()
    thread.join()
    far.server_close()


def texts(answer: Answer) -> list[str]:
    assert answer.status == 200, answer.body
    return [message.get("text", "") for message in answer.json]


@pytest.mark.parametrize("number", range(len(NAMES)), ids=[ascii(name) for name in NAMES])
def test_a_name_of_any_signs_goes_everywhere_and_comes_back(service: Service, number: int) -> None:
    name = NAMES[number]
    sender = f"user of {name}"
    assert texts(service.say("names", sender, "hello")) == ["Who are you?"]
    answer = service.say("names", sender, name)
    assert texts(answer) == [f'Hello {name}, how shall I greet you? ["id-{number}"]']
    assert answer.json[0]["quickReplies"] == [plain_title(f"{how} {name}") for how in ("As", "Dear")]
    shown = answer.json[0]["quickReplies"][1]
    assert texts(service.say("names", sender, shown)) == [f"long: {name}"]

    (record,) = service.history("names", "conversations", query={"User": sender, "Data.entities.name": name})
    assert record["Status"] == "success"
    (said,) = service.history("names", "messages", query={"Conversation": record["_id"], "Text": name})
    assert (said["From"], said["User"]) == ("user", sender)
    mirror = record["Data"]["entities"]["mirror"]
    assert mirror["payload"] == {"name": name, "deep": [f"Hi {name}!"], "own": "Ada"}
    assert (unquote(mirror["header"]), mirror["evil"]) == (name, None)
    address = urlsplit(mirror["path"])
    assert unquote(address.path) == f"/mirror/{name}"
    assert unquote(address.query) == f"q={name}"


def test_the_service_has_failed_nowhere(service: Service) -> None:
    assert service.history("names", "conversations/_count", query={"Errors": {"$gt": 0}})["count"] == 0
    assert "Traceback" not in service.output


def test_a_patient_of_such_a_name_books_by_three_answers_at_once(tmp_path: Path) -> None:
    with clinic(tmp_path) as (service, backend):
        weekday = backend_day(backend.url)
        wish = f"I'd like to see Dr. Petrova on {weekday} at 15:00"
        assert texts(service.say("clinic", "p", wish))[-1] == "What is your name?"
        assert texts(service.say("clinic", "p", NAMES[0])) == ["And a phone number, in case something changes?"]
        assert texts(service.say("clinic", "p", "make it 16:00"))[0] == "16:00, noted."
        assert f"for {NAMES[0]}, 030 1234567" in texts(service.say("clinic", "p", "030 1234567"))[0]
        assert texts(service.say("clinic", "p", "yes"))[0].startswith("It is booked:")
        (booking,) = backend.bookings()
        assert (booking["name"], booking["doctor"], booking["time"]) == (NAMES[0], "Dr. Mila Petrova", "16:00")


def backend_day(url: str) -> str:
    """A day on which Dr. Petrova is free in the afternoon, as people write it."""
    days = [date.fromisoformat(day) for day in call("GET", f"{url}/days?doctor=petrova").json]
    day = next(day for day in days if day.weekday() < 5)
    return f"{day.day} {day.strftime('%B %Y')}"
