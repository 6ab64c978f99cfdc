"""What may come into the history from elsewhere, and that a file comes in whole and once, whatever happens on the way."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stores import TemporaryStore

from dialoom.errors import StoreError
from dialoom.query import Selection
from dialoom.service.bots.masking import MASK, Masking
from dialoom.service.records import importing
from dialoom.service.records.importing import Import, ImportProgress, ImportStopped, Pace, Refusal, file_fingerprint
from dialoom.service.records.record_schema import MAX_DEPTH, MAX_ID_CHARS, MAX_RECORD_BYTES, BadRecord, RecordReader
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from dialoom.storage.store import Collection

LEAST: dict[str, Any] = {
    "_id": "old-1",
    "User": "ann",
    "Channel": "web",
    "Status": "success",
    "StartedAt": "2019-04-01T07:00:00.000Z",
    "Data": {"channel": {"ProviderName": "web"}},
}
SAID: dict[str, Any] = {
    "_id": "old-1-1",
    "Conversation": "old-1",
    "User": "ann",
    "Channel": "web",
    "From": "user",
    "Type": "text",
    "CreatedAt": "2019-04-01T07:00:00.000Z",
    "Sequence": 1,
}
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl"
NESTED = "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)


def checked(collection: Collection = "conversations", login: str | None = "login") -> RecordReader:
    return RecordReader(collection, "salon", Masking(login), login)


def line(**fields: Any) -> bytes:
    return json.dumps(LEAST | fields).encode()


def refused(text: bytes, collection: Collection = "conversations") -> tuple[str, str]:
    with pytest.raises(BadRecord) as caught:
        checked(collection).read(text)
    return caught.value.pointer, caught.value.reason


# -- what a record gets that it lacks


def test_a_conversation_gets_what_it_lacks() -> None:
    assert checked().read(line()) == LEAST | {
        "Bot": "salon",
        "UpdatedAt": LEAST["StartedAt"],
        "EndedAt": None,
        "Goal": None,
        "Errors": 0,
        "Messages": {"user": 0, "bot": 0},
        "FlowVersion": "",
        "Data": {
            "channel": {"ProviderName": "web", "Id": "web", "Name": None},
            "user": dict.fromkeys(("ExternalId", "FirstName", "LastName", "Avatar", "Locale", "Timezone")),
            "context": {},
            "entities": {},
        },
    }


def test_a_message_gets_what_it_lacks() -> None:
    nulls = dict.fromkeys(("Text", "Payload", "Step", "Understanding", "Error"))
    assert checked("messages").read(json.dumps(SAID).encode()) == SAID | {"Bot": "salon"} | nulls


def test_two_records_never_share_what_they_were_given() -> None:
    reader = checked()
    reader.read(line())["Data"]["context"]["colour"] = "green"
    assert reader.read(line())["Data"]["context"] == {}


def test_a_conversation_was_last_changed_when_it_ended() -> None:
    ended = "2019-04-01T07:09:00.000Z"
    assert checked().read(line(EndedAt=ended))["UpdatedAt"] == ended
    assert checked().read(line(EndedAt=None))["UpdatedAt"] == LEAST["StartedAt"]
    assert checked().read(line(EndedAt=ended, UpdatedAt="2020-01-01T00:00:00.000Z"))["UpdatedAt"][:4] == "2020"


@pytest.mark.parametrize("name", ["_id", "User", "Channel", "Status", "StartedAt"])
def test_a_conversation_without_what_it_must_have_is_refused(name: str) -> None:
    short = {key: value for key, value in LEAST.items() if key != name}
    assert refused(json.dumps(short).encode()) == (f"/{name}", "is missing")


def test_a_conversation_without_a_provider_is_refused() -> None:
    assert refused(line(Data={"user": {}})) == ("/Data/channel/ProviderName", "is missing")


@pytest.mark.parametrize("name", SAID)
def test_a_message_without_what_it_must_have_is_refused(name: str) -> None:
    short = {key: value for key, value in SAID.items() if key != name}
    assert refused(json.dumps(short).encode(), "messages") == (f"/{name}", "is missing")


# -- kinds


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2019-04-01T09:00:00+02:00", "2019-04-01T07:00:00.000Z"),
        ("2019-04-01T07:00:00.123456Z", "2019-04-01T07:00:00.123Z"),
        ("2019-04-01T07:00", "2019-04-01T07:00:00.000Z"),
        ("2019-04-01 07:00:00", "2019-04-01T07:00:00.000Z"),
        ("2019-04-01", "2019-04-01T00:00:00.000Z"),
        ({"$date": "2019-04-01T07:00:00Z"}, "2019-04-01T07:00:00.000Z"),
        ({"$date": {"$numberLong": "1554102000000"}}, "2019-04-01T07:00:00.000Z"),
        ("2019-04-01T07:00:00.000Z", "2019-04-01T07:00:00.000Z"),
    ],
)
def test_other_forms_of_a_time_become_the_stored_one(given: Any, kept: str) -> None:
    assert checked().read(line(StartedAt=given, UpdatedAt=given, EndedAt=given))["StartedAt"] == kept


@pytest.mark.parametrize(
    "given",
    ["", "yesterday", "2019-02-29T07:00:00.000Z", "2019-04-01T25:00:00.000Z", "0000-01-01T00:00:00.000Z", 1554102000,
     None, {"$date": "x"}, {"$date": 1, "x": 1}, ["2019-04-01"], "2019-04-01T07:00:00.000Z\n", "٢٠١٩-04-01"],
)  # fmt: skip
def test_what_is_no_time_is_refused(given: Any) -> None:
    pointer, reason = refused(line(StartedAt=given))
    assert pointer == "/StartedAt"
    assert reason.startswith("must be a time")


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"_id": ""}, "/_id"),
        ({"_id": 7}, "/_id"),
        ({"_id": "x" * (MAX_ID_CHARS + 1)}, "/_id"),
        ({"_id": None}, "/_id"),
        ({"User": {"$oid": "1"}}, "/User"),
        ({"Bot": "other"}, "/Bot"),
        ({"Bot": None}, "/Bot"),
        ({"Status": "SUCCESS"}, "/Status"),
        ({"Status": ["success"]}, "/Status"),
        ({"Goal": 1}, "/Goal"),
        ({"EndedAt": False}, "/EndedAt"),
        ({"Errors": -1}, "/Errors"),
        ({"Errors": 1.5}, "/Errors"),
        ({"Errors": True}, "/Errors"),
        ({"Errors": "1"}, "/Errors"),
        ({"Errors": 2**31}, "/Errors"),
        ({"Errors": None}, "/Errors"),
        ({"Messages": []}, "/Messages"),
        ({"Messages": {"user": None}}, "/Messages/user"),
        ({"FlowVersion": None}, "/FlowVersion"),
        ({"Data": None}, "/Data"),
        ({"Data": {"channel": "web"}}, "/Data/channel"),
        ({"Data": LEAST["Data"] | {"user": {"FirstName": "x" * (MAX_ID_CHARS + 1)}}}, "/Data/user/FirstName"),
        ({"Data": LEAST["Data"] | {"user": {"Locale": 1}}}, "/Data/user/Locale"),
        ({"Data": LEAST["Data"] | {"entities": []}}, "/Data/entities"),
        ({"Data": LEAST["Data"] | {"context": "x"}}, "/Data/context"),
    ],
)
def test_a_property_of_another_kind_is_refused_with_its_place(fields: dict[str, Any], pointer: str) -> None:
    assert refused(line(**fields))[0] == pointer


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [({"From": "agent"}, "/From"), ({"Type": "image"}, "/Type"), ({"Sequence": 0.5}, "/Sequence"), ({"Text": 1}, "/Text"),
     ({"Step": []}, "/Step"), ({"Error": {}}, "/Error"), ({"Conversation": ""}, "/Conversation")],
)  # fmt: skip
def test_a_message_of_another_kind_is_refused_with_its_place(fields: dict[str, Any], pointer: str) -> None:
    assert refused(json.dumps(SAID | fields).encode(), "messages")[0] == pointer


def test_a_whole_number_that_was_written_with_a_point_counts() -> None:
    assert repr(checked().read(line(Errors=2.0))["Errors"]) == "2"


def test_whatever_else_a_record_holds_is_kept_as_it_came() -> None:
    more = {
        "Ticket": 4711, "nested": {"a.b": [{"$x": None}], "": "𝄞\u2028\x01"}, "n": [1.0, -0.0, 1e300, 2**70], "t": True,
        "shopping": "opinions on pins and tokens, apiary keys",
    }  # fmt: skip
    read = checked().read(line(**more))
    assert {name: read[name] for name in more} == more
    assert repr(read["n"]) == repr(more["n"])


# -- what cannot be kept


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        (b"{", "", "is no JSON"),
        (b"hello", "", "is no JSON"),
        (b'"hello"', "", "is no JSON object"),
        (b"[1]", "", "is no JSON object"),
        (b"{}{}", "", "is no JSON"),
        (b'{"a":"\xff"}', "", "is no UTF-8"),
        (b'{"a":"\xed\xa0\x80"}', "/a", "holds half a surrogate pair"),
        (b'{"a":[0,"x\\u0000"]}', "/a/1", "holds NUL"),
        (b'{"a~/b":{"\\u0000":1}}', "/a~0~1b/\ufffd", "holds NUL"),
        (b'{"a":{"b":"\\ud800"}}', "/a/b", "holds half a surrogate pair (U+D800)"),
        (b'{"a":"\\udc00\\ud800"}', "/a", "holds half a surrogate pair (U+DC00)"),
        (b'{"\\udfff":1}', "/\ufffd", "holds half a surrogate pair"),
        (b'{"a":1e999}', "/a", "is no finite number"),
        (b'{"a":NaN}', "/a", "is no finite number"),
        (b'{"a":[-Infinity]}', "/a/0", "is no finite number"),
        (b'{"a":1' + b"0" * 309 + b"}", "/a", "is a whole number beyond double precision"),
        (b'{"a":1' + b"0" * 9000 + b"}", "", "holds a whole number that is beyond"),
        (b'{"a":[' + NESTED.encode() + b"]}", "", f"is nested deeper than {MAX_DEPTH} levels"),
        (b'{"a":' * 100_000, "", f"is nested deeper than {MAX_DEPTH} levels"),
        (b'{"a":"' + b"x" * MAX_RECORD_BYTES + b'"}', "", "is longer than 8 MiB"),
    ],
)
def test_what_no_record_may_hold_is_refused_with_its_place(text: bytes, place: str, reason: str) -> None:
    pointer, told = refused(text)
    assert pointer == place
    assert told.startswith(reason)


def test_a_record_may_be_as_deep_as_ours() -> None:
    assert checked().read(line(deep=json.loads(NESTED)))["deep"] == json.loads(NESTED)


def test_an_escaped_backslash_before_zeros_is_no_nul() -> None:
    assert checked().read(line(path="C:\\u0000"))["path"] == "C:\\u0000"


def test_no_refusal_repeats_what_stands_in_the_record() -> None:
    for fields in (
        {"Status": "so-private"},
        {"Errors": "so-private"},
        {"StartedAt": "so-private"},
        {"x": "so-private\0"},
    ):
        assert "so-private" not in str(refused(line(**fields)))
    assert "so-private" not in str(refused(b'{"_id": so-private'))


# -- masking


@pytest.mark.parametrize(
    "more",
    [
        {"apiKey": "x"},
        {"api-key": {"a": 1}},
        {"a": [{"user password": "x"}]},
        {"PIN": 1234},
        {"myToken": "x"},
        {"Authorization": "x"},
        {"login": {"access": 1}},
    ],
)
def test_what_the_masking_rule_names_is_masked(more: dict[str, Any]) -> None:
    read = checked().read(line(**more))
    assert {name: read[name] for name in more} == Masking("login").value(more)
    assert MASK in json.dumps(read)


@pytest.mark.parametrize("login", ["login", "lögin", 'log"in', "log/in", "log\\in"])
def test_the_login_entity_is_masked_however_json_writes_it(login: str) -> None:
    for text in (json.dumps, lambda value: json.dumps(value, ensure_ascii=False)):
        entities = {"channel": LEAST["Data"]["channel"], "entities": {login: "x", "colour": "green"}}
        read = checked(login=login).read(text(LEAST | {"Data": entities}).encode())
        assert read["Data"]["entities"] == {login: MASK, "colour": "green"}


@pytest.mark.parametrize("name", ['"\\u0070in"', '"api\\nkey"', '"api\\u2010key"', '"ap\\u0069key"', '"api\\/key"'])
def test_an_escaped_name_is_masked_all_the_same(name: str) -> None:
    read = checked().read(line(place=0).replace(b'"place": 0', f'{name}: "x"'.encode()))
    assert read[json.loads(name)] == MASK


_PIECES = st.sampled_from(["api", "to\u212aen", "\u212aEY", "eyJhbGciOiJkaXIi", "ewogICJhbGciOi", "..", "Key", "API", "KEY", "pin", "Pin", "PIN", "token", "Secret", "login", "x", "X", "7", " ",
                           "-", "_", "/", "\\", '"', "\n", "é", "\x01", "eyJhbGciOi", ".", "eyJzdWIi", TOKEN])  # fmt: skip
_TEXTS = st.lists(_PIECES, max_size=6).map("".join)
_VALUES = st.recursive(
    _TEXTS | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(_TEXTS.filter(lambda name: name not in LEAST), _VALUES, max_size=3), st.booleans())
def test_whatever_the_masking_rule_hides_is_found(more: dict[str, Any], is_ascii: bool) -> None:
    text = json.dumps(LEAST | {"more": more}, ensure_ascii=is_ascii).encode()
    assert checked().read(text)["more"] == Masking("login").value(more)


def test_whatever_has_the_shape_of_a_token_is_found() -> None:
    part = st.text("Aaeyw0-_", max_size=12)

    @given(
        st.from_regex(r"e(y[A-DIJ]|w[k-r0-3])[A-Za-z0-9_-]{7,9}", fullmatch=True),
        st.lists(part, min_size=2, max_size=4),
    )
    def masked(header: str, others: list[str]) -> None:
        token = ".".join([header, *others])
        assert Masking().value(token) != token
        assert checked("messages").read(json.dumps(SAID | {"Other": token}).encode())["Other"] != token

    masked()


@pytest.mark.parametrize(
    "token",
    [
        "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..aXYtaXYtaXY.Y2lwaGVydGV4dA.dGFnLXRhZw",  # RFC 7516 section 7.1
        "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.",
    ],
)
def test_a_token_with_an_empty_part_is_masked(token: str) -> None:
    assert checked("messages").read(json.dumps(SAID | {"Other": token}).encode())["Other"] == MASK


@pytest.mark.parametrize("is_ascii", [True, False])
def test_a_name_with_the_sign_of_kelvin_is_masked(*, is_ascii: bool) -> None:
    more = {"to\u212aen": "x", "api-\u212aey": "x"}
    read = checked().read(json.dumps(LEAST | more, ensure_ascii=is_ascii).encode())
    assert {name: read[name] for name in more} == dict.fromkeys(more, MASK)


def test_tokens_in_texts_are_masked() -> None:
    message = json.dumps(SAID | {"Text": f"here: {TOKEN}.", "Payload": [TOKEN], "Other": TOKEN}).encode()
    read = checked("messages").read(message)
    assert (read["Text"], read["Payload"], read["Other"]) == (f"here: {MASK}.", [MASK], MASK)


@pytest.mark.parametrize("name", ["_id", "User", "Channel"])
def test_an_id_that_is_a_token_is_refused(name: str) -> None:
    pointer, reason = refused(line(**{name: TOKEN}))
    assert pointer == f"/{name}"
    assert "token" in reason


def test_a_login_that_is_called_like_a_part_of_a_record_hides_no_part() -> None:
    read = checked(login="user").read(line(Messages={"user": 3}, mine={"user": "x"}))
    assert read["Messages"]["user"] == 3
    assert read["Data"]["user"]["FirstName"] is None
    assert read["mine"] == {"user": MASK}


# -- files


class Cut(Exception):
    """Breaks the import off."""


class Skipping(MovedClock):
    """Waits for nothing, and keeps how long it would have."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


