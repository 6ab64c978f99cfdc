"""The studio of one database on two real processes: what is done on one shows on the other at once."""

from __future__ import annotations

import base64
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.request import Request, urlopen

import pytest
from tests.http.support import BASE, BOT, TRAINING, write_bot
from tests.live import Answer, Service, call, wait_until
from tests.service.outbox.test_hand_over import handing_over
from tests.shop import running_shop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.postgres import Server

KEYS = base64.b64encode(bytes(range(32))).decode()
ROOM = "/v1/studio/bots/tea"
WEB = "/v1/bots/tea/channels/web/web"
PUSH_SECONDS = 15.0
"""Until a request that waits 25 s for news counts as not woken by it."""


class Pair(NamedTuple):
    one: Service
    other: Service


class Person:
    """A person signed in to the studio, at either process."""

    def __init__(self, pair: Pair, name: str, link: str) -> None:
        self.name = name
        self.cookie = ""
        answer = self.ask(pair.one, "POST", "/v1/studio/sign-in", {"token": link.partition("#sign-in=")[2]})
        assert answer.status == 200, answer.body
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def ask(self, at: Service, method: str, path: str, body: Any = None, timeout: float = 60.0) -> Answer:
        return call(method, f"{at.url}{path}", body, {"Origin": BASE, "Cookie": self.cookie}, timeout)

    def done(self, at: Service, method: str, path: str, body: Any = None, timeout: float = 60.0) -> Any:
        answer = self.ask(at, method, path, body, timeout)
        assert answer.status in (200, 201), answer.body
        return answer.json


class User:
    """A browser on the web channel of one process."""

    def __init__(self, at: Service) -> None:
        self.at = at
        self.session = call("POST", f"{at.url}{WEB}/sessions", {}, {"Origin": BASE}).json
        self.headers = {"Origin": BASE, "Authorization": f"Bearer {self.session['token']}"}
        self._said = 0

    def say(self, text: str) -> None:
        self._said += 1
        body = {"id": f"m{self._said}", "text": text}
        answer = call("POST", f"{self.at.url}{WEB}/messages", body, self.headers)
        assert answer.status == 202, answer.body

    def poll(self, **query: int) -> Any:
        words = "&".join(f"{name}={value}" for name, value in ({"after": 0} | query).items())
        return call("GET", f"{self.at.url}{WEB}/messages?{words}", None, self.headers).json

    def texts(self) -> list[str]:
        return [message["text"] for message in self.poll()["messages"]]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, postgres_server: Server) -> Iterator[Pair]:
    """Two processes, of which one has the bot's folder."""
    folder = tmp_path_factory.mktemp("pair")
    shared = {"DIALOOM_DATABASE_URL": postgres_server.database(), "DIALOOM_KEYS": KEYS, "DIALOOM_BASE_URL": BASE}
    bot = write_bot(folder / "tea", BOT, handing_over(), TRAINING)
    one = Service([bot], folder / "one", environment=shared)
    (bot / "tests").mkdir()
    (bot / "tests" / "hello.json").write_text('{"scenarios": []}')
    other = Service([], folder / "other", environment=shared)
    yield Pair(one, other)
    for service in (one, other):
        service.stop()


@pytest.fixture(scope="module")
def ada(pair: Pair) -> Person:
    """An administrator, signed in at one process."""
    return Person(pair, "Ada", pair.one.studio_link(name="Ada"))


def invited(pair: Pair, ada: Person, name: str, role: str) -> Person:
    made = ada.done(pair.one, "POST", "/v1/studio/people/links", {"name": name, "role": role})
    return Person(pair, name, made["link"])


def test_a_draft_saved_through_one_is_seen_through_the_other_and_a_save_on_the_old_one_is_refused(
    pair: Pair, ada: Person
) -> None:
    before = ada.done(pair.one, "GET", f"{ROOM}/draft")
    assert ada.done(pair.other, "GET", f"{ROOM}/draft")["revision"] == before["revision"]
    named = json.dumps(json.loads(before["files"]["bot.json"]) | {"name": "Tea room"})
    wish = {"revision": before["revision"], "files": {"bot.json": named}}
    saved = ada.done(pair.one, "PUT", f"{ROOM}/draft", wish)
    seen = ada.done(pair.other, "GET", f"{ROOM}/draft")
    assert (seen["revision"], seen["files"]["bot.json"], seen["author"]["name"]) == (saved["revision"], named, "Ada")
    late = ada.ask(pair.other, "PUT", f"{ROOM}/draft", wish | {"files": {"bot.json": "{}"}})
    assert (late.status, late.json["code"]) == (409, "draft-changed")
    assert (late.json["revision"], late.json["files"]["bot.json"]) == (saved["revision"], named)


