"""Writes a turn down: effects become message records, the conversation record and timers (history-api.md, Records)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from dialoom import __version__
from dialoom.auth.vault import Vault
from dialoom.engine import Flow, State, Turn, effects
from dialoom.engine.compiled import Question
from dialoom.engine.events import (
    Attached,
    Began,
    CodeRefused,
    Event,
    Located,
    LoggedIn,
    PersonActed,
    Picked,
    Said,
    TimedOut,
)
from dialoom.flow.channels import row_of
from dialoom.messages import BotMessage, ConversationRecord, MessageRecord, Profile
from dialoom.messages.records import ChannelData, Data, MessageCounts, OfferedWish, Status, UserData
from dialoom.service.bots.bots import Deployed
from dialoom.service.bots.masking import MASK, NOTHING, Secrets, hidden_in, login_in, secrets_in
from dialoom.service.chat.chat_row import Loaded, StoredChat
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.login_values import LoginOutcome, with_link
from dialoom.service.chat.whole_messages import seal_whole, whole
from dialoom.service.clock import IdSource, iso
from dialoom.service.hand_off import TIMER as SILENCE
from dialoom.service.hand_off import Said as SaidLine
from dialoom.service.hand_off import after_turn
from dialoom.service.state_table import StateTable
from dialoom.storage.store import ChatKey, StoredMessage, TimerRow


class Spoken(msgspec.Struct, frozen=True):
    """Pairs a message of the bot with the id of its record, for the answer of a channel."""

    id: str
    message: BotMessage
    picker: str | None = None
    """Address of the hosted page where its dialog can be answered."""


class Written(msgspec.Struct, frozen=True):
    """Holds the rows of one turn, ready for the store."""

    kept: StoredChat
    position: int
    records: tuple[ConversationRecord, ...]
    messages: tuple[StoredMessage, ...]
    spoken: tuple[Spoken, ...]
    timers: tuple[TimerRow, ...]
    cancelled: tuple[str, ...]
    secrets: tuple[Secrets, Secrets]
    """Those of the memory that is kept: of the context and of the entities."""


RecordEvent = Literal["message", "failure", "hand-over", "give-back", "succeed", "fail", "abandon", "close"]
"""The user says something; the flow stops with an error; a person takes over, and gives the chat back to the bot; and
the four ways in which it ends."""
RECORDS: Final = StateTable[Status, RecordEvent](
    "active",
    {
        "active": {
            "message": "active",
            "failure": "failure",
            "hand-over": "handed-over",
            "give-back": "active",
            "succeed": "success",
            "fail": "failure",
            "abandon": "abandoned",
            "close": "closed",
        },
        "failure": {
            "message": "active",
            "failure": "failure",
            "hand-over": "handed-over",
            "give-back": "failure",
            "succeed": "success",
            "fail": "failure",
            "abandon": "failure",
            "close": "failure",
        },
        # A person has it: that the bot failed too stands in ``Errors``.
        "handed-over": {
            "message": "handed-over",
            "failure": "handed-over",
            "hand-over": "handed-over",
            "give-back": "active",
            "succeed": "success",
            "fail": "failure",
            "abandon": "handed-over",
            "close": "handed-over",
        },
    },
)
"""The status of a conversation record while it is open."""
_ENDS: Final[Mapping[Status, RecordEvent]] = {
    "success": "succeed",
    "failure": "fail",
    "abandoned": "abandon",
    "closed": "close",
}


class _RecordWriter:
    """Writes the effects of one turn in their order."""

    def __init__(
        self,
        key: ChatKey,
        loaded: Loaded,
        deployed: Deployed,
        inbound: InboundEvent,
        vault: Vault,
        ids: IdSource,
        now: int,
    ):
        self.key = key
        self.vault = vault
        self.deployed = deployed
        self.inbound = inbound
        self.ids = ids
        self.now = now
        self.time = iso(now)
        self.record = loaded.kept.record
        self.sequence = loaded.kept.sequence
        self.position = loaded.position
        self.version = loaded.kept.version if self.record is not None else deployed.version
        self.ended: list[ConversationRecord] = []
        self.messages: list[StoredMessage] = []
        self.spoken: list[Spoken] = []
        self.timers = dict(loaded.kept.timers)
        self.set_timers: dict[str, int] = {}
        self.error: str | None = None
        self.state = loaded.kept.state
        self.loaded = loaded
        self.asked = loaded.kept.asked
        self.hidden = NOTHING
        self.login = NOTHING
        self.secrets = loaded.secrets
        self.is_own = False
        """True if ``record`` is this turn's copy. What the loaded chat holds never changes: a commit that fails is
        computed again from it."""

    def look_for_secrets(self, turn: Turn) -> None:
        """Find the values to mask in the memory after the turn, and in the one before a record ended."""
        masking, state = self.deployed.masking, self.loaded.kept.state
        context, entities = self.loaded.secrets
        context, entities = secrets_in(state.context, masking, context), secrets_in(state.entities, masking, entities)
        after = turn.state
        self.secrets = secrets_in(after.context, masking, context), secrets_in(after.entities, masking, entities)
        held = [*self.secrets]
        for end in turn.effects:
            if isinstance(end, effects.Ended):
                held.append(secrets_in(end.context or {}, masking, context))
                held.append(secrets_in(end.entities or {}, masking, entities))
        if any(secrets.found for secrets in held):
            self.hidden = hidden_in(held, (context, entities))
            self.login = login_in(held)

    def open(self) -> ConversationRecord:
        """Return this turn's copy of the open record; a new record when none is open."""
        if self.record is None:
            event, channel = self.inbound.event, self.deployed.channel(self.key.channel)
            profile, clean = event.profile, self.deployed.masking.value
            self.sequence = 0
            self.version = self.deployed.version
            self.record = ConversationRecord(
                id=self.ids.make(self.now),
                bot=self.key.bot,
                user=self.key.user,
                channel=self.key.channel,
                started_at=iso(event.now),
                updated_at=self.time,
                messages=MessageCounts(),
                flow_version=self.version,
                data=Data(
                    channel=ChannelData(
                        id=self.key.channel,
                        provider_name=profile.provider,
                        name=clean(self.inbound.channel_name or (channel.name if channel else None)),
                    ),
                    user=UserData(
                        external_id=clean(profile.external_id),
                        first_name=clean(profile.first_name),
                        last_name=clean(profile.last_name),
                        avatar=clean(profile.avatar),
                        locale=clean(profile.locale),
                        timezone=clean(profile.timezone),
                    ),
                ),
            )
            self.is_own = True
        elif not self.is_own:
            self.is_own = True
            self.record = msgspec.structs.replace(
                self.record,
                updated_at=self.time,
                messages=MessageCounts(self.record.messages.user, self.record.messages.bot),
            )
        return self.record

    def told_profile(self) -> Profile | None:
        """Return the user's profile that is kept for events that bring none: the last one of a platform with a name."""
        profile, channel = self.inbound.event.profile, self.deployed.channel(self.key.channel)
        if channel is None or row_of(channel).caller != "platform" or not (profile.first_name or profile.last_name):
            return self.loaded.kept.profile
        return profile

    def hear(self, heard: effects.Heard | None) -> None:
        """Write the user's message, when the event is one."""
        kind, text, payload = _heard(self.inbound.event)
        if kind is None:
            return
        record = self.open()
        self._note(record, "message")
        record.messages.user += 1
        masking = self.deployed.masking
        understanding: Any = None
        if heard is not None:
            text = heard.text if heard.text is not None else text
            understanding = masking.value(heard.understanding) or None
            if heard.entity is not None and masking.hides(heard.entity):
                text, payload = MASK, MASK if payload is not None else None
                understanding = MASK if understanding is not None else None
        # A correction, or several values in one message, bring what is masked to other questions too.
        text, payload = masking.text(text) if text else text, masking.value(payload)
        text, payload, understanding = self.hidden.heard(text, payload, understanding)
        is_understood = heard is None or heard.is_understood
        if not is_understood:
            before = record.data.not_understood
            record.data = msgspec.structs.replace(record.data, not_understood=_one_more(before))
        self._message("user", kind, text, payload, None, understanding, is_understood=is_understood)
        if heard is not None and (heard.offered or heard.chosen is not None or heard.has_refused):
            self._note_offer(record, heard)

    def _note_offer(self, record: ConversationRecord, heard: effects.Heard) -> None:
        """Write at the user's message what was offered for it, or what it chose of an offer, and count it. Of an answer
        to a question for a secret nothing is said."""
        data, last = record.data, self.messages[-1]
        if heard.offered:
            record.data = msgspec.structs.replace(data, offered=_one_more(data.offered))
            message = last.record
            if heard.entity is None or not self.deployed.masking.hides(heard.entity):
                message = msgspec.structs.replace(message, offered=[OfferedWish(*one) for one in heard.offered])
        elif heard.chosen is not None:
            record.data = msgspec.structs.replace(data, offers_taken=_one_more(data.offers_taken))
            message = msgspec.structs.replace(last.record, chosen=OfferedWish(*heard.chosen))
        else:
            record.data = msgspec.structs.replace(data, offers_refused=_one_more(data.offers_refused))
            message = msgspec.structs.replace(last.record, chosen=None)
        self.messages[-1] = msgspec.structs.replace(last, record=message)

    def say(self, send: effects.Send) -> None:
        record = self.open()
        record.messages.bot += 1
        if "/" in send.step and send.step != record.data.step:
            record.data = msgspec.structs.replace(record.data, step=send.step)
        masking, message = self.deployed.masking, self._without_login(send.message)
        parts = msgspec.to_builtins(message) if message.replies or message.dialog is not None else None
        payload = None
        if parts is not None:
            parts.pop("text", None)
            payload = self.hidden.said(masking.value(parts))
        kind = "template" if message.dialog is not None else "text"
        text = self.hidden.said(masking.text(message.text))
        is_masked = text != message.text or payload != parts
        if send.is_page and self.asked and payload is not None:
            payload |= {"replaces": self.asked}
        id = self._message("bot", kind, text, payload, send.step or None, None, person=send.person)
        if is_masked:
            sealed = seal_whole(self.vault, self.key, self.position, message.text, parts)
            self.messages[-1] = msgspec.structs.replace(self.messages[-1], whole=sealed)
        if any(reply.key for reply in message.replies):
            self.asked = id
        self.spoken.append(Spoken(id, _with_person(message, send.person)))

    def _without_login(self, message: BotMessage) -> BotMessage:
        """Return the message without what a login brought, which not even its user is shown."""
        if self.login is NOTHING:
            return message
        shown = msgspec.to_builtins(message)
        masked = self.login.said(shown)
        return message if masked == shown else msgspec.convert(masked, BotMessage)

    def fail(self, failed: effects.Failed) -> None:
        record = self.open()
        record.errors += 1
        self._note(record, "failure")
        reason = self.deployed.masking.text(failed.reason)
        self.error = f"{failed.step}: {reason}" if failed.step else reason

    def hand_over(self) -> None:
        record = self.open()
        record.data = msgspec.structs.replace(record.data, handed_over=True)
        self._note(record, "hand-over")

    def give_back(self) -> None:
        """Let the record go on with the bot, if it is still open."""
        if self.record is not None:
            self._note(self.open(), "give-back")

    @staticmethod
    def _note(record: ConversationRecord, event: RecordEvent) -> None:
        record.status = RECORDS.after(record.status, event)

    def end(self, ended: effects.Ended) -> None:
        if self.record is None:
            return
        record = self.open()
        # Closed is what never had a goal; after a change of version the engine may not know the old one any more.
        status = "abandoned" if ended.status == "closed" and record.goal is not None else ended.status
        self._note(record, _ENDS[status])
        record.ended_at = self.time
        # Memory as it was before the end forgot it.
        self.remember(record, ended.context, ended.entities)
        self.ended.append(record)
        self.record = None

    def leave_error(self) -> None:
        """Note a failure that had no text of its own on the turn's last message."""
        if self.error is not None and self.messages:
            last = self.messages[-1]
            record = msgspec.structs.replace(last.record, error=self.error)
            self.messages[-1] = msgspec.structs.replace(last, record=record)
            self.error = None

    def want_file(self) -> None:
        """Mark the bot's last message as one that a file answers."""
        for index in range(len(self.messages) - 1, -1, -1):
            said = self.messages[index]
            if said.record.from_ == "bot":
                payload = (said.record.payload or {}) | {"wants": "file"}
                record = msgspec.structs.replace(said.record, payload=payload)
                self.messages[index] = msgspec.structs.replace(said, record=record)
                return

    def show_login(self) -> None:
        """Mark the bot's first message after a login, so that the chat page closes its login card."""
        for index, said in enumerate(self.messages):
            if said.record.from_ == "bot":
                payload = (said.record.payload or {}) | {"loggedIn": True}
                record = msgspec.structs.replace(said.record, payload=payload)
                self.messages[index] = msgspec.structs.replace(said, record=record)
                return

    def remember(
        self, record: ConversationRecord, context: dict[str, Any] | None = None, entities: dict[str, Any] | None = None
    ) -> None:
        masking, state, before = self.deployed.masking, self.state, self.loaded.kept
        # What the record shows already, where it was made from the memory that this turn began with by the same rule.
        made_by = (before.record.id, before.version, before.release) if before.record is not None else None
        is_same = made_by == (record.id, self.deployed.version, __version__)
        shown = before.record.data if before.record is not None and is_same else None
        old = before.state
        context = masking.context(
            state.context if context is None else context, old.context, None if shown is None else shown.context
        )
        entities = state.entities if entities is None else entities
        entities = masking.memory(entities, old.entities, None if shown is None else shown.entities)
        record.data = msgspec.structs.replace(record.data, context=context, entities=entities)

    def _message(
        self,
        sender: Any,
        kind: Any,
        text: str | None,
        payload: Any,
        step: str | None,
        understanding: Any,
        *,
        is_understood: bool = True,
        person: str | None = None,
    ) -> str:
        assert self.record is not None
        self.sequence += 1
        self.position += 1
        error = None
        if sender == "bot":
            error, self.error = self.error, None
        record = MessageRecord(
            id=self.ids.make(self.now),
            bot=self.key.bot,
            conversation=self.record.id,
            user=self.key.user,
            channel=self.key.channel,
            from_=sender,
            type=kind,
            text=text,
            payload=payload,
            step=step,
            understanding=understanding,
            understood=UNSET if is_understood else False,
            person=UNSET if person is None else person,
            error=error,
            # The user's message is as old as its arrival; the answer may have taken long.
            created_at=iso(self.inbound.event.now) if sender == "user" else self.time,
            sequence=self.sequence,
        )
        client_id = self.inbound.client_id if sender == "user" else None
        self.messages.append(StoredMessage(self.position, record, client_id))
        return record.id


