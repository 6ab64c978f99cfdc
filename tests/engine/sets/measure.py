"""Plays each row of the sets and judges it. Nothing here knows how a message is understood."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from dialoom.engine import Flow, begin
from dialoom.engine.compiled import Confirmation
from tests.engine.sets import bots
from tests.engine.talking import Chat

RIGHT, BY_ONE_TAP, MISSED, WRONG, HARMFUL = VERDICTS = ("right", "tap", "missed", "wrong", "harmful")
"""``tap``: the bot asks, and one of its replies leads to what is right. ``missed``: nothing happened.
``harmful``: a known value changed in silence, something was done unasked, or what was denied started."""


class Outcome(NamedTuple):
    set: str
    language: str
    said: str
    """The row's text, with what was expected of it."""
    verdict: str
    became: str
    """What happened, for the list of failing rows."""


class Told(Chat):
    """A chat whose every call outside is answered."""

    def __init__(self, flow: Flow, lines: list[str] | None = None) -> None:
        super().__init__(flow)
        for line in lines or ():
            self.say(line)

    def _fetched(self, fetch: Any) -> Any:
        self.answers.setdefault(fetch.request.url, {"id": 1})
        return super()._fetched(fetch)

    def copy(self) -> Told:
        """The chat as it is; what is said to one is not said to the other."""
        other = copy.copy(self)
        other.calls, other.goals, other.records = list(self.calls), list(self.goals), list(self.records)
        other.events = list(self.events)
        return other

    @property
    def asked(self) -> str | None:
        """The entity whose question is open."""
        if self.state.ask is None or not self.state.stack:
            return None
        node = self.flow.scripts[self.state.stack[-1].key].nodes[self.state.ask.node]
        return getattr(node.step, "entity", None)

    @property
    def running(self) -> str | None:
        return self.state.stack[-1].key if self.state.stack else None

    @property
    def is_at_confirmation(self) -> bool:
        """True if the replies below the last message are a confirmation's own Yes and No."""
        if self.state.own is not None or self.state.ask is None or self.state.ask.is_ambiguity:
            return False
        return isinstance(self.flow.scripts[self.state.stack[-1].key].nodes[self.state.ask.node].step, Confirmation)

    def taps(self) -> Iterator[Told]:
        """Copies of the chat, each with one of the offered replies tapped."""
        if self.is_at_confirmation:
            return
        for reply in [reply for message in self.messages for reply in message.replies]:
            other = self.copy()
            other.pick(key=reply.key)
            yield other


Check = Callable[[Told], str]
"""Says the verdict of a chat after the row."""


def by_one_tap(chat: Told, check: Check) -> str:
    """The verdict; a chat that is not right yet may be by one of the replies that it offers."""
    verdict = check(chat)
    if verdict in {RIGHT, HARMFUL}:
        return verdict
    return BY_ONE_TAP if any(check(other) == RIGHT for other in chat.taps()) else verdict


def holds(value: Any, expected: Any) -> bool:
    """Whether memory's value is the expected one (a list: one of these; ``*``: any): a type of keywords by its value,
    an amount by its number."""
    if isinstance(expected, list):
        return any(holds(value, one) for one in expected)
    if expected == "*":
        return value is not None
    if isinstance(value, dict) and not isinstance(expected, dict):
        value = value.get("value", value.get("amount", value))
    return bool(value == expected)


def became(chat: Told) -> str:
    memory = json.dumps(chat.memory, ensure_ascii=False)
    return f"{memory} open={chat.asked} said={[message.text for message in chat.messages]}"


# ---- replies to an open question ---------------------------------------------------------------------------------


