"""A bot's files in the studio: read, checked, saved, published and taken back, in a folder and in the store."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, BOT, FLOW, Client, serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Answer

ROOM = "/v1/studio/bots/tea"
DRAFT = f"{ROOM}/draft"


class Author:
    """Is signed in to the studio."""

    def __init__(self, client: Client, folder: Path) -> None:
        self.client = client
        self.folder = folder / "tea"
        self._headers = {"Origin": BASE}

    async def sign_in(self) -> Author:
        token = (await self.client.service.studio.link()).partition("#sign-in=")[2]
        opened = await self.client.call("POST", "/v1/studio/sign-in", {"token": token}, {"Origin": BASE})
        self._headers["Cookie"] = opened.headers["set-cookie"].partition(";")[0]
        return self

    async def ask(self, method: str, path: str, body: Any = None) -> Answer:
        return await self.client.call(method, path, body, self._headers)

    async def draft(self) -> dict[str, Any]:
        answer = await self.ask("GET", DRAFT)
        assert answer.status == 200, answer.body
        found: dict[str, Any] = answer.json
        return found

    async def save(self, files: dict[str, str | None], revision: str | None = None) -> Answer:
        revision = (await self.draft())["revision"] if revision is None else revision
        return await self.ask("PUT", DRAFT, {"revision": revision, "files": files})


@pytest.fixture(params=["folder", "store"])
async def author(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Author]:
    """Edits the folder, or a draft in the store."""
    async with serving(tmp_path) as client:
        if request.param == "store":
            client.service.bots.folders.clear()
        yield await Author(client, tmp_path).sign_in()


def _renamed(name: str) -> str:
    return json.dumps(BOT | {"name": name}, indent=2)


def _code(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["code"]


async def test_the_draft_is_the_bots_files_with_their_findings(author: Author) -> None:
    draft = await author.draft()
    assert json.loads(draft["files"]["bot.json"]) == BOT
    assert set(draft["files"]) == {"bot.json", "flow.json", "training.json"}
    is_folder = draft["source"] == "folder"
    assert draft["canWriteFolder"] is is_folder
    assert draft["folder"] == (str(author.folder.resolve()) if is_folder else None)
    assert {"file", "path", "rule", "message", "level", "line", "column", "isFixable"} <= set(draft["findings"][0])


async def test_a_save_is_there_when_it_is_read_again_and_is_not_published(author: Author) -> None:
    before = await author.draft()
    text = _renamed("Tea room")
    answer = await author.save({"bot.json": text, "tests/hello.json": '{"name": "n", "scenarios": []}'})
    assert answer.status == 200, answer.body
    after = await author.draft()
    assert after["files"]["bot.json"] == text
    assert after["revision"] == answer.json["revision"] != before["revision"]
    assert "tests/hello.json" in after["files"]
    assert after["active"] == before["active"]
    if after["source"] == "folder":
        assert (author.folder / "bot.json").read_text() == text
        assert (author.folder / "tests" / "hello.json").is_file()
    else:
        assert after["source"] == "draft"
        assert after["author"]["name"] == "administrator"
    assert (await author.save({"tests/hello.json": None})).status == 200
    assert "tests/hello.json" not in (await author.draft())["files"]


async def test_what_is_not_published_is_counted_wherever_the_bot_is_shown(author: Author) -> None:
    async def count() -> int:
        state = (await author.ask("GET", f"{DRAFT}/state")).json
        assert (await author.draft())["unpublished"] == state["unpublished"]
        return int(state["unpublished"])

    assert await count() == 0
    first = (await author.draft())["active"]
    unsaved = await author.ask("POST", f"{DRAFT}/check", {"files": {"bot.json": _renamed("Tea room")}})
    assert unsaved.json["unpublished"] == 1
    assert await count() == 0
    saved = (await author.save({"bot.json": _renamed("Tea room"), "tests/a.json": "{}"})).json
    assert saved["unpublished"] == await count() == 1
    await author.ask("POST", f"{DRAFT}/publish", {"revision": saved["revision"]})
    assert await count() == 0
    await author.ask("POST", f"{ROOM}/rollback", {"version": first})
    assert await count() == 1
    assert (await author.save({"flow.json": '{"conversations": '})).json["unpublished"] == 2
    difference = (await author.ask("GET", f"{DRAFT}/difference")).json
    assert [(one["file"], one["kind"]) for one in difference["changes"]] == [
        ("bot.json", "changed"),
        ("flow.json", "unreadable"),
    ]


async def test_how_the_draft_stands_is_told_without_its_files(author: Author) -> None:
    saved = (await author.save({"bot.json": _renamed("Tea room"), "tests/a.json": "{}"})).json
    assert (await author.ask("GET", f"{DRAFT}/state")).json == {
        "unpublished": 1,
        "findings": len(saved["findings"]),
        "hasTests": True,
        "author": None if (await author.draft())["source"] == "folder" else "administrator",
    }


async def test_of_two_authors_the_second_is_told_and_gets_the_files_as_they_are(author: Author) -> None:
    revision = (await author.draft())["revision"]
    assert (await author.save({"bot.json": _renamed("First")}, revision)).status == 200
    second = await author.save({"bot.json": _renamed("Second")}, revision)
    assert _code(second) == (409, "draft-changed")
    assert json.loads(second.json["files"]["bot.json"])["name"] == "First"
    again = await author.save({"bot.json": _renamed("Second")}, second.json["revision"])
    assert again.status == 200


async def test_of_two_saves_at_once_one_is_refused(author: Author) -> None:
    revision = (await author.draft())["revision"]
    answers = await asyncio.gather(*(author.save({"bot.json": _renamed(name)}, revision) for name in ("A", "B")))
    assert sorted(answer.status for answer in answers) == [200, 409]


@pytest.mark.parametrize("author", ["folder"], indirect=True)
async def test_a_file_that_another_program_changed_is_not_overwritten(author: Author) -> None:
    draft = await author.draft()
    (author.folder / "flow.json").write_text(json.dumps(FLOW, indent=4))
    assert _code(await author.save({"bot.json": _renamed("Mine")}, draft["revision"])) == (409, "draft-changed")
    assert json.loads((author.folder / "bot.json").read_text()) == BOT


@pytest.mark.parametrize(
    "name",
    ["../x.json", "x.json", "tests/../bot.json", "tests/a/b.json", "/etc/passwd", "tests/.json", "tests/x.py", ""],
)
async def test_no_other_file_is_written(author: Author, name: str) -> None:
    assert _code(await author.save({name: "{}"})) == (400, "bad-parameter")


@pytest.mark.parametrize("author", ["folder"], indirect=True)
async def test_a_link_out_of_the_folder_is_not_followed(author: Author, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (author.folder / "tests").symlink_to(outside)
    answer = await author.ask("GET", DRAFT)
    assert _code(answer) == (422, "findings")
    assert list(outside.iterdir()) == []


async def test_too_much_text_is_refused(author: Author) -> None:
    assert _code(await author.save({"flow.json": "x" * (17 * 1024**2)})) == (413, "too-large")


async def test_half_a_surrogate_pair_is_refused(author: Author) -> None:
    body = b'{"revision": "' + (await author.draft())["revision"].encode() + b'", "files": {"bot.json": "\\ud83d"}}'
    assert (await author.ask("PUT", DRAFT, body)).status == 400


async def test_unsaved_texts_are_checked_over_the_draft(author: Author) -> None:
    answer = await author.ask("POST", f"{DRAFT}/check", {"files": {"flow.json": "{"}})
    found = [(one["file"], one["level"], one["preventsLoading"]) for one in answer.json["findings"]]
    assert ("flow.json", "error", True) in found
    assert json.loads((await author.draft())["files"]["flow.json"]) == FLOW


async def test_a_test_that_cannot_be_read_is_a_finding_and_the_bot_can_be_published(author: Author) -> None:
    files = {"tests/a.json": '{"name": "A",\n "scenarios": [', "tests/b.json": '{"name": "B", "scenario": []}'}
    saved = (await author.save(files)).json
    found = [one for one in saved["findings"] if one["rule"] == "broken-test"]
    assert [(one["file"], one["message"], one["level"], one["preventsLoading"]) for one in found] == [
        ("tests/a.json", "The text is no JSON from line 2, column 16 on: Expecting value.", "warning", False),
        ("tests/b.json", "Object contains unknown field `scenario`", "warning", False),
    ]
    assert (await author.ask("POST", f"{DRAFT}/publish", {"revision": saved["revision"]})).status == 200


async def test_the_fix_of_a_finding_comes_as_texts_and_a_finding_that_is_gone_is_said(author: Author) -> None:
    files = {"bot.json": _renamed("Tea").replace('"name"', '"nmae"')}
    found = (await author.ask("POST", f"{DRAFT}/check", {"files": files})).json["findings"]
    fixable = next(one for one in found if one["isFixable"])
    wish = {key: fixable[key] for key in ("file", "rule", "path")} | {"files": files}
    fixed = (await author.ask("POST", f"{DRAFT}/fix", wish)).json["files"]
    assert fixed == {"bot.json": _renamed("Tea")}
    assert _code(await author.ask("POST", f"{DRAFT}/fix", wish | {"files": fixed})) == (404, "not-found")


async def test_the_archive_holds_the_folder(author: Author) -> None:
    answer = await author.ask("GET", f"{DRAFT}/archive")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
        assert archive.namelist() == ["tea/bot.json", "tea/flow.json", "tea/training.json"]
        assert json.loads(archive.read("tea/bot.json")) == BOT


async def test_a_publish_makes_the_draft_the_active_version_and_a_rollback_takes_it_back(author: Author) -> None:
    before = await author.draft()
    saved = (await author.save({"bot.json": _renamed("Tea room")})).json
    difference = (await author.ask("GET", f"{DRAFT}/difference")).json
    assert [(one["path"], one["kind"], one["before"], one["after"]) for one in difference["changes"]] == [
        ("name", "changed", "Tea house", "Tea room")
    ]
    assert '+  "name": "Tea room"' in "\n".join(difference["lines"])
    wish = {"revision": saved["revision"], "note": "A better name"}
    done = (await author.ask("POST", f"{DRAFT}/publish", wish)).json
    assert done["previous"] == before["active"]
    deployed = author.client.service.bots.active("tea")
    assert deployed is not None
    assert (deployed.version, deployed.bot.name) == (done["version"], "Tea room")
    versions = (await author.ask("GET", f"{ROOM}/versions")).json
    assert [(one["version"], one["isActive"], one["note"], one["author"]) for one in versions] == [
        (done["version"], True, "A better name", "administrator"),
        (before["active"], False, "", None),
    ]
    back = await author.ask("POST", f"{ROOM}/rollback", {"version": before["active"]})
    assert back.json == {"version": before["active"], "withdrawn": done["version"]}
    versions = (await author.ask("GET", f"{ROOM}/versions")).json
    assert {one["version"]: (one["isActive"], one["note"], one["author"]) for one in versions} == {
        done["version"]: (False, "A better name", "administrator"),
        before["active"]: (True, "", "administrator"),
    }
    deployed = author.client.service.bots.active("tea")
    assert deployed is not None
    assert deployed.bot.name == "Tea house"
    assert (await author.draft())["files"]["bot.json"] == _renamed("Tea room")


async def test_what_has_errors_or_changed_since_is_not_published(author: Author) -> None:
    saved = (await author.save({"flow.json": '{"conversations": 1}'})).json
    refused = await author.ask("POST", f"{DRAFT}/publish", {"revision": saved["revision"]})
    assert _code(refused) == (422, "findings")
    assert refused.json["findings"][0]["file"] == "flow.json"
    assert _code(await author.ask("POST", f"{DRAFT}/publish", {"revision": "other"})) == (409, "draft-changed")
    other = (
        await author.save({"bot.json": _renamed("x").replace('"tea"', '"toy"'), "flow.json": json.dumps(FLOW)})
    ).json
    assert _code(await author.ask("POST", f"{DRAFT}/publish", {"revision": other["revision"]})) == (422, "other-id")


async def test_running_talks_are_told_before_and_after_a_publish(author: Author) -> None:
    spoken = await author.client.say("hello")
    assert spoken.status == 200, spoken.body
    assert (await author.ask("GET", f"{DRAFT}/difference")).json["runningTalks"] == 1
    saved = (await author.save({"bot.json": _renamed("Tea room")})).json
    done = (await author.ask("POST", f"{DRAFT}/publish", {"revision": saved["revision"]})).json
    assert done["runningTalks"] == 1
    versions = (await author.ask("GET", f"{ROOM}/versions")).json
    assert [one["runningTalks"] for one in versions] == [0, 1]


async def test_a_stored_draft_can_be_discarded_and_a_folder_cannot(author: Author) -> None:
    await author.save({"bot.json": _renamed("Tea room")})
    answer = await author.ask("DELETE", DRAFT, {})
    if (author.folder / "bot.json").read_text() == _renamed("Tea room"):
        assert _code(answer) == (422, "draft-is-folder")
    else:
        assert answer.json["source"] == "version"
        assert json.loads(answer.json["files"]["bot.json"]) == BOT


async def test_the_picture_shows_saved_and_unsaved_texts(author: Author) -> None:
    drawn = (await author.ask("GET", f"{ROOM}/picture")).json["boxes"]
    assert {box["key"] for box in drawn} == set(FLOW["conversations"])
    assert {"key", "title", "isGoal", "rows"} == set(drawn[0])
    broken = await author.ask("POST", f"{ROOM}/picture", {"files": {"flow.json": "{"}})
    assert _code(broken) == (422, "findings")


async def test_an_unknown_bot_is_said(author: Author) -> None:
    assert _code(await author.ask("GET", "/v1/studio/bots/nobody/draft")) == (404, "not-found")
    assert _code(await author.ask("GET", "/v1/studio/bots/nobody/versions")) == (404, "not-found")


async def test_the_schemas_are_those_of_the_files(author: Author) -> None:
    assert set((await author.ask("GET", "/v1/studio/schema")).json) == {"bot.json", "flow.json", "training.json"}


@pytest.mark.parametrize("start", ["appointment", "shop", "questions", "blank"])
async def test_a_new_bot_is_made_from_an_example_and_can_be_edited(author: Author, start: str) -> None:
    wish = {"id": "my-bot", "name": "Mein Bot", "language": "de", "start": start}
    made = await author.ask("POST", "/v1/studio/bots", wish)
    assert made.status == 201, made.body
    deployed = author.client.service.bots.active("my-bot")
    assert deployed is not None
    assert (deployed.bot.name, deployed.bot.file.language) == ("Mein Bot", "de" if start == "blank" else "en")
    draft = (await author.ask("GET", "/v1/studio/bots/my-bot/draft")).json
    assert draft["source"] == "draft"
    assert any(name.startswith("tests/") for name in draft["files"])
    assert ("Mein Bot" in draft["files"]["flow.json"]) == (start in ("appointment", "shop"))  # who say their name
    assert (await author.ask("POST", "/v1/studio/bots/my-bot/tests/run", {"files": {}})).json["failed"] == 0
    assert (await author.ask("GET", "/v1/studio/bots/my-bot/draft/difference")).json["changes"] == []
    assert _code(await author.ask("POST", "/v1/studio/bots", wish)) == (409, "bot-exists")


@pytest.mark.parametrize(
    "wrong", [{"id": "My Bot"}, {"id": ""}, {"id": "x" * 65}, {"name": " "}, {"start": "other"}, {"language": "x" * 30}]
)
async def test_a_new_bot_has_a_plain_id_a_name_and_a_language_that_there_is(
    author: Author, wrong: dict[str, str]
) -> None:
    wish = {"id": "my-bot", "name": "n", "language": "en", "start": "blank"} | wrong
    assert (await author.ask("POST", "/v1/studio/bots", wish)).status in {400, 422}
    assert author.client.service.bots.active("my-bot") is None


async def test_the_words_name_every_helper_and_built_in_type(author: Author) -> None:
    words = (await author.ask("GET", "/v1/studio/words")).json
    signatures = {one["name"]: one["signature"] for one in words["helpers"]}
    assert signatures["$join"] == "$join values [separator]"
    assert {"Date", "Email", "Location"} <= set(words["entityTypes"])
    assert "question" in [one["name"] for one in words["stepTypes"]]


async def test_fewer_days_of_retention_are_told_and_have_to_be_accepted(author: Author) -> None:
    lasting = json.dumps(FLOW | {"settings": {"session-timeout": 365 * 24 * 60}})
    saved = (await author.save({"bot.json": json.dumps(BOT | {"retention-days": 365}), "flow.json": lasting})).json
    assert (await author.ask("POST", f"{DRAFT}/publish", {"revision": saved["revision"]})).status == 200
    await author.client.say("hello")
    author.client.clock.move(40 * 24 * 3600)
    await author.sign_in()
    assert "erases" not in (await author.ask("GET", f"{DRAFT}/difference")).json
    saved = (await author.save({"bot.json": json.dumps(BOT | {"retention-days": 30})})).json
    erases = (await author.ask("GET", f"{DRAFT}/difference")).json["erases"]
    assert (erases["days"], erases["previousDays"], erases["conversations"]) == (30, 365, 1)
    wish = {"revision": saved["revision"]}
    refused = await author.ask("POST", f"{DRAFT}/publish", wish)
    assert _code(refused) == (409, "erases-conversations")
    assert "goes from 365 to 30" in refused.json["detail"]
    shorter = await author.ask("POST", f"{DRAFT}/publish", wish | {"acceptsErasing": True})
    assert shorter.status == 200
    assert "erases" not in (await author.ask("GET", f"{DRAFT}/difference")).json
    back = f"{ROOM}/rollback"
    assert (await author.ask("POST", back, {"version": shorter.json["previous"]})).status == 200
    forth = {"version": shorter.json["version"]}
    assert _code(await author.ask("POST", back, forth)) == (409, "erases-conversations")
    assert (await author.ask("POST", back, forth | {"acceptsErasing": True})).status == 200
