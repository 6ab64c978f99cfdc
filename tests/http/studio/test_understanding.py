"""The studio's room Understand over the whole HTTP face: a sentence tried, the report, missed sentences, and
what a change would do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.http.studio.test_try_outs import studio
from tests.http.support import FLOW, TRAINING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.studio.test_try_outs import Studio

GREETED = {"user": {"text": "hi"}, "bot": [[{"text": "Hello!"}]]}
TEST = json.dumps(
    {
        "name": "Wishes",
        "scenarios": [
            {
                "it": title,
                "steps": [GREETED, {"user": {"text": said}, "bot": [[{"textStartsWith": reply}]]}],
            }
            for title, said, reply in (
                ("brew", "brew something", "Which tea?"),
                ("other", "tell me a joke", "Say tea."),
            )
        ],
    }
)


def _training(*expressions: str) -> str:
    training: dict[str, Any] = json.loads(json.dumps(TRAINING))
    training["entity-definitions"][0]["data"][0]["expressions"] += expressions
    return json.dumps(training)


async def _say(room: Studio, *texts: str) -> None:
    """Let users say a sentence each, after a greeting: the first message of a user brings the welcome in any case."""
    for number, text in enumerate(texts):
        for said in ("hi", text):
            answer = await room.client.say(said, sender=f"user-{number}")
            assert answer.status == 200, answer.body


async def test_a_tried_sentence_shows_what_is_understood_and_what_lost(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        answer = await room.call("POST", "/understanding/try", {"text": "two cups of mint on 3 March 2027"})
        found = {one["type"]: one for one in answer.json["candidates"] if one["text"] != "two"}
        mint, day, number = found["Tea"], found["Date"], found["Number"]
        assert (mint["value"], mint["start"], mint["end"], mint["standing"]) == ("Mint", 12, 16, "understood")
        assert (day["value"], day["standing"]) == ("2027-03-03", "understood")
        assert (number["standing"], number["lostTo"][0]) == ("covered", "Date")
        likely = [one for one in answer.json["candidates"] if one["type"] == "Conversation"]
        assert {one["standing"] for one in likely} == {"unsure"}
        assert all(one["confidence"] < answer.json["threshold"] for one in likely)


async def test_a_tried_sentence_is_shown_with_slots_as_it_is_compared(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        body: dict[str, Any] = {"text": "a pot of mint, now!"}
        assert (await room.call("POST", "/understanding/try", body)).json["seenAs"] == ""
        body["files"] = {"training.json": _training("a pot of {Tea}")}
        assert (await room.call("POST", "/understanding/try", body)).json["seenAs"] == "a pot of {Tea}, now!"


async def test_a_sentence_is_tried_on_texts_that_are_not_saved(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        body = {"text": "brew something", "files": {"training.json": _training("brew something")}}
        first = (await room.call("POST", "/understanding/try", body)).json["candidates"][0]
        assert (first["value"], first["confidence"], first["standing"]) == ("tea", 1.0, "understood")
        broken = await room.call("POST", "/understanding/try", body | {"files": {"flow.json": "{"}})
        assert (broken.status, broken.json["code"]) == (422, "findings")


async def test_the_report_says_what_is_confused_and_what_to_add(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        found = (await room.call("POST", "/understanding/report", {})).json
        (group,) = found["groups"]
        assert (group["types"], group["isGood"]) == (["Conversation"], False)
        assert [(one["value"], one["expressions"]) for one in group["values"]] == [("tea", 2), ("help", 1)]
        assert {one["problem"] for one in found["advice"]} == {"few-expressions"}


async def test_missed_sentences_are_counted_grouped_and_seen_as_the_draft_understands_them(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        await _say(room, "brew something", "Brew something!", "xylophone", "tea")
        found = (await room.call("GET", "/understanding/missed")).json
        sentences = {one["text"]: one for group in found["groups"] for one in group["sentences"]}
        assert found["messages"] == 3
        assert set(sentences) == {"Brew something!", "xylophone"}
        brew = sentences["Brew something!"]
        assert (brew["count"], len(brew["conversations"]), brew["understood"]) == (2, 2, None)
        draft = (await room.call("GET", "/draft")).json
        files = {"training.json": _training("brew something")}
        saved = await room.call("PUT", "/draft", {"revision": draft["revision"], "files": files})
        assert saved.status == 200, saved.body
        found = (await room.call("GET", "/understanding/missed")).json
        understood = [one["understood"] for group in found["groups"] for one in group["sentences"]]
        assert {"type": "Conversation", "value": "tea", "confidence": 1.0} in understood
        later = (await room.call("GET", "/understanding/missed", **{"from": "2100-01-01"})).json
        assert later["groups"] == []


async def test_a_missed_sentence_tells_what_its_users_were_offered(tmp_path: Path) -> None:
    flow = FLOW | {"settings": {"understanding": {"ask": 0.05, "threshold": 1}}}
    async with studio(tmp_path, flow=flow) as room:
        await _say(room, "I want your tea", "xylophone")
        found = (await room.call("GET", "/understanding/missed")).json
        offered = {one["text"]: one["offered"] for group in found["groups"] for one in group["sentences"]}
        assert offered == {"I want your tea": [{"type": "Conversation", "value": "tea"}], "xylophone": []}


async def test_an_effect_names_tests_that_turn_and_sentences_that_would_be_understood(tmp_path: Path) -> None:
    async with studio(tmp_path) as room:
        draft = (await room.call("GET", "/draft")).json
        saved = await room.call("PUT", "/draft", {"revision": draft["revision"], "files": {"tests/wishes.json": TEST}})
        assert saved.status == 200, saved.body
        await _say(room, "brew something", "xylophone")
        body = {"files": {"training.json": _training("brew something", "tell me a joke")}}
        found = (await room.call("POST", "/understanding/effect", body)).json
        assert [one["title"] for one in found["green"]] == ["brew"]
        assert [one["title"] for one in found["red"]] == ["other"]
        assert found["red"][0]["lines"]
        (brew,) = [one for one in found["sentences"] if one["text"] == "brew something"]
        assert (brew["before"], brew["after"]["value"]) == (None, "tea")
