"""One turn: ``turn(flow, state, event)``, the one entry of the engine. What it wants done it gives back as effects.

A turn that needs an outside call (or the login renewed, which is one that the service makes) gives back the state
unchanged but for ``pending``, and the call; with its result the event runs again from the start. So nothing half-done
is ever kept, and the results are all that a rerun needs.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from dialoom.engine import login_results, respond
from dialoom.engine.compiled import AskingNode, DisplayKind, Flow, Question
from dialoom.engine.conversations import own_questions, sessions, stack
from dialoom.engine.effects import Effect, Ended, Fetch, HandOver, Heard, Refresh
from dialoom.engine.events import (
    Attached,
    Attachment,
    Began,
    CodeRefused,
    ContextGiven,
    Event,
    Fetched,
    Located,
    LoggedIn,
    LoggedOut,
    LoginFailed,
    PersonActed,
    Picked,
    Said,
    TimedOut,
)
from dialoom.engine.interpret.explain import explain, whose_question
from dialoom.engine.interpret.meaning import Meaning
from dialoom.engine.interpret.message import (
    interpret_change,
    interpret_choices,
    interpret_files,
    interpret_reply_to_change,
    interpret_text,
    interpret_value,
    interpret_wish,
)
from dialoom.engine.interpret.situation import RESTART, Situation
from dialoom.engine.interpret.slots import CONVERSATION
from dialoom.engine.options import asking, chosen, match_option, offered, paging
from dialoom.engine.options.chosen import STALE
from dialoom.engine.running_turn import ActsOnGuess, FlowBroken, Interrupted, RunningTurn, WaitingForCall
from dialoom.engine.state import Failures, NextWish, OwnQuestion, Pending, State
from dialoom.engine.steps import protected, walk
from dialoom.engine.trace import Meant, Trace, TraceWriter, Understood
from dialoom.messages import BotMessage
from dialoom.messages.plain import plain_title
from dialoom.template.values import plain_text
from dialoom.understanding.normalise import forget_texts


class Turn(msgspec.Struct, frozen=True):
    state: State
    effects: tuple[Effect, ...]
    trace: Trace | None = None
    """Where it was asked for; none of a turn that waits for a call or was stopped."""

    @property
    def pending(self) -> Fetch | Refresh | None:
        """What the turn waits for; None when it is done."""
        last = self.effects[-1] if self.effects else None
        return last if isinstance(last, Fetch | Refresh) else None

    @property
    def is_over(self) -> bool:
        """Return whether the turn brought what the user wanted to its end, or gave it to a person, and asks nothing."""
        state, has_ended = self.state, False
        for effect in self.effects:
            # A session that had timed out before the event ends as abandoned or closed.
            is_done = isinstance(effect, Ended) and effect.status in ("success", "failure")
            has_ended = has_ended or is_done or isinstance(effect, HandOver)
        return has_ended and not state.stack and state.own is None


def turn(flow: Flow, state: State, event: Event | Fetched, *, is_traced: bool = False) -> Turn:
    """Run one event. Raises nothing but ``Interrupted``, and that only where it was raised into it; what an author's
    flow does wrong becomes ``Failed`` and a text for the user.

    ``is_traced``: with a trace. Of a turn that waited for calls it is given with each result.
    """
    results: dict[str, Fetched] = {}
    if isinstance(event, Fetched):
        pending = state.pending
        if pending is None:
            return Turn(state, ())
        results = {**pending.results, event.key: event}
        event = pending.event
    if state.pending is not None:
        state = msgspec.structs.replace(state, pending=None)
    running = RunningTurn(flow, state, event, results, TraceWriter() if is_traced else None)
    try:
        try:
            _run(running)
        except ActsOnGuess:
            running = RunningTurn(flow, state, event, results, TraceWriter() if is_traced else None)
            running.is_held_back = True
            _run(running)
        finally:
            forget_texts()
    except WaitingForCall as waiting:
        waits = msgspec.structs.replace(state, pending=Pending(event, results))
        return Turn(waits, (waiting.wanted,))
    except Interrupted as interrupted:
        interrupted.step = running.visited
        raise
    return Turn(running.next_state(), running.all_effects(), None if running.trace is None else running.trace.trace())


def stop(flow: Flow, state: State, event: Event, step: str, reason: str) -> Turn:
    """What becomes of an event whose turn was interrupted at ``step``: nothing that the turn did is kept, and the flow
    is stopped as one that does not come to an end. ``state``: the one before the event."""
    running = RunningTurn(flow, state, event, {})
    _stop(running, step, reason)
    return Turn(running.next_state(), running.all_effects())


_is_day = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII).fullmatch


def _run(turn: RunningTurn) -> None:
    """Run the event to its end, or to the outside call that it needs."""
    try:
        _dispatch(turn)
        if turn.next_wishes and not turn.stack and turn.own is None and not sessions.is_silent(turn):
            _follow_next_wish(turn)
    except FlowBroken as broken:
        _fail(turn, broken)
    _finish(turn)


def _follow_next_wish(turn: RunningTurn) -> None:
    """Start what the user wished for beside an answer to a goal that has ended now."""
    first, *left = turn.next_wishes
    turn.next_wishes = tuple(left)
    meaning = interpret_text(Situation(turn, first.said_at), first.text)
    if meaning.named == first.key:
        if turn.trace is not None:
            turn.trace.understand(explain(turn, meaning, first.text))
        respond.answer(turn, meaning, is_first=False, text=first.text)


def _stop(turn: RunningTurn, step: str, reason: str) -> None:
    """Let the event fail without running anything of it, and end what is open. A message counts as heard. ``step``: ""
    stands for the open question."""
    event = turn.event
    sessions.end_if_over(turn)
    node = turn.open_node()
    if isinstance(event, Said | Picked | Located | Attached):
        _hear(turn, None, None if node is None else node.step.entity)
    elif isinstance(event, Began):
        sessions.stay(turn)
        turn.is_welcomed = True
    _fail(turn, FlowBroken(step or ("" if node is None else node.path), reason, is_endless=True))
    _finish(turn)


MAX_NEXT_WISHES = 5
MAX_FAILURES = 3
"""Failures in a row of one step, after which the goal ends (flow-language.md section 5)."""


def _fail(turn: RunningTurn, broken: FlowBroken) -> None:
    if turn.trace is not None:
        turn.trace.fail(broken.step, broken.reason)
    turn.fail(broken)
    known = turn.failures if turn.failures is not None and turn.failures.step == broken.step else None
    turn.failures = Failures(broken.step, 1, turn.event.id)
    if known is not None:
        turn.failures = msgspec.structs.replace(known, count=known.count + 1)
    if broken.is_endless or turn.failures.count >= MAX_FAILURES:
        stack.stop(turn)
        turn.failures = None


def _finish(turn: RunningTurn) -> None:
    turn.end_record_if_ending()
    if turn.effects if isinstance(turn.event, Began) else turn.has_stayed:
        sessions.set_timer(turn)


def _dispatch(turn: RunningTurn) -> None:
    event = turn.event
    match event:
        case ContextGiven():
            sessions.end_if_over(turn)
            sessions.take_context(turn)
        case TimedOut():
            sessions.end_if_over(turn)
        case Began():
            _begin(turn, event)
        case Said() | Picked():
            _said_or_picked(turn, event)
        case Located():
            _located(turn, event)
        case Attached():
            _attached(turn, event)
        case LoggedIn():
            login_results.log_in(turn, event)
        case CodeRefused():
            login_results.refuse_code(turn, event)
        case LoginFailed():
            login_results.fail(turn, event)
        case LoggedOut():
            sessions.end_if_over(turn)
            sessions.take_context(turn)
            protected.log_out(turn, None)
        case PersonActed():
            sessions.end_if_over(turn)
            _act_as_person(turn, event)


def _begin(turn: RunningTurn, event: Began) -> None:
    """An opening event begins a session and runs ``welcome``; in a session that runs already it says nothing, unless
    the user has to hear again what is asked."""
    if event.clear:
        sessions.end(turn, keep=frozenset())
        turn.memory.past = {}
    sessions.end_if_over(turn)
    sessions.take_context(turn)
    if turn.is_welcomed and not event.is_said_again:
        return
    sessions.stay(turn)
    turn.is_welcomed = True
    if sessions.is_silent(turn):
        return
    login_results.catch_up(turn)
    if turn.stack:
        walk.proceed(turn)
    elif respond.WELCOME in turn.flow.scripts:
        stack.begin(turn, respond.WELCOME)
        walk.proceed(turn)
    else:
        respond.greet(turn)


def _act_as_person(turn: RunningTurn, event: PersonActed) -> None:
    """Say what a person answers, which renews the bot's silence, or wake the bot."""
    if event.refused:
        return
    if event.action == "answer":
        turn.silent_until = turn.event.now + event.silent_ms
        turn.send(BotMessage(event.text), "", person=event.name)
    elif event.action == "give-back":
        turn.silent_until = 0