class Flaky(TemporaryStore):
    """Is away for some writes, and keeps what it was told last in ``pieces``."""

    def __init__(self) -> None:
        super().__init__()
        self.away = 0
        self.pieces: list[tuple[int, int]] = []

    async def import_records(
        self, collection: Collection, bot: str, documents: Sequence[dict[str, Any]], source: str, line: int
    ) -> int:
        if self.away:
            self.away -= 1
            raise StoreError("The store is away.")
        self.pieces.append((len(documents), line))
        return await super().import_records(collection, bot, documents, source, line)


@pytest.fixture
async def store() -> AsyncIterator[Flaky]:
    made = Flaky()
    await made.open()
    yield made
    await made.close()


def an_import(
    store: TemporaryStore,
    file: io.BytesIO,
    told: Callable[[Refusal], None] | None = None,
    progress: Callable[[ImportProgress], None] = lambda _: None,
    *,
    is_beside: bool = False,
    clock: Skipping | None = None,
) -> Import:
    pace = Pace(clock or Skipping(), lambda: is_beside)
    mark = file_fingerprint(file, "conversations", 0)
    return Import(
        store, "conversations", "salon", mark, reader=checked(), pace=pace, on_refused=told, progress=progress
    )


def lines(count: int, **bad: str) -> io.BytesIO:
    """Return lines of records. ``bad``: texts in place of lines, by ``_`` and their number."""
    texts = [bad.get(f"_{number}", line(_id=f"old-{number:05d}").decode()) for number in range(1, count + 1)]
    return io.BytesIO("\n".join(texts).encode())


