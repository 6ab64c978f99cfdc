"""A bot from a few dictionaries, and a talk with it as a table of what is said on both sides."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from dialoom.engine import Flow, State, Turn, begin, compile_flow, turn
from dialoom.engine.effects import Ended, Failed, Fetch, GoalStarted, Heard, Refresh, Send
from dialoom.engine.events import (
    Began,
    ContextGiven,
    Event,
    Fetched,
    LoggedIn,
    NoResponse,
    Picked,
    Response,
    Said,
    TimedOut,
)
from dialoom.flow import Bot, read_files
from dialoom.flow.model import BotFile, FlowFile, TrainingFile
from dialoom.messages import BotMessage, Profile

NOON = 1_795_176_000_000
"""Friday 2026-11-20, 12:00 UTC."""
MINUTE = 60_000
SESSION = 1440 * MINUTE

ASKED = Profile(id="u1", channel="web", provider="web", first_name="Ada")


def q(entity: str, type: str = "Text", *messages: str, **more: Any) -> dict[str, Any]:
    """A question; it asks "<entity>?" unless told otherwise."""
    return {
        "type": "question",
        "entity": entity,
        "entity-type": type,
        "messages": list(messages) or [f"{entity}?"],
        **_keys(more),
    }


def say(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"type": "message", "messages": list(messages), **_keys(more)}


def hook(
    entity: str | None, endpoint: str, *messages: str, source: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    step = {"type": "webhook", "data-source": {"endpoint": endpoint, **(source or {})}, "messages": list(messages)}
    return step | ({"entity": entity} if entity else {}) | _keys(more)


def confirm(entity: str, *messages: str, **more: Any) -> dict[str, Any]:
    return {"type": "confirmation", "entity": entity, "messages": list(messages) or ["Right?"], **_keys(more)}


def run(conversation: str, **more: Any) -> dict[str, Any]:
    return {"type": "conversation", "conversation": conversation, **_keys(more)}


def do(command: str, **more: Any) -> dict[str, Any]:
    return {"type": "command", "command": command, **_keys(more)}


def goal(*steps: dict[str, Any], name: str | None = None) -> dict[str, Any]:
    return {"type": "goal", "steps": list(steps)} | ({"display-name": name} if name else {})


def support(*steps: dict[str, Any], name: str | None = None) -> dict[str, Any]:
    return {"type": "support", "steps": list(steps)} | ({"display-name": name} if name else {})


def quick(*data: Any, **more: Any) -> dict[str, Any]:
    return {"type": "quick-reply"} | ({"data": list(data)} if data else {}) | _keys(more)


def check(type: str, *errors: str, **parameters: Any) -> dict[str, Any]:
    return {"type": type, "parameters": _keys(parameters), "error-message": list(errors)}


def trait(**expressions: list[str]) -> dict[str, Any]:
    """The trait ``Conversation``."""
    data = [{"value": key.replace("_", "-"), "expressions": said} for key, said in expressions.items()]
    return {"name": "Conversation", "lookup-strategy": "trait", "data": data}


def keywords(name: str, **values: list[str]) -> dict[str, Any]:
    data = [{"value": value, "synonyms": synonyms} for value, synonyms in values.items()]
    return {"name": name, "lookup-strategy": "keywords", "data": data}


def _keys(more: dict[str, Any]) -> dict[str, Any]:
    return {key.replace("_", "-"): value for key, value in more.items()}


def _present(type: dict[str, Any], conversations: dict[str, Any]) -> dict[str, Any]:
    """The trait ``Conversation`` of a whole test file without the conversations that one bot leaves out."""
    if type["name"] != "Conversation":
        return type
    return type | {"data": [row for row in type["data"] if row["value"] in conversations or row["value"] == "restart"]}


def unchecked(conversations: dict[str, Any], *types: dict[str, Any], **settings: Any) -> Bot:
    """A bot that the reader's checks have not seen: for what the engine runs before loading lets it through."""
    flow = {"conversations": conversations, "settings": _keys(settings)}
    return Bot(
        file=BotFile(id="b"),
        flow=msgspec.convert(flow, FlowFile),
        training=msgspec.convert({"entity-definitions": types}, TrainingFile),
        version="1",
    )


def bot(
    conversations: dict[str, Any],
    *types: dict[str, Any],
    language: str = "en",
    commands: dict[str, Any] | None = None,
    **settings: Any,
) -> Flow:
    flow: dict[str, Any] = {"conversations": conversations, "settings": _keys(settings)}
    if commands is not None:
        flow["commands"] = commands
    files = {
        "bot.json": json.dumps({"id": "b", "language": language}),
        "flow.json": json.dumps(flow),
        "training.json": json.dumps({"entity-definitions": [_present(type, conversations) for type in types]}),
    }
    return compile_flow(read_files(files))