def _one_more(count: int | UnsetType) -> int:
    return 1 if count is UNSET else count + 1


def said_again(vault: Vault, key: ChatKey, stored: StoredMessage) -> Spoken:
    """Return a message of the bot from its row, as its user is shown it, without addresses."""
    record = whole(vault, key, stored).record
    parts = record.payload if isinstance(record.payload, dict) else {}
    try:
        message = msgspec.convert({"text": record.text or "", **parts}, BotMessage)
    except msgspec.ValidationError:
        # A bot may name its login "options" or the like: in a message of another release the mask stands in its place.
        message = BotMessage(record.text or "")
    return Spoken(record.id, _with_person(message, None if record.person is UNSET else record.person))


def _with_person(message: BotMessage, person: str | None) -> BotMessage:
    """Return the message as platforms show it, which know no other sender than the bot: with the person's name."""
    return message if person is None else msgspec.structs.replace(message, text=f"{person}:\n{message.text}")


def _heard(event: Event) -> tuple[str | None, str | None, Any]:
    """Return type, text and payload of the user's message; no type for an event that is no message."""
    if isinstance(event, Said):
        return "text", event.text, None
    if isinstance(event, Picked):
        keys = event.keys or ((event.key,) if event.key is not None else ())
        return "option", None, {"keys": list(keys)} if keys else {"value": event.value}
    if isinstance(event, Located):
        coordinates = {"latitude": event.latitude, "longitude": event.longitude}
        return "location", event.name, coordinates | ({"name": event.name} if event.name else {})
    if isinstance(event, Attached):
        return "file", event.text or None, [msgspec.to_builtins(file) for file in event.files]
    if isinstance(event, CodeRefused) or (isinstance(event, LoggedIn) and event.is_typed):
        return "text", MASK, None  # a code (login.md, The forwarded link)
    return None, None, None


