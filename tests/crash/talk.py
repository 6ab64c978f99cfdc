"""A booking talk with the clinic, step by step, that can be taken up again after the service was killed."""

from __future__ import annotations

import http.client
import time
import urllib.error
from typing import TYPE_CHECKING, Any

from tests.live import call

if TYPE_CHECKING:
    from tests.live import Backend, Service

LIMIT = 60.0


class Talk:
    """One patient books one time. Each message has its own id, so that sending it again is harmless."""

    def __init__(self, sender: str, specialty: str, doctor: str, date: str, time_of_day: str) -> None:
        self.sender = sender
        self.answers: list[list[dict[str, Any]]] = []
        self.texts = [
            "Book an appointment",
            specialty,
            doctor,
            date,
            time_of_day,
            f"Pat {sender}",
            "+49 30 5550199",
            "Yes",
        ]

    @property
    def is_done(self) -> bool:
        return len(self.answers) == len(self.texts)

    def step(self, service: Service) -> bool:
        """Send the next message; False when the service was gone. The same id is sent again then."""
        number = len(self.answers)
        try:
            answer = service.say("clinic", self.sender, self.texts[number], id=f"m{number}")
        except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError):
            return False
        if answer.status in (409, 503):
            return False
        assert answer.status == 200, (self.texts[number], answer.status, answer.body)
        self.answers.append(answer.json)
        return True

    def finish(self, service: Service) -> None:
        end = time.monotonic() + LIMIT
        while not self.is_done:
            if not self.step(service):
                assert time.monotonic() < end, f"{self.sender} waits for an answer to {self.texts[len(self.answers)]!r}"
                time.sleep(0.1)


def talks_of(backend: Backend, count: int) -> list[Talk]:
    """Patients who each want another time."""
    talks: list[Talk] = []
    for specialty in [found["name"] for found in call("GET", f"{backend.url}/specialties").json]:
        for doctor in call("GET", f"{backend.url}/doctors?specialty={specialty.replace(' ', '%20')}").json:
            day = call("GET", f"{backend.url}/days?doctor={doctor['id']}").json[2]
            for slot in call("GET", f"{backend.url}/slots?doctor={doctor['id']}&date={day}").json[:4]:
                talks.append(Talk(f"u{len(talks)}", specialty, doctor["name"], day, slot))
    return talks[:count]


def check(talk: Talk, service: Service, bookings: list[dict[str, Any]]) -> int:
    """Everything that was promised of one finished talk; gives how often its booking was called for."""
    (record,) = service.history("clinic", "conversations", query={"User": talk.sender})
    assert record["Status"] == "success", record
    assert record["Errors"] == 0
    messages = service.history("clinic", "messages", query={"User": talk.sender}, limit=1000)
    assert [message["Sequence"] for message in messages] == list(range(1, len(messages) + 1))
    said = [message["Text"] for message in messages if message["From"] == "user"]
    assert said == talk.texts, said
    told = [message["Text"] for message in messages if message["From"] == "bot"]
    assert told == [message["text"] for answer in talk.answers for message in answer]
    assert record["Messages"] == {"user": len(said), "bot": len(told)}
    (mine,) = [booking for booking in bookings if booking["name"] == f"Pat {talk.sender}"]
    return int(mine["calls"])