async def kept(store: TemporaryStore) -> list[str]:
    return [json.loads(text)["_id"] for text in await store.find("conversations", "salon", Selection())]


async def test_each_line_of_a_file_is_a_record(store: Flaky) -> None:
    file = lines(4500)
    seen: list[ImportProgress] = []
    done = await an_import(store, file, progress=seen.append).run(file)
    assert done == ImportProgress(line=4500, read=len(file.getvalue()), written=4500)
    assert await kept(store) == [f"old-{number:05d}" for number in range(1, 4501)]
    assert store.pieces == [(2000, 2000), (2000, 4000), (500, 4500)]
    assert [progress.line for progress in seen] == [2000, 4000, 4500]


async def test_blank_lines_line_ends_of_windows_and_a_mark_of_byte_order_are_passed_over(store: Flaky) -> None:
    file = io.BytesIO(b"\xef\xbb\xbf" + line(_id="a") + b"\r\n\r\n \t\n" + line(_id="b") + b"\r\n\n")
    assert await an_import(store, file).run(file) == ImportProgress(line=5, read=len(file.getvalue()), written=2)
    assert await kept(store) == ["a", "b"]


async def test_an_empty_file_brings_nothing(store: Flaky) -> None:
    file = io.BytesIO()
    assert await an_import(store, file).run(file) == ImportProgress()