def test_the_tests_of_the_folder_of_one_are_part_of_the_draft_on_the_other(pair: Pair, ada: Person) -> None:
    files = ada.done(pair.one, "GET", f"{ROOM}/draft")["files"]
    assert files["tests/hello.json"] == '{"scenarios": []}'
    assert ada.done(pair.other, "GET", f"{ROOM}/draft")["files"] == files


def test_of_two_saves_at_the_same_instant_one_is_kept(pair: Pair, ada: Person) -> None:
    before = ada.done(pair.one, "GET", f"{ROOM}/draft")
    bot = json.loads(before["files"]["bot.json"])

    def save(place: int) -> Answer:
        wish = {"revision": before["revision"], "files": {"bot.json": json.dumps(bot | {"name": f"Tea {place}"})}}
        return ada.ask(pair[place], "PUT", f"{ROOM}/draft", wish)

    answers = at_once(save, 0, 1)
    assert sorted(answer.status for answer in answers) == [200, 409]
    kept = next(place for place, answer in enumerate(answers) if answer.status == 200)
    assert json.loads(answers[1 - kept].json["files"]["bot.json"])["name"] == f"Tea {kept}"


def test_a_try_out_begun_on_one_goes_on_on_the_other(pair: Pair, ada: Person) -> None:
    begun = ada.done(pair.one, "POST", f"{ROOM}/try-outs", {"calls": "mocked"})
    turns = f"{ROOM}/try-outs/{begun['id']}/turns"
    first = ada.done(pair.one, "POST", turns, {"text": "tea", "revision": begun["revision"]})
    second = ada.done(pair.other, "POST", turns, {"text": "a refund", "revision": first["revision"]})
    assert said_by_bot(first) == ["What about?"]
    assert said_by_bot(second) == ["Someone will be with you."]
    assert ada.done(pair.one, "GET", f"{ROOM}/try-outs/{begun['id']}")["turns"] == second["turns"]


def test_of_two_messages_that_order_at_the_same_instant_one_does(pair: Pair, ada: Person) -> None:
    with running_shop() as shop:
        source = {"endpoint": f"{shop.url}/orders", "method": "POST", "payload": {}}
        step = {"type": "webhook", "entity": "made", "data-source": source, "messages": ["Order {{made.number}}."]}
        flow = {"conversations": {"help": {"type": "support", "steps": [step]}}}
        help = {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": "help", "expressions": ["help"]}],
        }
        training = {"entity-definitions": [help]}
        files = {"flow.json": json.dumps(flow), "training.json": json.dumps(training)}
        wish = {"calls": "real", "files": files}
        for count in range(1, 4):
            begun = ada.done(pair.one, "POST", f"{ROOM}/try-outs", wish)
            turn = {"text": "help", "revision": begun["revision"]}

            def say(place: int, path: str = f"{ROOM}/try-outs/{begun['id']}/turns", turn: Any = turn) -> Answer:
                return ada.ask(pair[place], "POST", path, turn)

            answers = at_once(say, 0, 1)
            assert sorted(answer.status for answer in answers) == [200, 409]
            assert len(shop.orders) == count


def test_of_two_people_who_take_a_chat_at_the_same_instant_one_has_it(pair: Pair, ada: Person) -> None:
    people = [invited(pair, ada, name, "agent") for name in ("Grace", "Linus")]
    for _ in range(5):
        waiting_user(pair.one)
        row = next(row for row in rows(pair.other, people[0]) if row["person"] is None)

        def take(place: int, id: str = row["id"]) -> Answer:
            act = {"id": f"{id}-{place}", "action": "take"}
            return people[place].ask(pair[place], "POST", f"{ROOM}/hand-offs/{id}", act)

        answers = at_once(take, 0, 1)
        assert sorted(answer.status for answer in answers) == [200, 409], [answer.body for answer in answers]
        first = next(place for place, answer in enumerate(answers) if answer.status == 200)
        refused = answers[1 - first].json
        assert (refused["code"], people[first].name in refused["detail"]) == ("hand-off-taken", True)
        for at in pair:
            (shown,) = [one for one in rows(at, people[1 - first]) if one["id"] == row["id"]]
            assert shown["person"]["name"] == people[first].name


