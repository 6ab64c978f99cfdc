"""What must be found after kills, compared with what is found. Pure: lists in, faults out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KINDS = ("lost", "doubled", "out of order", "wrong", "record", "call", "timer", "delivery", "error")
"""wrong: a text that nobody was to say, as when memory was lost. error: what a user saw beside a repeatable refusal."""


class Line(NamedTuple):
    """A message of a chat. ``who``: user or bot."""

    who: str
    text: str


class Fault(NamedTuple):
    kind: str
    whose: str
    what: str


class Wanted(NamedTuple):
    """A conversation as it must have been."""

    lines: tuple[Line, ...]
    status: str
    goal: str | None
    entities: dict[str, Any]


class Kept(NamedTuple):
    """A conversation as the history API gives it, with its messages by Sequence."""

    record: dict[str, Any]
    messages: tuple[dict[str, Any], ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(line_of(message) for message in self.messages)


class Call(NamedTuple):
    """A call that the outside got."""

    method: str
    key: str | None
    body: bytes
    at: float


class Post(NamedTuple):
    """A delivery that the outside got. ``place``: which of its chat's it is. ``is_taken``: it was answered with 2xx. ``at``: when."""

    key: str | None
    body: bytes
    place: int
    is_taken: bool
    at: float = 0.0


def line_of(message: dict[str, Any]) -> Line:
    return Line(message["From"], message["Text"])


def compare(whose: str, wanted: Sequence[Line], found: Sequence[Line]) -> list[Fault]:
    """The messages of one user: each once, in their order."""
    if list(wanted) == list(found):
        return []
    must, have = Counter(wanted), Counter(found)
    faults = [Fault("lost", whose, str(line)) for line in (must - have).elements()]
    more = (have - must).elements()
    faults += [Fault("doubled" if line in must else "wrong", whose, str(line)) for line in more]
    # What is there of what must be there, in both orders: a loss alone does not put the others out of theirs.
    common = must & have
    if _only(wanted, common) != _only(found, common):
        faults.append(Fault("out of order", whose, "the messages that are there"))
    faults[0] = faults[0]._replace(what=f"{faults[0].what} ({_first_difference(wanted, found)})")
    return faults


def _only(lines: Iterable[Line], of: Counter[Line]) -> list[Line]:
    left, kept = Counter(of), []
    for line in lines:
        if left[line] > 0:
            left[line] -= 1
            kept.append(line)
    return kept


def _first_difference(wanted: Sequence[Line], found: Sequence[Line]) -> str:
    for place, (one, other) in enumerate(zip(wanted, found, strict=False)):
        if one != other:
            return f"message {place + 1} is {other}, must be {one}, after {[line.text for line in found[max(0, place - 3) : place]]}"
    return "one ends before the other"


def check_seen(whose: str, seen: Sequence[Line], found: Sequence[Line]) -> list[Fault]:
    """What a user has seen is kept, in that order; more may have been stored since."""
    return compare(whose, seen, found[: len(seen)])


def check_chat(whose: str, wanted: Sequence[Wanted], found: Sequence[Kept]) -> list[Fault]:
    """All conversations of one user."""
    faults = compare(whose, _all_lines(wanted), _all_lines(found))
    for kept in found:
        faults += _check_counts(whose, kept)
    if len(wanted) != len(found):
        faults.append(Fault("record", whose, f"{len(found)} conversations, must be {len(wanted)}"))
        return faults
    for must, kept in zip(wanted, found, strict=True):
        named = {"Status": must.status, "Goal": must.goal, "Errors": 0}
        for name, value in named.items():
            if kept.record[name] != value:
                faults.append(Fault("record", whose, f"{name} is {kept.record[name]!r}, must be {value!r}"))
        if kept.record["Data"]["entities"] != must.entities:
            have = kept.record["Data"]["entities"]
            faults.append(Fault("record", whose, f"entities are {have}, must be {must.entities}"))
        if must.status not in ("active", "handed-over") and kept.record["EndedAt"] is None:
            faults.append(Fault("record", whose, "ended, but has no EndedAt"))
    return faults


def _all_lines(conversations: Iterable[Wanted | Kept]) -> list[Line]:
    return [line for conversation in conversations for line in conversation.lines]


def _check_counts(whose: str, kept: Kept) -> list[Fault]:
    faults = []
    numbers = [message["Sequence"] for message in kept.messages]
    if numbers != list(range(1, len(numbers) + 1)):
        faults.append(Fault("record", whose, f"Sequence is {numbers}"))
    by_whom = Counter(line.who for line in kept.lines)
    counts = {"user": by_whom["user"], "bot": by_whom["bot"]}
    if kept.record["Messages"] != counts:
        faults.append(Fault("record", whose, f"Messages is {kept.record['Messages']}, kept are {counts}"))
    return faults


def repeats(calls: Sequence[Call]) -> int:
    """How many of the calls of one turn were made again."""
    return len(calls) - len({call.method for call in calls})


def check_calls(whose: str, calls: Sequence[Call], kills: int) -> list[Fault]:
    """The calls of one turn: each came; at most one was repeated a kill, under the same key with the same body."""
    faults = [Fault("call", whose, f"no {method} came") for method in ("GET", "POST") if method not in _methods(calls)]
    posts = [call for call in calls if call.method == "POST"]
    if len({call.key for call in posts}) > 1 or any(call.key is None for call in posts):
        faults.append(Fault("call", whose, f"keys of one call are {sorted({str(call.key) for call in posts})}"))
    if len({call.body for call in posts}) > 1:
        faults.append(Fault("call", whose, "two bodies under one key"))
    if repeats(calls) > kills:
        faults.append(Fault("call", whose, f"{repeats(calls)} calls repeated, of {kills} kills meanwhile"))
    order = list(dict.fromkeys(call.method for call in sorted(calls, key=lambda call: call.at)))
    if order not in (["GET", "POST"], ["GET"], []) or _went_back(calls):
        faults.append(Fault("call", whose, "a call was repeated whose result was journaled"))
    return faults


def _methods(calls: Iterable[Call]) -> set[str]:
    return {call.method for call in calls}


def _went_back(calls: Sequence[Call]) -> bool:
    """The GET comes first, and its result is journaled before the POST goes out: none comes after one."""
    methods = [call.method for call in sorted(calls, key=lambda call: call.at)]
    return "POST" in methods and "GET" in methods[methods.index("POST") :]


def check_posts(whose: str, posts: Sequence[Post], count: int) -> list[Fault]:
    """The deliveries of one chat, as they came: each at least once, under one key with one body, in their order."""
    faults = []
    keys: dict[str | None, Post] = {}
    taken: set[str | None] = set()
    before: str | None = None
    for post in posts:
        is_new = post.key not in keys
        if keys.setdefault(post.key, post).body != post.body:
            faults.append(Fault("delivery", whose, f"two bodies under {post.key}"))
        if post.key != before and (not is_new or before not in {*taken, None}):
            faults.append(Fault("delivery", whose, f"{post.key} came before {before} was taken, or after the next"))
        before = post.key
        if post.is_taken:
            taken.add(post.key)
    places = [post.place for post in keys.values()]
    if places != sorted(set(places)):
        faults.append(Fault("delivery", whose, f"came in the order {places}"))
    if len(taken) != count or len(keys) != count:
        last = [(post.key, post.is_taken, round(post.at, 1)) for post in posts[-3:]]
        told = f"{len(keys)} came, {len(taken)} were taken, must be {count}; the last: {last}"
        faults.append(Fault("delivery", whose, told))
    return faults