async def test_a_bad_line_ends_the_import_and_what_stood_before_it_is_written(store: Flaky) -> None:
    file = lines(900, _702="{", _703="{")
    work = an_import(store, file)
    with pytest.raises(ImportStopped) as stopped:
        await work.run(file)
    assert stopped.value.refusal.line == 702
    assert stopped.value.progress.written == 701
    assert await kept(store) == [f"old-{number:05d}" for number in range(1, 702)]
    assert await work.begin() == 701


async def test_bad_lines_can_be_told_and_passed_over(store: Flaky) -> None:
    file = lines(800, _1="[]", _3="{}", _700='{"_id":"x"}')
    told: list[Refusal] = []
    with pytest.raises(ImportStopped, match="JSON array"):
        await an_import(store, file, told.append).run(file)
    file = lines(800, _3="{}", _4="[]", _700='{"_id":"x"}')
    done = await an_import(store, file, told.append).run(file)
    assert (done.written, done.bad, done.line) == (797, 3, 800)
    assert [(one.line, one.pointer) for one in told] == [(3, "/_id"), (4, ""), (700, "/User")]


async def test_a_json_array_is_refused_with_what_to_do(store: Flaky) -> None:
    file = io.BytesIO(b"\n[" + line() + b",\n" + line(_id="b") + b"]")
    with pytest.raises(ImportStopped, match=r"application/x-ndjson.*jq"):
        await an_import(store, file).run(file)
    assert await kept(store) == []