# ---- messages of the user ----------------------------------------------------------------------------------------


def _said_or_picked(turn: RunningTurn, event: Said | Picked) -> None:
    sessions.end_if_over(turn)
    restart = sessions.restart_text(turn.flow.commands, turn.state.ask if turn.over_at else None, event)
    if restart is not None:  # before a look at what is open, and while silent too
        is_first = _hear(turn, restart, None)
        status = sessions.ended_status(turn)
        # Left before the context is taken: it may be open in another version of the flow, whose steps are not these.
        sessions.leave(turn)
        sessions.take_context(turn)
        _note(turn, "restart")
        respond.restart(turn, status, is_first=is_first)
    elif isinstance(event, Said):
        is_first = _receive(turn, event.text)
        _text(turn, event.text, is_first)
    else:
        _picked(turn, event)


def _receive(turn: RunningTurn, text: str | None) -> bool:
    """Record a message of the user; return whether it is the first of its session."""
    sessions.end_if_over(turn)
    node = turn.open_node()
    is_first = _hear(turn, text, None if node is None else node.step.entity)
    sessions.take_context(turn)
    login_results.catch_up(turn)
    return is_first


def _hear(turn: RunningTurn, text: str | None, entity: str | None) -> bool:
    turn.heard = Heard({}, entity, text)
    is_first = not turn.is_welcomed
    turn.is_welcomed = turn.has_record = True
    sessions.stay(turn)
    return is_first