class Chat:
    """One user's talk. ``answers``: URL to a JSON body, a ``Response`` or a ``NoResponse``, or a list of them in turn."""

    def __init__(self, flow: Flow, answers: dict[str, Any] | None = None, *, now: int = NOON) -> None:
        self.flow = flow
        self.answers = answers or {}
        self.now = now
        self.state: State = begin()
        self.last: Turn = Turn(self.state, ())
        self.calls: list[Fetch] = []
        self.renewals: list[Refresh] = []
        self.renewed: Any = NoResponse("login", "Nothing to renew it with.")
        """What comes of renewing the login, as an answer to a call does."""
        self.records: list[str] = []
        """How each record ended so far."""
        self.goals: list[str] = []
        self.events: list[Event] = []

    def happen(self, event: Event) -> list[str]:
        """Run an event to its end, and give back what the bot says."""
        self.events.append(event)
        result = turn(self.flow, self.state, event)
        while (wanted := result.pending) is not None:
            assert result.state == msgspec.structs.replace(self.state, pending=result.state.pending)
            if isinstance(wanted, Refresh):
                self.renewals.append(wanted)
                fetched = _result(wanted.key, self.renewed)
            else:
                self.calls.append(wanted)
                fetched = self._fetched(wanted)
            result = turn(self.flow, _stored(result.state), fetched)
        self.last, self.state = result, _stored(result.state)
        for effect in result.effects:
            if isinstance(effect, Ended):
                self.records.append(effect.status)
            elif isinstance(effect, GoalStarted):
                self.goals.append(effect.goal)
        return [shown(message) for message in self.messages]

    def _fetched(self, fetch: Fetch) -> Fetched:
        answer = self.answers.get(fetch.request.url)
        if isinstance(answer, Answers):
            answer = answer.next()
        if not isinstance(answer, NoResponse | Response):
            assert fetch.request.url in self.answers, f"no answer for {fetch.request.method} {fetch.request.url}"
        return _result(fetch.key, answer)

    def _event(self, kind: Any, **more: Any) -> Any:
        self.now += 1000
        number = len(self.events) + 1
        return kind(id=f"e{number}", now=self.now, seed=number, profile=more.pop("profile", ASKED), **more)

    def say(self, text: str, **more: Any) -> list[str]:
        return self.happen(self._event(Said, text=text, **more))

    def pick(self, value: Any = None, **more: Any) -> list[str]:
        return self.happen(self._event(Picked, value=value, **more))

    def tap(self, title: str) -> list[str]:
        """Tap the reply of this title under the last message that had some."""
        for message in reversed(self.messages):
            options = message.replies or (message.dialog.options if message.dialog else ())
            for option in options:
                if option.title == title:
                    return self.pick(key=option.key)
        raise AssertionError(f"nothing to tap reads {title!r}")

    def tell(self, **context: Any) -> list[str]:
        return self.happen(self._event(ContextGiven, context=context))

    def send(self, kind: Any, **more: Any) -> list[str]:
        """Any other event of the user's."""
        return self.happen(self._event(kind, **more))

    def log_in(self, *, is_typed: bool = False, profile: Profile = ASKED, **value: Any) -> list[str]:
        """A login comes to its end."""
        value = value or {"access_token": "opaque"}
        return self.happen(self._event(LoggedIn, value=value, is_typed=is_typed, profile=profile))

    def open(self, **more: Any) -> list[str]:
        return self.happen(self._event(Began, **more))

    def wait(self, minutes: float) -> list[str]:
        """Time passes, and the timer of the session comes due if it is time."""
        self.now += round(minutes * MINUTE)
        return self.happen(self._event(TimedOut, timer="session"))

    @property
    def messages(self) -> list[BotMessage]:
        return [effect.message for effect in self.last.effects if isinstance(effect, Send)]

    @property
    def steps(self) -> list[str]:
        return [effect.step for effect in self.last.effects if isinstance(effect, Send)]

    @property
    def failures(self) -> list[tuple[str, str]]:
        return [(effect.step, effect.reason) for effect in self.last.effects if isinstance(effect, Failed)]

    @property
    def heard(self) -> Heard:
        [heard] = [effect for effect in self.last.effects if isinstance(effect, Heard)]
        return heard

    @property
    def memory(self) -> dict[str, Any]:
        return self.state.entities


def _result(key: str, answer: Any) -> Fetched:
    if isinstance(answer, NoResponse):
        return Fetched(key=key, failure=answer)
    if not isinstance(answer, Response):
        headers = {"content-type": ["application/json"]}
        answer = Response(status=200, reason="OK", headers=headers, body=msgspec.json.encode(answer))
    return Fetched(key=key, response=answer)


class Answers:
    """Answers of one address, one after the other; the last one repeats."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)

    def next(self) -> Any:
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


def status(code: int, body: Any = None) -> Response:
    return Response(status=code, reason="Nope", body=b"" if body is None else msgspec.json.encode(body))


def _stored(state: State) -> State:
    """The state as it comes back from where it was stored: every talk proves that nothing is lost on the way."""
    back = msgspec.json.decode(msgspec.json.encode(state), type=State)
    assert back == state
    return back


def shown(message: BotMessage) -> str:
    """A message with its replies: ``text [A] [B]``, a dialog as ``text <kind: A, B>``."""
    text = message.text
    for reply in message.replies:
        text += f" [{reply.title}]"
    if message.dialog is not None:
        dialog = message.dialog
        text += f" <{dialog.type}: {', '.join(option.title for option in dialog.options)}>"
    return text.strip() if message.replies or message.dialog else text


def talk(flow: Flow, lines: list[tuple[str, list[str]]], answers: dict[str, Any] | None = None) -> Chat:
    """Hold a talk: each line is what the user says and all that the bot must answer."""
    chat = Chat(flow, answers)
    for said, expected in lines:
        assert chat.say(said) == expected, f"after {said!r}"
    return chat
