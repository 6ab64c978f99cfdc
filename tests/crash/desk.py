"""A user who waits for a person, and the people who take, answer and give back chats through the studio.

Each of them knows what it said and which of it was acknowledged. What the user has read must hold both: each message
once, in the order in which its sender sent it. ``Desk`` is what they know of each other, beside the service.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from tests.crash import bots
from tests.crash.check import Fault, Kept, Line, Wanted
from tests.crash.door import GONE, PATIENCE, Stuck
from tests.crash.processes import BASE_URL
from tests.crash.users import User

if TYPE_CHECKING:
    import random

    from tests.crash.door import Door
    from tests.crash.outside import Moments, Outside
    from tests.crash.processes import ServiceProcess

Plan = Literal["give-back", "silence", "restart"]
"""How a hand-off ends."""
PLANS: Final[tuple[Plan, ...]] = ("give-back", "give-back", "silence", "restart")
RESTART: Final = "restart"
WEB = f"/v1/bots/{bots.QUEUE}/channels/web/web"
STUDIO = f"/v1/studio/bots/{bots.QUEUE}/hand-offs"


class Desk:
    """``plans``: by user, of the hand-off that runs. ``holders``: who was told to have a chat, by row and its begin."""

    def __init__(self) -> None:
        self.plans: dict[str, Plan] = {}
        self.begun: Counter[str] = Counter()
        """Hand-offs by user: what is done late may meet the user's next one, which nobody has."""
        self.holders: dict[tuple[str, str], str] = {}
        self.answers: dict[str, list[str]] = {}
        """Texts of people that were acknowledged, by user, in each person's order."""
        self.unknown: set[str] = set()
        """Texts of which nobody was told whether they were said: the hand-off was over when they were sent again."""


class Guest(User):
    """Asks for a person again and again, and waits until the bot speaks for itself again."""

    bot = bots.QUEUE

    def __init__(self, name: str, door: Door, moments: Moments, draw: random.Random, desk: Desk) -> None:
        super().__init__(name, door, moments, draw)
        self._desk = desk
        self._session = ""
        self._position = 0
        self._is_handed_over = False
        self._said: list[str] = []
        self._talks: list[tuple[Plan, int]] = []
        """How each talk was to end, and the place in ``seen`` at which it began."""

    async def run(self) -> None:
        opened = await self.door.ask("POST", f"{WEB}/sessions", f"Bearer {bots.token(self.bot, 'web')}", {})
        self.id, self._session = opened["user"]["id"], f"Bearer {opened['token']}"
        await super().run()

    async def talk(self) -> None:
        plan = self.draw.choice(PLANS)
        self._talks.append((plan, len(self.seen)))
        self._desk.plans[self.id] = plan
        self._desk.begun[self.id] += 1
        await self._say(bots.PARCEL if plan == "silence" else bots.REFUND)
        await self._until(lambda: Line("bot", bots.MOMENT) in self._of_talk)
        await self._read(0.0)
        for number in range(self.draw.randint(1, 3)):
            await self._ask(f"question {number}")
        if plan == "restart":
            for _ in range(self.draw.randint(0, 3)):
                await self._read(0.3)
            await self._say(RESTART)
            await self._until(lambda: self._of_talk[-1] == Line("bot", bots.AGAIN))
            return
        while True:
            while self._is_handed_over:
                heard = len(self.seen)
                await self._read(1.0)
                if len(self.seen) > heard and self._is_handed_over and self.draw.random() < 0.5:
                    await self._ask("thanks")
            await self._read(0.0)
            if Line("bot", bots.BACK) in self._of_talk:
                break
            people = self._people_heard
            await self._say(f"go on {len(self._said)}")
            # An answer that was accepted before, and said after a kill, makes the bot silent once more.
            if Line("bot", bots.BACK) not in self._of_talk and self._people_heard == people:
                self.door.tally.fault("timer", self.name, "the bot is silent although nobody has the chat")
        await self._say(bots.HAPPY)
        await self._until(lambda: self._of_talk[-1] == Line("bot", bots.THANKS))

    @property
    def _of_talk(self) -> list[Line]:
        return self.seen[self._talks[-1][1] :]

    @property
    def _people_heard(self) -> int:
        return sum(bool(person_of(line.text)) for line in self.seen)

    async def _ask(self, about: str) -> None:
        if Line("bot", bots.BACK) not in self._of_talk:
            await self._say(f"{about} {len(self._said)} of {self.name}")

    async def _say(self, text: str) -> None:
        """Say it and wait until it is read back, with what the bot says in the same turn."""
        await self.think()
        self._said.append(text)
        count = len(self._said)
        await self.door.ask("POST", f"{WEB}/messages", self._session, {"id": f"m{count}", "text": text})
        await self._until(lambda: sum(line.who == "user" for line in self.seen) >= count)
        await self._read(0.0)

    async def _until(self, claim: Any) -> None:
        end = time.monotonic() + PATIENCE
        while not claim():
            if time.monotonic() > end:
                self.door.tally.fault("lost", self.name, f"what must come never came; the last is {self.seen[-3:]}")
                raise Stuck(self.name)
            await self._read(1.0)

    async def _read(self, wait: float) -> None:
        """Positions are counted without a gap: each message comes once, in its order."""
        query = {"after": str(self._position), "wait": str(round(wait))}
        found = await self.door.ask("GET", f"{WEB}/messages", self._session, query=query)
        for message in found["messages"]:
            position = message["position"]
            if position != self._position + 1:
                kind = "doubled" if position <= self._position else "lost"
                self.door.tally.fault(kind, self.name, f"read message {position} after {self._position}")
            self._position = position
            self.seen.append(Line(message["from"], message["text"]))
            self.door.tally.found(check_person(self.name, message["text"], message.get("person")))
        self._is_handed_over = "handOff" in found

    def wanted(self, outside: Outside) -> list[Wanted]:
        found = []
        for number, (plan, begin) in enumerate(self._talks):
            end = self._talks[number + 1][1] if number + 1 < len(self._talks) else len(self.seen)
            lines = tuple(self.seen[begin:end])
            if plan == "restart":
                found.append(Wanted(lines, "handed-over", "refund", {}))
            else:
                goal = "parcel" if plan == "silence" else "refund"
                found.append(Wanted(lines, "success", goal, {"happy": bots.HAPPY}))
        return found

    def check(self, kept: list[Kept]) -> list[Fault]:
        """Compare what was read with what its user and people were told to have said, and with the records."""
        said = [line.text for line in self.seen if line.who == "user"]
        faults = [] if said == self._said else [Fault("lost", self.name, f"said {self._said}, read {said}")]
        answers = self._desk.answers.get(self.id, [])
        people = Counter(line.text for line in self.seen if line.who == "bot" and person_of(line.text))
        for text, count in (Counter(answers) - people).items():
            faults.append(Fault("lost", self.name, f"{text!r} was acknowledged, and is read {count} times too few"))
        faults += [
            Fault("doubled" if text in answers else "wrong", self.name, f"{text!r} is read")
            for text in people - Counter(answers)
            if text not in self._desk.unknown or people[text] > 1
        ]
        for name in {person_of(text) for text in answers}:
            sent = [text for text in answers if person_of(text) == name]
            read = [line.text for line in self.seen if line.text in set(sent)]
            if read != sent and Counter(read) == Counter(sent):
                faults.append(Fault("out of order", self.name, f"the answers of {name}"))
        for number, (_, begin) in enumerate(self._talks):
            end = self._talks[number + 1][1] if number + 1 < len(self._talks) else len(self.seen)
            bot = Counter(line.text for line in self.seen[begin:end] if line.who == "bot" and not person_of(line.text))
            if any(count != 1 for count in bot.values()):
                faults.append(Fault("doubled", self.name, f"the bot says in one talk {bot}"))
        for conversation in kept:
            for message in conversation.messages:
                faults += check_person(self.name, message["Text"], message.get("Person"))
        return faults