def _wants_file(flow: Flow, state: State) -> bool:
    node = flow.open_node(state)
    return node is not None and isinstance(node.step, Question) and node.step.type == "File"


def write_down(
    key: ChatKey,
    loaded: Loaded,
    deployed: Deployed,
    inbound: InboundEvent,
    turn: Turn,
    logins: LoginOutcome,
    vault: Vault,
    ids: IdSource,
    now: int,
    addresses: Container[str] = (),
) -> Written:
    """Return the rows of a turn. ``addresses``: names of live agents that chats are posted to. ``now``: the time of the
    commit (a call may have taken long since the event came)."""
    writer = _RecordWriter(key, loaded, deployed, inbound, vault, ids, now)
    writer.state = turn.state
    writer.look_for_secrets(turn)
    kinds = {*map(type, turn.effects)}
    if effects.Heard not in kinds:
        writer.hear(None)
    if isinstance(inbound.event, Began) and turn.effects:
        writer.open()
    for effect in turn.effects:
        match effect:
            case effects.Heard():
                writer.hear(effect)
            case effects.Send():
                writer.say(with_link(effect, logins.link))
            case effects.GoalStarted():
                record = writer.open()
                record.goal = record.goal or effect.goal
            case effects.Ended():
                writer.end(effect)
            case effects.Failed():
                writer.fail(effect)
            case effects.HandOver():
                writer.hand_over()
            case effects.SetTimer():
                writer.set_timers[effect.name] = now + round(effect.seconds * 1000)
            case effects.Fetch() | effects.Refresh() | effects.LogIn() | effects.LogOut():
                pass
    if effects.LogIn in kinds and _is_logged_in(turn.state, deployed.flow):
        writer.show_login()
    return _written(writer, turn, logins, addresses)