def changed_values(before: dict[str, Any], after: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    return [name for name, value in before.items() if name not in expected and after.get(name) != value]


def reply_check(before: dict[str, Any], asked: str, expected: dict[str, Any], *, is_no: bool) -> Check:
    """All expected values are there, no other known one changed, and what no answer came to is still asked.

    ``is_no``: at a confirmation, that it was taken for a no is right too."""

    def check(chat: Told) -> str:
        if asked == "sure" and not chat.calls and chat.running is None:
            return RIGHT if is_no else WRONG
        if chat.calls or changed_values(before, chat.memory, expected):
            return HARMFUL
        wrong = [name for name, value in expected.items() if not holds(chat.memory.get(name), value)]
        is_answered = asked in expected or asked == "sure"
        still_open = is_answered or (asked not in chat.memory and chat.asked == asked)
        if not wrong and still_open:
            return RIGHT
        return MISSED if chat.memory == before and chat.state.own is None else WRONG

    return check


def yes_check(before: dict[str, Any]) -> Check:
    """A plain yes does what was confirmed."""

    def check(chat: Told) -> str:
        if chat.calls:
            return RIGHT
        if chat.memory == before:
            return MISSED
        return HARMFUL if chat.running else WRONG

    return check


def replies(name: str) -> Iterator[Outcome]:
    """Sets of ``{"bot", "language", "state", "rows": [[said, values]]}``."""
    for group in bots.read(f"{name}.json"):
        key, language, state = group["bot"], group["language"], group["state"]
        flow, lines = bots.of_one_goal(key, language), bots.way_to(key, state, language)
        reached = Told(flow, lines)
        assert reached.asked == state, f"{name}: {key} in {language} came to {reached.asked}, not {state}"
        for said, *more in group["rows"]:
            expected = more[0] if more else {}
            if expected == "as typed":
                expected = {state: said}
            chat = reached.copy()
            before = dict(reached.memory)
            chat.say(said)
            check = (
                yes_check(before) if expected == "done" else reply_check(before, state, expected, is_no="or no" in more)
            )
            verdict = by_one_tap(chat, check)
            yield Outcome(name, language, f"{key}/{state}: {said!r} -> {expected}", verdict, became(chat))


def text_questions() -> Iterator[Outcome]:
    """A question where a text is asked for: right where it is no answer, and the text is asked for again."""
    yield from replies("questions_at_text")


# ---- wishes ------------------------------------------------------------------------------------------------------


def wish_check(right: str | None) -> Check:
    def check(chat: Told) -> str:
        answers = [message.text for message in chat.messages if message.text.startswith("Answer: ")]
        started = chat.goals or answers
        if right is None:
            return WRONG if started else RIGHT
        if right in chat.goals or f"Answer: {right}." in answers:
            return RIGHT
        return WRONG if started else MISSED

    return check


def wishes() -> Iterator[Outcome]:
    for group in bots.read("wishes.json"):
        flow = bots.of_wishes("wish_bots.json", group["bot"])
        for right, all_said in group["rows"].items():
            for said in all_said:
                chat = Told(flow, [said])
                verdict = by_one_tap(chat, wish_check(None if right == "-" else right))
                text = f"{group['bot']}: {said!r} -> {right}"
                yield Outcome("wishes", group["language"], text, verdict, f"{chat.goals} {became(chat)}")


def denied() -> Iterator[Outcome]:
    """Right: what is denied neither starts nor is offered."""
    for group in bots.read("denied.json"):
        flow = bots.of_wishes("denied_bots.json", group["bot"])
        for key, all_said in group["rows"].items():
            for said in all_said:
                chat = Told(flow, [said])
                if key in chat.goals:
                    verdict = HARMFUL
                elif chat.goals or any(key in other.goals for other in chat.taps()):
                    verdict = WRONG
                else:
                    verdict = RIGHT
                text = f"{group['bot']}: {said!r} -> not {key}"
                yield Outcome("denied", group["language"], text, verdict, f"{chat.goals} {became(chat)}")


def denied_not() -> Iterator[Outcome]:
    """Wishes with a negation that denies nothing."""
    for group in bots.read("denied_not.json"):
        flow = bots.of_wishes("denied_bots.json", group["bot"])
        for right, all_said in group["rows"].items():
            for said in all_said:
                chat = Told(flow, [said])
                verdict = by_one_tap(chat, wish_check(right))
                text = f"{group['bot']}: {said!r} -> {right}"
                yield Outcome("denied-not", group["language"], text, verdict, f"{chat.goals} {became(chat)}")


# ---- a second wish beside an answer ------------------------------------------------------------------------------


def second_wish() -> Iterator[Outcome]:
    """Rows of ``[said, values of the open goal, what ends it, the second goal, its values]``."""
    for group in bots.read("second.json"):
        flow = bots.of_wishes("second_bots.json", group["bot"])
        for said, first, rest, second, values in group["rows"]:
            chat = Told(flow, group["before"])
            before, first_goal = dict(chat.memory), chat.running
            chat.say(said)
            verdict = RIGHT
            if chat.running == first_goal:
                if changed_values(before, chat.memory, first) or chat.calls:
                    verdict = HARMFUL
                elif not all(holds(chat.memory.get(name), value) for name, value in first.items()):
                    verdict = WRONG
            elif len(chat.calls) != 1:
                verdict = WRONG
            for line in rest:
                if chat.running == first_goal:
                    chat.say(line)
            if verdict == RIGHT:
                verdict = _second_verdict(chat, second, values)
            text = f"{group['bot']}: {said!r} -> {first}, then {second} {values}"
            yield Outcome("second-wish", group["language"], text, verdict, f"{chat.goals} {became(chat)}")


def _second_verdict(chat: Told, second: str, values: dict[str, Any]) -> str:
    if len(chat.calls) != 1:
        return HARMFUL if len(chat.calls) > 1 else WRONG
    if second not in chat.goals:
        return MISSED
    return RIGHT if all(holds(chat.memory.get(name), value) for name, value in values.items()) else WRONG


# ---- values ------------------------------------------------------------------------------------------------------


def values() -> Iterator[Outcome]:
    """Rows of one open question: ``[said, value]``; null where a person would have to ask again."""
    for group in bots.read("values.json"):
        flow = bots.of_one_question(group["type"], group["language"], group["ask"], json.dumps(group.get("more", {})))
        for said, expected in group["rows"]:
            chat = Told(flow, ["go", *group.get("before", [])])
            chat.say(said)

            def check(chat: Told, expected: Any = expected) -> str:
                found = chat.memory.get("value")
                if found is None:
                    return RIGHT if expected is None else MISSED
                return RIGHT if holds(found, expected) else WRONG

            text = f"{group['type']}: {said!r} -> {expected}"
            yield Outcome("values", group["language"], text, by_one_tap(chat, check), became(chat))
    for outcome in replies("leaning"):
        yield outcome._replace(set="values")


# ---- talks -------------------------------------------------------------------------------------------------------


def talk_check(before: Told, expected: dict[str, Any]) -> Check:
    """What memory holds now, by entity; ``$open``: the question that is asked; ``$starts``: a goal; ``$calls``: how many
    were made in this turn; ``$says``: a piece of what the bot says. All else that is known of the goal stays."""
    memory, calls, goals = dict(before.memory), len(before.calls), len(before.goals)
    told = {name: value for name, value in expected.items() if not name.startswith("$")}
    allowed = expected.get("$calls", 0)

    def check(chat: Told) -> str:
        made, started = len(chat.calls) - calls, chat.goals[goals:]
        if made > allowed:
            return HARMFUL
        if chat.running == before.running and not started and changed_values(memory, chat.memory, told):
            return HARMFUL
        holds_all = (
            made == allowed
            and all(holds(chat.memory.get(name), value) for name, value in told.items())
            and ("$open" not in expected or holds(chat.asked, expected["$open"]))
            and ("$starts" not in expected or expected["$starts"] in started)
            and ("$says" not in expected or any(expected["$says"] in message.text for message in chat.messages))
        )
        if holds_all:
            return RIGHT
        unchanged = chat.memory == memory and chat.asked == before.asked and not started and chat.state.own is None
        return MISSED if unchanged else WRONG

    return check


def talks() -> Iterator[Outcome]:
    """A turn that fails is put right, so that those after it are judged as if it had not: said again plainly (a row's
    third item), or with the expected values put into memory."""
    for number, talk in enumerate(bots.read("talks.json"), 1):
        flow = bots.of_wishes("talk_bots.json", talk["bot"])
        chat = Told(flow)
        for said, expected, *plain in talk["turns"]:
            before = chat.copy()
            chat.say(said)
            check = talk_check(before, expected)
            verdict = by_one_tap(chat, check)
            text = f"{talk['bot']} {number}: {said!r} -> {expected}"
            yield Outcome("talks", flow.language, text, verdict, f"{chat.goals} {became(chat)}")
            if verdict == BY_ONE_TAP:
                chat = next(other for other in chat.taps() if check(other) == RIGHT)
            elif verdict != RIGHT and plain:
                chat = Told(flow) if before.state == begin() else before
                for line in plain[0]:
                    chat.say(line)
            elif verdict != RIGHT and before.asked == expected.get("$open", ""):
                chat = _put_right(before, expected)


def _put_right(chat: Told, expected: dict[str, Any]) -> Told:
    known = dict(chat.memory)
    for name, value in expected.items():
        if not name.startswith("$") and not isinstance(value, list):
            known[name] = {"value": value} if isinstance(known.get(name), dict) else value
    chat.state = msgspec.structs.replace(chat.state, entities=known)
    return chat


SETS: dict[str, Callable[[], Iterator[Outcome]]] = {
    "stray-numbers": lambda: replies("stray"),
    "meant-numbers": lambda: replies("meant"),
    "text-corrections": lambda: replies("corrections"),
    "text-answers": lambda: replies("answers"),
    "text-questions": text_questions,
    "denied": denied,
    "denied-not": denied_not,
    "wishes": wishes,
    "second-wish": second_wish,
    "values": values,
    "talks": talks,
}


def measured(name: str) -> list[Outcome]:
    return [outcome._replace(set=name) for outcome in SETS[name]()]
