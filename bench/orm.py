"""The same form and the same durable work, written as most services are: FastAPI, pydantic, SQLAlchemy's ORM.

``python -m bench.orm DATABASE_URL`` prints its address as the service does. For each message: whether its key was seen
before, the user's memory, two messages and the record with their JSON, the answer under the key; one transaction,
durable before the answer. No order between a user's messages, nothing sealed or understood, no journal, outbox, leases.
"""

from __future__ import annotations

import socket
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import uvicorn
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel
from sqlalchemy import JSON, Engine, Index, event
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

TOKEN = "bench-token-of-the-form"
QUESTIONS = ("What is your name?", "Hello {name}, how old are you?", "Which colour do you like?")
NAMES = ("name", "age", "colour")


class Base(DeclarativeBase):
    pass


class Chat(Base):
    __tablename__ = "chats"
    bot: Mapped[str] = mapped_column(primary_key=True)
    user: Mapped[str] = mapped_column(primary_key=True)
    conversation: Mapped[str | None]
    memory: Mapped[dict[str, Any]] = mapped_column(JSON)
    position: Mapped[int]
    silence_due: Mapped[datetime] = mapped_column(index=True)


class Conversation(Base):
    __tablename__ = "conversations"
    bot: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    user: Mapped[str]
    status: Mapped[str]
    started_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    messages_user: Mapped[int]
    messages_bot: Mapped[int]
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    __table_args__ = (
        Index("conversations_started", "bot", "started_at"),
        Index("conversations_status", "bot", "status", "started_at"),
        Index("conversations_counts", "bot", "messages_user", "started_at"),
    )


class Message(Base):
    __tablename__ = "messages"
    bot: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    conversation: Mapped[str]
    sender: Mapped[str]
    text: Mapped[str]
    created_at: Mapped[datetime]
    sequence: Mapped[int]
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    __table_args__ = (
        Index("messages_conversation", "bot", "conversation", "sequence"),
        Index("messages_created", "bot", "created_at"),
    )


class Answer(Base):
    __tablename__ = "answers"
    bot: Mapped[str] = mapped_column(primary_key=True)
    user: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    body: Mapped[list[dict[str, str]]] = mapped_column(JSON)


class Sender(BaseModel):
    id: str


class Said(BaseModel):
    id: str
    text: str


class Body(BaseModel):
    sender: Sender
    message: Said


def build(url: str) -> FastAPI:
    engine = create_async_engine(url, pool_size=16, max_overflow=16)
    if url.startswith("sqlite"):
        _as_durable(engine.sync_engine)
    sessions = async_sessionmaker(engine, expire_on_commit=False)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        async with engine.begin() as connection:
            await connection.run_sync(Base.metadata.create_all)
        yield
        await engine.dispose()

    app = FastAPI(lifespan=life)

    @app.post("/v1/bots/{bot}/channels/{channel}/rest/{name}")
    async def say(bot: str, channel: str, name: str, body: Body, authorization: str = Header()) -> list[dict[str, str]]:
        if authorization != f"Bearer {TOKEN}":
            raise HTTPException(401)
        async with sessions() as session, session.begin():
            return await _turn(session, bot, body)

    return app


def _as_durable(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        for setting in ("journal_mode=wal", "synchronous=full", "busy_timeout=10000"):
            connection.execute(f"pragma {setting}").close()


async def _turn(session: AsyncSession, bot: str, body: Body) -> list[dict[str, str]]:
    user, text, now = body.sender.id, body.message.text, datetime.now(UTC).replace(tzinfo=None)
    seen = await session.get(Answer, (bot, user, body.message.id))
    if seen is not None:
        return seen.body
    chat = await session.get(Chat, (bot, user))
    if chat is None:
        chat = Chat(bot=bot, user=user, conversation=None, memory={}, position=0, silence_due=now)
        session.add(chat)
    record = await session.get(Conversation, (bot, chat.conversation)) if chat.conversation else None
    if record is None:
        record = Conversation(
            bot=bot, id=str(uuid.uuid4()), user=user, status="active", started_at=now, messages_user=0, messages_bot=0
        )
        session.add(record)
        chat.conversation, chat.memory = record.id, {}
    elif record.messages_user:
        chat.memory = chat.memory | {NAMES[record.messages_user - 1]: text.title()}
    count = record.messages_user
    said = (
        QUESTIONS[count].format(**chat.memory)
        if count < len(QUESTIONS)
        else "Thank you, {name}: {age} and {colour}.".format(**chat.memory).replace("Navy", "Blue")
    )
    if count == len(QUESTIONS):
        record.status, chat.conversation = "success", None
    ids = []
    for sender, words in (("user", text), ("bot", said)):
        chat.position += 1
        ids.append(str(uuid.uuid4()))
        data = {"from": sender, "text": words, "step": f"register/{count}"}
        session.add(
            Message(
                bot=bot,
                id=ids[-1],
                conversation=record.id,
                sender=sender,
                text=words,
                created_at=now,
                sequence=2 * count + len(ids),
                data=data,
            )
        )
    record.messages_user, record.messages_bot = count + 1, count + 1
    record.updated_at, record.data = now, {"entities": chat.memory, "context": {}, "user": {"id": user}}
    chat.silence_due = now
    answer = [{"id": ids[-1], "text": said}]
    session.add(Answer(bot=bot, user=user, key=body.message.id, body=answer))
    return answer


def main() -> None:
    door = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(f"API description: http://127.0.0.1:{door.getsockname()[1]}/", flush=True)
    config = uvicorn.Config(build(sys.argv[-1]), log_config=None, access_log=False, loop="uvloop", http="httptools")
    uvicorn.Server(config).run(sockets=[door])


if __name__ == "__main__":
    main()