async def test_a_line_that_is_far_too_long_is_told_and_the_next_one_is_read(store: Flaky) -> None:
    long = b'{"_id":"' + b"x" * (2 * MAX_RECORD_BYTES) + b'"}'
    file = io.BytesIO(line(_id="a") + b"\n" + long + b"\n" + line(_id="b"))
    told: list[Refusal] = []
    done = await an_import(store, file, told.append).run(file)
    assert done == ImportProgress(line=3, read=len(file.getvalue()), written=2, bad=1)
    assert [one.line for one in told] == [2]


async def test_a_rerun_goes_on_where_the_file_was_left(store: Flaky) -> None:
    file = lines(4200)
    work = an_import(store, file)

    def cut(progress: ImportProgress) -> None:
        if progress.line == 4000:
            raise Cut

    with pytest.raises(Cut):
        await an_import(store, file, progress=cut).run(file)
    store.pieces.clear()
    file.seek(0)
    assert await work.begin() == 4000
    done = await work.run(file, await work.begin())
    assert done.line == 4200
    assert len(await kept(store)) == 4200
    assert store.pieces == [(200, 4200)]


async def test_a_file_that_was_read_to_its_end_is_not_read_again_unless_asked(store: Flaky) -> None:
    file = lines(3)
    work = an_import(store, file)
    await work.run(file)
    file.seek(0)
    assert await work.run(file, await work.begin()) == ImportProgress(line=3, read=len(file.getvalue()))
    file.seek(0)
    assert await work.run(file) == ImportProgress(line=3, read=len(file.getvalue()), known=3)