class Act(NamedTuple):
    """``outcome``: done, over or refused. ``is_sure``: what was done is known; not where the first try got no answer."""

    outcome: Literal["done", "over", "refused"]
    is_sure: bool
    found: dict[str, Any]


class Person:
    """Takes chats in a race with the others, answers, leaves notes, passes some on, gives back."""

    def __init__(self, name: str, door: Door, moments: Moments, draw: random.Random, desk: Desk) -> None:
        self.name = name
        self.door = door
        self._moments = moments
        self._draw = draw
        self._desk = desk
        self._cookie = ""
        self._acts = 0
        self._done: set[tuple[str, str]] = set()

    async def sign_in(self, service: ServiceProcess) -> None:
        link = await service.studio_link("agent", self.name)
        headers = {"Origin": BASE_URL}
        body = {"token": link.partition("#sign-in=")[2]}
        async with self.door.session.post(f"{service.url}/v1/studio/sign-in", json=body, headers=headers) as answer:
            assert answer.status == 200, await answer.text()
            self._cookie = answer.headers["Set-Cookie"].partition(";")[0]

    async def run(self) -> None:
        """Until it is cancelled; whoever gets stuck has said so to the tally."""
        try:
            while True:
                await self._look()
                await asyncio.sleep(self._draw.uniform(0.02, 0.2))
        except Stuck:
            return

    async def rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self._call("GET", ""))[1]["handOffs"]
        return found

    async def _look(self) -> None:
        rows = [row for row in await self.rows() if (row["id"], row["since"]) not in self._done]
        waiting = [row for row in rows if row["person"] is None]
        others = [row for row in rows if row["person"] is not None and row["person"]["name"] != self.name]
        if others and self._draw.random() < 0.3:
            row = self._draw.choice(others)
            text = self._text("in the place of another person")
            act = await self._act(row, "answer", text=text)
            if act.outcome == "done":
                self._fault("wrong", f"answered in a chat of {row['person']['name']}")
        if waiting:
            # The first one, as everybody does: most of the time several people press the button at once.
            await self._serve(waiting[0])

    async def _serve(self, row: dict[str, Any]) -> None:
        user: str = row["user"]
        place, plan, begun = (row["id"], row["since"]), self._desk.plans[user], self._desk.begun[user]
        act = await self._act(row, "take")
        if act.outcome != "done" or act.found.get("since") != row["since"]:
            return
        holder = self._desk.holders.setdefault(place, self.name)
        if holder != self.name or act.found["person"]["name"] != self.name:
            self._fault("wrong", f"was given a chat that {holder} has; the service says {act.found['person']}")
            return
        said = []
        for _ in range(self._draw.randint(1, 3)):
            await asyncio.sleep(self._draw.uniform(0, 0.3))
            if self._draw.random() < 0.2:
                await self._note(row, plan)
            text = self._text(f"to {row['user'][:8]}")
            act = await self._act(row, "answer", text=text)
            if self._desk.begun[user] == begun:
                self._check_act("answer", act, plan)
            if act.outcome == "done":
                said.append(text)
                self._desk.answers.setdefault(row["user"], []).append(text)
            elif act.outcome == "over" and not act.is_sure:
                self._desk.unknown.add(text)
            if act.outcome != "done":
                self._done.add(place)
                return
        await self._check_shown(row, said, plan)
        # Before it is sent: somebody else may have the chat before its answer is here.
        self._desk.holders.pop(place, None)
        if plan == "give-back" and self._draw.random() < 0.25:
            self._check_act("pass-on", await self._act(row, "pass-on", queue=bots.PEOPLE), plan)
            return
        self._done.add(place)
        if plan == "give-back":
            await self._act(row, "give-back")
        else:
            self._desk.holders[place] = self.name

    def _check_act(self, action: str, act: Act, plan: Plan) -> None:
        if act.outcome == "refused" and act.found.get("code") != "hand-off-over":
            self._fault("wrong", f"{action} in a chat of its own ({plan}): {act.found['detail']}")
        elif act.outcome != "done" and plan == "give-back":
            self._fault("timer", f"{action}: the hand-off was over before it was given back")

    async def _note(self, row: dict[str, Any], plan: Plan) -> None:
        text = self._text("to the others")
        act = await self._act(row, "note", text=text)
        if act.outcome == "done":
            await self._check_shown(row, [text], plan, notes=True)

    async def _check_shown(self, row: dict[str, Any], texts: list[str], plan: Plan, *, notes: bool = False) -> None:
        """The chat as people see it has each text once."""
        status, chat = await self._call("GET", f"/{row['id']}")
        if status == 404:
            if plan == "give-back":
                self._fault("timer", "the hand-off was over before it was given back")
            return
        if chat["handOff"]["since"] != row["since"]:
            return
        shown = Counter(one["text"] for one in chat["notes" if notes else "messages"])
        for text in texts:
            if shown[text] != 1:
                self._fault("lost" if not shown[text] else "doubled", f"{text!r} is shown {shown[text]} times")

    def _text(self, about: str) -> str:
        self._acts += 1
        return f"{self.name} answers {self._acts} {about}"

    def _fault(self, kind: str, what: str) -> None:
        self.door.tally.fault(kind, self.name, what)

    async def _act(self, row: dict[str, Any], action: str, **more: str) -> Act:
        self._acts += 1
        body = {"id": f"{self.name}-{self._acts}", "action": action, **more}
        self._moments.happened("acted")
        tries: list[int] = []
        status, found = await self._call("POST", f"/{row['id']}", body, tries)
        if status == 404:
            return Act("over", len(tries) == 1, found)
        return Act("refused" if status == 409 else "done", True, found)

    async def _call(
        self, method: str, path: str, body: Any = None, tries: list[int] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """The answer that a repetition would not change. Raises ``Stuck``."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            url = self.door.url
            if tries is not None:
                tries.append(len(tries))
            headers = {"Origin": BASE_URL, "Cookie": self._cookie}
            try:
                asked = self.door.session.request(method, f"{url}{STUDIO}{path}", json=body, headers=headers)
                async with asked as answer:
                    status, found = answer.status, {} if answer.status == 204 else await answer.json()
            except GONE as error:
                self.door.tally.met[type(error).__name__] += 1
                self.door.gone(url)
            else:
                if status in (200, 204, 404) or (status == 409 and found["code"] != "still-running"):
                    return status, found
                self.door.tally.met[str(status)] += 1
                if status not in (409, 503):
                    self.door.tally.fault("error", self.name, f"{method} {path}: {status} {found}")
                    raise Stuck(path)
            await asyncio.sleep(self._draw.uniform(0.02, 0.15))
        self.door.tally.fault("lost", self.name, f"{method} {path} got no answer in {PATIENCE:g} s: {body}")
        raise Stuck(path)


def person_of(text: str) -> str:
    """Return the name in a person's text; "" in one of the bot or the user."""
    name, answers, _ = text.partition(" answers ")
    return name if answers else ""


def check_person(whose: str, text: str, person: str | None) -> list[Fault]:
    """A message says who said it: people have their name in it, the bot has none."""
    if (person or "") == person_of(text):
        return []
    return [Fault("record", whose, f"{text!r} is said to be of {person}")]