def _text(turn: RunningTurn, text: str, is_first: bool, *, is_sure: bool = False) -> None:
    """``is_sure``: the user chose the text, or said that it was understood."""
    if sessions.is_silent(turn):
        _note(turn, "silent")
        return
    if paging.run_paging(turn, text):
        _note(turn, "page")
        return
    own, turn.own = turn.own, None
    turn.is_after_own_question = turn.is_after_own_question or own is not None
    s = Situation(turn)
    if own is not None and (index := own_questions.chosen_by(s, own, text)) is not None:
        _answer_own_question(turn, own, index)
        return
    if own is not None and own.kind == "change" and (told := interpret_reply_to_change(s, own, text)) is not None:
        _respond(turn, told, is_first, text)
        return
    if not is_first:
        text = chosen.suggested_by_place(turn, text) or text
        suggested = turn.suggested if turn.suggestion_pages is None else turn.suggestion_pages.choices
        named = match_option.named_by(suggested, text)
        is_sure = is_sure or named is not None
        text = text if named is None or not isinstance(named.value, str) else named.value
    meaning = interpret_text(s, text)
    _respond(turn, msgspec.structs.replace(meaning, confidence=1.0) if is_sure else meaning, is_first, text)


def _has_answered_own_question(turn: RunningTurn, event: Picked) -> bool:
    own = turn.own
    if own is None or sessions.is_silent(turn):
        return False
    pick = chosen.read(event, own_questions.as_ask(own), own.choices)
    if len(pick.choices) != 1:
        return False
    turn.own = None
    _tell_text(turn, plain_title(pick.choices[0].title))
    _answer_own_question(turn, own, own.choices.index(pick.choices[0]))
    return True


def _answer_own_question(turn: RunningTurn, own: OwnQuestion, index: int) -> None:
    _note(turn, "own-question")
    if own.kind == "guess" and index == 0:
        _text(turn, own.text, is_first=False, is_sure=True)
    elif own.kind == "change":
        _respond(turn, interpret_change(Situation(turn), own.text, is_change=index == 0), False, own.text)
    elif own.kind == "meant":
        _answer_offer(turn, own, index)
    else:
        respond.answer_own_question(turn, own, index)


def _answer_offer(turn: RunningTurn, own: OwnQuestion, index: int) -> None:
    """Do what the user chose among the wishes that were offered, with the values of the message that asked for it."""
    wish = own.wishes[index] if index < len(own.wishes) else None
    if wish is None or (wish[0] == CONVERSATION and wish[1] not in turn.flow.scripts):
        respond.refuse_offer(turn)
        return
    assert turn.heard is not None
    turn.heard = msgspec.structs.replace(turn.heard, chosen=wish)
    _respond(turn, interpret_wish(Situation(turn), wish, own.text), is_first=False, text=own.text)


