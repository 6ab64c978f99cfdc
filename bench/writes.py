"""Turns as a store takes them, made in advance from a seed, so that every store and every run gets the same ones.

Two messages, one record, 1 kB of memory, an answer under the client's key, a timer that is put off.
"""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING

from dialoom.messages import ConversationRecord, MessageRecord
from dialoom.messages.records import ChannelData, Data, MessageCounts, UserData
from dialoom.service.clock import IdSource, iso
from dialoom.storage.store import ChatKey, Dedupe, StoredMessage, TimerRow, TurnWrite

if TYPE_CHECKING:
    from collections.abc import Sequence

USERS = 2000
TURNS_A_CONVERSATION = 5
START = 1_790_000_000_000


class User:
    """Makes the turns of one user, one conversation after the other."""

    def __init__(self, number: int, ids: IdSource, draw: random.Random) -> None:
        self.key = ChatKey("salon", "web", f"0199c0de-0000-7000-8000-{number:012d}")
        self.ids = ids
        # Sealed memory does not compress.
        self.memory = draw.randbytes(1024)
        self.turn = 0
        self.record: ConversationRecord | None = None

    def next(self, now: int) -> TurnWrite:
        turn = self.turn % TURNS_A_CONVERSATION + 1
        if turn == 1 or self.record is None:
            self.record = self._begun(now)
        record = self.record
        record.updated_at = iso(now)
        record.messages = MessageCounts(turn, turn)
        record.data.entities = {"service": {"value": "cut", "minutes": 30}, "date": "2026-11-20", "people": turn}
        if turn == TURNS_A_CONVERSATION:
            record.status, record.ended_at = "success", iso(now)
        position = 2 * self.turn
        messages = tuple(
            StoredMessage(position + place, self._message(record, place, 2 * turn - 2 + place, now)) for place in (1, 2)
        )
        self.turn += 1
        return TurnWrite(
            key=self.key,
            number=None,
            dedupe=Dedupe(f"client-{self.turn}", b"0" * 32),
            answer=b"x" * 300,
            state=self.memory,
            revision=self.turn - 1,
            position=position + 2,
            records=(copy.deepcopy(record),),
            messages=messages,
            timers=(TimerRow(self.key, "session", now + 1_800_000),),
            now=now,
        )

    def _begun(self, now: int) -> ConversationRecord:
        bot, channel, user = self.key
        return ConversationRecord(
            id=self.ids.make(now),
            bot=bot,
            user=user,
            channel=channel,
            started_at=iso(now),
            updated_at=iso(now),
            messages=MessageCounts(),
            flow_version="4f1c0de4f1c0de4f",
            goal="book",
            data=Data(ChannelData("web", "web"), UserData(first_name="Ada", locale="en", timezone="UTC")),
        )

    def _message(self, record: ConversationRecord, place: int, sequence: int, now: int) -> MessageRecord:
        bot, channel, user = self.key
        return MessageRecord(
            id=self.ids.make(now),
            bot=bot,
            conversation=record.id,
            user=user,
            channel=channel,
            from_="user" if place == 1 else "bot",
            type="text",
            text="On Friday at ten, please, and for two people if that can be done.",
            payload={"replies": [{"title": "Yes", "value": True}, {"title": "No", "value": False}]},
            step="book/3",
            created_at=iso(now),
            sequence=sequence,
        )


class Talk:
    """What so many talkers write, each one turn after the other: first to warm the store up, then to measure."""

    def __init__(self, talkers: int, warm: int, turns: int) -> None:
        draw, ids = random.Random(talkers), IdSource()
        users = [User(number, ids, draw) for number in range(USERS)]
        self.keys = [user.key for user in users]
        parts = [users[number::talkers] for number in range(talkers)]
        self.warm = [_turns(draw, part, 1 + warm // talkers, START) for part in parts]
        """A list of turns a talker."""
        self.turns = [_turns(draw, part, turns // talkers, START + warm) for part in parts]


def _turns(draw: random.Random, users: Sequence[User], count: int, start: int) -> list[TurnWrite]:
    return [draw.choice(users).next(start + number) for number in range(count)]