def test_a_file_is_known_by_what_it_holds() -> None:
    contents = (b"", b"a", b"b", b"a" * 200_000, b"a" * 199_999 + b"b", b"b" + b"a" * 199_999, b"a" * 200_001)
    marks = {file_fingerprint(io.BytesIO(content), "conversations", 5) for content in contents}
    marks |= {file_fingerprint(io.BytesIO(content), "messages", 5) for content in contents}
    assert len(marks) == 2 * len(contents)
    file = io.BytesIO(b"abc")
    assert file_fingerprint(file, "messages", 5) == file_fingerprint(io.BytesIO(b"abc"), "messages", 5)
    assert file_fingerprint(file, "messages", 6) != file_fingerprint(io.BytesIO(b"abc"), "messages", 5)
    file.seek(0)
    assert file.read() == b"abc"


async def test_a_store_that_is_away_for_a_while_is_waited_for(store: Flaky) -> None:
    clock, file = Skipping(), lines(10)
    store.away = importing.MAX_TRIES - 1
    await an_import(store, file, clock=clock).run(file)
    assert len(await kept(store)) == 10
    assert clock.slept == [importing.RETRY_SECONDS] * (importing.MAX_TRIES - 1)


async def test_a_store_that_stays_away_ends_the_import(store: Flaky) -> None:
    file = lines(10)
    store.away = 100
    with pytest.raises(StoreError, match="away"):
        await an_import(store, file).run(file)


async def test_beside_a_service_less_goes_in_at_once(store: Flaky) -> None:
    clock, file = Skipping(), lines(250)
    await an_import(store, file, is_beside=True, clock=clock).run(file)
    assert store.pieces == [(100, 100), (100, 200), (50, 250)]
    assert len(clock.slept) == 3


def test_a_service_is_looked_for_now_and_then() -> None:
    answers = iter([False, True, False])
    pace = Pace(Skipping(), lambda: next(answers))
    most = [pace.most(now) for now in (100.0, 100.9, 101.0, 101.5, 102.5)]
    assert [one == importing.MAX_RECORDS_BESIDE_SERVICE for one in most] == [False, False, True, True, False]


async def test_large_records_make_small_pieces(store: Flaky) -> None:
    text = "x" * 1_500_000
    file = io.BytesIO(b"\n".join(line(_id=f"old-{number}", text=text) for number in range(7)))
    await an_import(store, file).run(file)
    assert store.pieces == [(3, 3), (3, 6), (1, 7)]