def _picked(turn: RunningTurn, event: Picked) -> None:
    is_first = _receive(turn, None)
    node, ask = turn.open_node(), turn.ask
    turn.is_after_own_question = turn.own is not None
    # Below an offer stand the options of the open question.
    has_own = turn.own is not None and turn.own.kind != "meant"
    if _has_answered_own_question(turn, event):
        return
    pick = (
        STALE
        if has_own and (event.key or event.keys)
        else chosen.read(event, ask, () if node is None or ask is None else offered.of_ask(turn, node, ask))
    )
    if pick.text is not None:
        _tell_text(turn, pick.text)
        _text(turn, _dated(node, pick.text), is_first, is_sure=True)
        return
    turn.own = None
    if pick.choices:
        _tell_text(turn, ", ".join(plain_title(choice.title) for choice in pick.choices))
    elif pick.page:
        _tell_text(turn, asking.label(turn.flow.commands, pick.page))
    said = plain_text(pick.choices[0].value) if len(pick.choices) == 1 else ""
    if sessions.is_silent(turn):
        _note(turn, "silent")
        return
    if said and paging.run_paging(turn, said):
        _note(turn, "page")
        return
    if pick.page == asking.SKIP:
        _note(turn, "skip")
        respond.pass_over(turn)
    elif pick.page:
        _note(turn, "page")
        if not paging.turn_page(turn, pick.page):
            walk.proceed(turn)
    elif pick.is_stale:
        _note(turn, "old-options")
        respond.answer_stale(turn, is_first)
    elif len(pick.choices) == 1:
        _respond(turn, interpret_text(Situation(turn), said, pick.choices[0]), is_first)
    else:
        _respond(turn, interpret_choices(Situation(turn), pick.choices), is_first)


def _dated(node: AskingNode | None, text: str) -> str:
    """Return a day from a date-picker as its first moment, where the question wants a moment."""
    is_day = _picked_type(node, "date-picker") == "Datetime"
    return f"{text}T00:00" if is_day and _is_day(text) else text


def _picked_type(node: AskingNode | None, kind: DisplayKind) -> str | None:
    """Return the type of the open question if its display is of that kind."""
    step = None if node is None else node.step
    if not isinstance(step, Question) or step.offer is None:
        return None
    return step.type if step.offer.kind == kind else None


def _located(turn: RunningTurn, event: Located) -> None:
    is_first = _receive(turn, event.name)
    if sessions.is_silent(turn):
        _note(turn, "silent")
        return
    node = turn.open_node()
    if chosen.is_of_another(event.ask, turn.ask):
        _note(turn, "old-options")
        respond.answer_stale(turn, is_first)
    elif _picked_type(node, "location-picker") not in (None, "Location"):
        # The question wants words, and its picker gives a place: what that is called, or where it is.
        _respond(turn, interpret_text(Situation(turn), event.name or f"{event.latitude}, {event.longitude}"), is_first)
    else:
        value: dict[str, Any] = {"latitude": event.latitude, "longitude": event.longitude}
        if event.name:
            value["name"] = event.name
        _respond(turn, interpret_value(Situation(turn), "Location", [value]), is_first)


def _attached(turn: RunningTurn, event: Attached) -> None:
    is_first = _receive(turn, event.text or None)
    if sessions.is_silent(turn):
        _note(turn, "silent")
        return
    meaning = interpret_files(Situation(turn), [_file(file) for file in event.files], event.text)
    if meaning is None:
        _text(turn, event.text, is_first)
    else:
        _respond(turn, meaning, is_first)


def _respond(turn: RunningTurn, meaning: Meaning, is_first: bool, text: str | None = None) -> None:
    """``text``: what was interpreted, where it is not what the transcript shows."""
    assert turn.heard is not None
    if turn.is_passed_over and not _names_goal(turn, meaning):
        _note(turn, "after-login")
        walk.proceed(turn)
        return
    turn.heard = msgspec.structs.replace(turn.heard, understanding=meaning.understanding)
    if turn.trace is not None:
        turn.trace.understand(explain(turn, meaning, turn.heard.text or "" if text is None else text))
    if meaning.next_wish is not None:
        key, words = meaning.next_wish
        turn.next_wishes = (*turn.next_wishes, NextWish(key, words, turn.event.now))[-MAX_NEXT_WISHES:]
    respond.answer(turn, meaning, is_first, text)


def _note(turn: RunningTurn, meant: Meant) -> None:
    """Write into the trace what a message was taken for that nobody had to interpret."""
    if turn.trace is not None and turn.heard is not None:
        turn.trace.understand(whose_question(turn, Understood(meant=meant, text=turn.heard.text)))


def _names_goal(turn: RunningTurn, meaning: Meaning) -> bool:
    script = turn.flow.scripts.get(meaning.named or "")
    return meaning.named == RESTART or (script is not None and script.is_goal)


def _tell_text(turn: RunningTurn, text: str) -> None:
    assert turn.heard is not None
    turn.heard = msgspec.structs.replace(turn.heard, text=text)


def _file(file: Attachment) -> dict[str, Any]:
    value: dict[str, Any] = {"url": file.url, "mimeType": file.mime_type, "name": file.name}
    if file.labels:
        value["labels"] = list(file.labels)
    return value
