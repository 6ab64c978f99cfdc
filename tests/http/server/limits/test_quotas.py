"""What a chat and an address may send in on web channels in a UTC day, over the whole HTTP face."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.auth.tokens import SECRET, signed
from tests.http.support import BASE, BOT, serving

from dialoom.service.access.rate import Quota, read_size
from dialoom.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.support import Answer, Client

WEB = "/v1/bots/tea/channels/web/web"
SIGNING = BOT | {"channels": [BOT["channels"][0], BOT["channels"][1] | {"user-secret": SECRET}]}
HOUR = 3600


async def opened(client: Client, peer: str = "192.0.2.1", **body: Any) -> Answer:
    return await client.call("POST", f"{WEB}/sessions", body, {"Origin": BASE}, peer=peer)


async def said(client: Client, session: Any, id: str, text: str = "help", peer: str = "192.0.2.1") -> Answer:
    headers = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
    return await client.call("POST", f"{WEB}/messages", {"id": id, "text": text}, headers, peer=peer)


async def uploaded(client: Client, session: Any, content: bytes = b"a", peer: str = "192.0.2.1") -> Answer:
    headers = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
    return await client.call("POST", f"{WEB}/files", content, headers, peer=peer)


def talkative(size: int) -> dict[str, Any]:
    """A flow whose help is long."""
    text = {"type": "support", "steps": [{"type": "message", "messages": ["x" * size]}]}
    return {"conversations": {"welcome": text | {"steps": []}, "help": text, "tea": text}}


def is_refused(answer: Answer, code: str = "quota") -> bool:
    if answer.status != 429:
        return False
    assert answer.json["code"] == code
    return True


async def test_a_chat_that_has_sent_its_share_waits_until_midnight_utc(tmp_path: Path) -> None:
    async with serving(tmp_path, store=SqliteStore(tmp_path / "tea.sqlite"), quota_chat="12 KiB") as client:
        client.clock.move(-(client.clock.now() // 1000) % (24 * HOUR) + 20 * HOUR)
        session = (await opened(client)).json
        answers = [await said(client, session, str(number), "x" * 3000) for number in range(4)]
        assert [answer.status for answer in answers] == [202, 202, 429, 429]
        assert is_refused(answers[-1])
        assert answers[-1].headers["retry-after"] == str(4 * HOUR)
        assert answers[-1].json["detail"].startswith("This chat has a share of 12 KiB")
        assert (await said(client, session, "5", "short")).status == 202  # what is left is as good as before
        assert (await said(client, (await opened(client)).json, "1", "x" * 3000)).status == 202
        client.clock.move(4 * HOUR - 1)
        assert is_refused(await said(client, session, "6", "x" * 3000))
        client.clock.move(1)
        assert (await said(client, session, "6", "x" * 3000)).status == 202


async def test_an_address_has_one_share_for_all_its_chats(tmp_path: Path) -> None:
    async with serving(tmp_path, quota_address="10 KiB") as client:
        assert [(await opened(client)).status for _ in range(3)] == [200, 200, 429]
        assert is_refused(await opened(client))
        assert (await opened(client, peer="192.0.2.2")).status == 200
        assert [(await opened(client, peer=f"2001:db8::{n}")).status for n in range(3)] == [200, 200, 429]
        assert (await opened(client, peer="2001:db8:0:1::1")).status == 200


async def test_behind_a_trusted_proxy_each_client_has_a_share(tmp_path: Path) -> None:
    async with serving(tmp_path, quota_address="5 KiB", trusted_proxies="10.0.0.0/8") as client:

        async def through(address: str) -> int:
            headers = {"Origin": BASE, "X-Forwarded-For": address}
            return (await client.call("POST", f"{WEB}/sessions", {}, headers, peer="10.0.0.1")).status

        assert [await through(address) for address in ("192.0.2.1", "192.0.2.2", "192.0.2.1")] == [200, 200, 429]


async def test_what_is_refused_or_was_sent_before_counts_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path, quota_chat="8 KiB") as client:
        session = (await opened(client)).json
        for _ in range(3):
            assert (await said(client, session, "1", "x" * 1500)).status == 202
            assert (await said(client, session, "2", "x" * 8001)).status == 400
            assert (await said(client, session, "1", "y" * 1500)).status == 422
        assert (await said(client, session, "3", "x" * 1000)).status == 202
        assert is_refused(await said(client, session, "4", "x" * 1500))


async def test_a_message_that_used_up_the_share_may_be_sent_again(tmp_path: Path) -> None:
    async with serving(tmp_path, store=SqliteStore(tmp_path / "tea.sqlite"), quota_chat="8 KiB") as client:
        session = (await opened(client)).json
        assert [(await said(client, session, "1", "x" * 3000)).status for _ in range(3)] == [202] * 3
        assert is_refused(await said(client, session, "2", "x" * 3000))
        assert is_refused(await said(client, session, "2", "x" * 3000))
        assert (await said(client, session, "1", "y" * 3000)).status == 422


async def test_what_the_bot_answers_counts_for_the_chat_and_its_address(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tea.sqlite")
    async with serving(tmp_path, store=store, flow=talkative(7000), quota_chat="200 KiB", rate_user="off") as client:
        session = (await opened(client)).json
        answers = [await said(client, session, str(number)) for number in range(40)]
        kept = sum(answer.status == 202 for answer in answers)
        assert 20 <= kept <= 200 * 1024 // 7000
        assert is_refused(answers[-1])
    async with serving(tmp_path / "b", flow=talkative(7000), quota_address="40 KiB", rate_user="off") as client:
        session = (await opened(client)).json
        assert [(await said(client, session, str(number))).status for number in range(8)][-1] == 429
        assert is_refused(await opened(client))
        assert (await opened(client, peer="192.0.2.2")).status == 200


async def test_a_refusal_by_address_is_warned_of_once_without_the_address(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path, quota_address="5 KiB") as client:
        assert [(await opened(client)).status for _ in range(4)] == [200, 429, 429, 429]
    (line,) = [record.getMessage() for record in caplog.records if "used up its share" in record.getMessage()]
    assert "DIALOOM_TRUSTED_PROXIES" in line
    assert "192.0.2.1" not in line


async def test_the_context_of_an_opening_counts(tmp_path: Path) -> None:
    async with serving(tmp_path, quota_chat="8 KiB") as client:
        session = (await opened(client, context={"shop": "x" * 3000})).json
        assert is_refused(await opened(client, context={"shop": "x" * 3000}, resume=session["resume"]))
        assert (await opened(client, resume=session["resume"])).status == 200


async def test_other_channels_and_reading_have_no_share(tmp_path: Path) -> None:
    async with serving(tmp_path, quota_chat="5 KiB", quota_address="5 KiB") as client:
        session = (await opened(client)).json
        assert is_refused(await said(client, session, "1", "x" * 900))
        headers = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
        assert (await client.call("GET", f"{WEB}/messages", None, headers, peer="192.0.2.1")).status == 200
        assert [(await client.say("x" * 3000)).status for _ in range(3)] == [200] * 3


async def test_files_of_strangers_stop_nobody_else(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tea.sqlite")
    async with serving(tmp_path, store=store, bot=SIGNING, quota_files="3 MiB", rate_user="off") as client:
        stranger = (await opened(client)).json
        assert [(await uploaded(client, stranger)).status for _ in range(6)] == [201] * 6
        refused = await uploaded(client, (await opened(client)).json)
        assert is_refused(refused, "too-many-files")
        assert int(refused.headers["retry-after"]) <= 24 * HOUR
        token = signed({"sub": "ada", "aud": "web", "exp": client.clock.now() // 1000 + 300})
        named = (await opened(client, user={"token": token})).json
        assert (await uploaded(client, named)).status == 201
        assert (await uploaded(client, stranger, peer="192.0.2.2")).status == 201
        client.clock.move(24 * HOUR)
        assert (await uploaded(client, (await opened(client)).json)).status == 201


async def test_a_file_that_is_not_kept_takes_nothing_of_the_share(tmp_path: Path) -> None:
    async with serving(tmp_path, quota_files="1 MiB") as client:
        session = (await opened(client)).json
        assert [(await uploaded(client, session, b"")).status for _ in range(3)] == [400] * 3
        assert [(await uploaded(client, session)).status for _ in range(3)] == [201, 201, 429]


async def test_without_a_quota_nothing_is_counted(tmp_path: Path) -> None:
    async with serving(tmp_path, quota_chat="off", quota_address="off", quota_files="off") as client:
        session = (await opened(client)).json
        assert [(await said(client, session, str(number), "x" * 8000)).status for number in range(3)] == [202] * 3
        assert (await uploaded(client, session)).status == 201


@pytest.mark.parametrize(("text", "size"), [("2 MiB", 2**21), ("512 KiB", 2**19), ("1 GiB", 2**30), ("off", None)])
def test_a_share_is_read(text: str, size: int | None) -> None:
    assert read_size(text) == size


def test_no_more_clients_are_counted_than_there_is_room_for() -> None:
    quota = Quota(100, lambda: 0, most=3)
    for number in range(10):
        assert quota.take(number, 60)
    assert len(quota) == 3
    assert not quota.take(9, 60)
    assert quota.take(0, 60)  # forgotten: it has a whole share again