def _is_linked(inbound: InboundEvent, kept: StoredChat) -> bool:
    return kept.is_linked if inbound.is_linked is None else inbound.is_linked


def _is_logged_in(state: State, flow: Flow) -> bool:
    """Return whether memory still has the login after the turn."""
    return flow.login is not None and bool(state.entities.get(flow.login.entity))


def _written(writer: _RecordWriter, turn: Turn, logins: LoginOutcome, addresses: Container[str]) -> Written:
    writer.leave_error()
    if _wants_file(writer.deployed.flow, turn.state):
        writer.want_file()
    event, before = writer.inbound.event, writer.loaded.kept
    if isinstance(event, PersonActed) and event.action == "give-back" and not event.refused:
        writer.give_back()
    records = writer.ended
    if writer.record is not None:
        record = writer.open()
        writer.remember(record)
        records = [*records, record]
    said = [SaidLine(one.record.from_ == "user", one.record.text or "") for one in writer.messages]
    hand_off = after_turn(before.hand_off, turn, event, said, addresses)
    if hand_off is not None and hand_off.until != before.timers.get(SILENCE):
        writer.set_timers[SILENCE] = hand_off.until
    fired = event.timer if isinstance(event, TimedOut) else None
    over = {fired} if fired is not None else set()
    if hand_off is None and SILENCE in writer.timers:
        over.add(SILENCE)
    timers = {name: due for name, due in writer.timers.items() if name not in over} | writer.set_timers
    return Written(
        kept=StoredChat(
            state=turn.state,
            version=writer.version if writer.record is not None else "",
            release=__version__,
            record=writer.record,
            sequence=writer.sequence,
            timers=timers,
            link=logins.link,
            grant=logins.grant,
            reply_to=writer.inbound.reply_to or writer.loaded.kept.reply_to,
            asked=writer.asked,
            is_linked=_is_linked(writer.inbound, writer.loaded.kept),
            profile=writer.told_profile(),
            hand_off=hand_off,
        ),
        position=writer.position,
        records=tuple(records),
        messages=tuple(writer.messages),
        spoken=tuple(writer.spoken),
        timers=tuple(TimerRow(writer.key, name, due) for name, due in writer.set_timers.items()),
        cancelled=tuple(sorted(over - writer.set_timers.keys())),
        secrets=writer.secrets,
    )