def test_a_person_on_one_process_and_a_user_on_the_other_hear_each_other_at_once(pair: Pair, ada: Person) -> None:
    grace = invited(pair, ada, "Barbara", "agent")
    user = waiting_user(pair.one)
    (row,) = [row for row in rows(pair.other, grace) if row["user"] == user.session["user"]["id"]]
    place = f"{ROOM}/hand-offs/{row['id']}"
    grace.done(pair.other, "POST", place, {"id": "take-barbara", "action": "take"})
    chat = grace.done(pair.other, "GET", place)
    with ThreadPoolExecutor() as pool:
        path = f"{place}?after={chat['next']}&wait=25"
        heard = pool.submit(lambda: grace.done(pair.other, "GET", path, timeout=PUSH_SECONDS))
        user.say("is anybody there?")
        assert [one["text"] for one in heard.result()["messages"]] == ["is anybody there?"]
        stream = Request(
            f"{pair.one.url}{WEB}/events", headers=user.headers | {"Last-Event-ID": str(heard.result()["next"])}
        )
        with urlopen(stream, timeout=PUSH_SECONDS) as events:
            grace.done(pair.other, "POST", place, {"id": "answer-barbara", "action": "answer", "text": "I am."})
            lines = (line.decode().strip() for line in events)
            message = next(json.loads(line[6:]) for line in lines if line.startswith("data: ") and '"text"' in line)
    assert (message["text"], message["person"]) == ("I am.", "Barbara")
    assert user.poll()["handOff"] == {"person": "Barbara"}


def test_a_publish_on_one_makes_the_other_answer_on_the_new_version(pair: Pair, ada: Person) -> None:
    draft = ada.done(pair.one, "GET", f"{ROOM}/draft")
    flow = draft["files"]["flow.json"].replace("Say tea.", "Say tea, please.")
    wish = {"revision": draft["revision"], "files": {"flow.json": flow}}
    saved = ada.done(pair.one, "PUT", f"{ROOM}/draft", wish)
    done = ada.done(pair.one, "POST", f"{ROOM}/draft/publish", {"revision": saved["revision"], "note": "Politer"})

    def asked() -> list[str]:
        user = User(pair.other)
        user.say("help")
        wait_until(lambda: len(user.texts()) > 1)
        return user.texts()

    wait_until(lambda: asked()[-1] == "Say tea, please.")
    versions = ada.done(pair.other, "GET", f"{ROOM}/versions")
    assert [one["version"] for one in versions if one["isActive"]] == [done["version"]]


def test_a_session_ended_on_one_is_refused_by_the_other_and_the_log_is_one(pair: Pair, ada: Person) -> None:
    ken = invited(pair, ada, "Ken", "developer")
    ken.done(pair.other, "GET", f"{ROOM}/draft")
    sessions = ada.done(pair.other, "GET", "/v1/studio/people")["sessions"]
    id = next(one["id"] for one in sessions if one["name"] == "Ken")
    assert ada.ask(pair.one, "POST", f"/v1/studio/people/{id}/end", {}).status == 204
    refused = ken.ask(pair.other, "GET", f"{ROOM}/draft")
    assert (refused.status, refused.json["code"]) == (401, "studio-session")
    ada.done(pair.other, "POST", "/v1/studio/people/links", {"name": "Ken", "role": "analyst"})

    def last_deeds(at: Service) -> list[tuple[str, str]]:
        deeds = ada.done(at, "GET", "/v1/studio/audit")["deeds"][:3]
        return [(one["who"], one["what"]) for one in deeds]

    # A deed is noted behind its answer.
    done = [("Ada", "invited"), ("Ada", "session-ended"), ("Ken", "signed-in")]
    for at in pair:
        wait_until(lambda shown=at: last_deeds(shown) == done)


# -- parts of the above


def at_once(act: Callable[[int], Answer], *places: int) -> list[Answer]:
    """Do it at each place, all begun at the same instant."""
    gate = threading.Barrier(len(places))

    def do(place: int) -> Answer:
        gate.wait()
        return act(place)

    with ThreadPoolExecutor(len(places)) as pool:
        return list(pool.map(do, places))


def rows(at: Service, person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.done(at, "GET", f"{ROOM}/hand-offs")["handOffs"]
    return found


def said_by_bot(turned: dict[str, Any]) -> list[str]:
    return [message["text"] for message in turned["turns"][-1]["messages"] if message["from"] == "bot"]


def waiting_user(at: Service) -> User:
    """Return a user whose chat waits for a person."""
    user = User(at)
    for text, answer in (("tea", "What about?"), ("a refund", "Someone will be with you.")):
        user.say(text)
        wait_until(lambda awaited=answer: user.texts()[-1] == awaited)
    return user
