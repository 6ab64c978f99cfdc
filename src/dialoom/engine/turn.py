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
from dialoom.engine.interpret.situation import RESTART
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
    p = RunningTurn(flow, state, event, results, TraceWriter() if is_traced else None)
    try:
        try:
            _run(p)
        except ActsOnGuess:
            p = RunningTurn(flow, state, event, results, TraceWriter() if is_traced else None)
            p.is_held_back = True
            _run(p)
        finally:
            forget_texts()
    except WaitingForCall as waiting:
        waits = msgspec.structs.replace(state, pending=Pending(event, results))
        return Turn(waits, (waiting.wanted,))
    except Interrupted as interrupted:
        interrupted.step = p.visited
        raise
    return Turn(p.next_state(), p.all_effects(), None if p.trace is None else p.trace.trace())


def stop(flow: Flow, state: State, event: Event, step: str, reason: str) -> Turn:
    """What becomes of an event whose turn was interrupted at ``step``: nothing that the turn did is kept, and the flow
    is stopped as one that does not come to an end. ``state``: the one before the event."""
    p = RunningTurn(flow, state, event, {})
    _stop(p, step, reason)
    return Turn(p.next_state(), p.all_effects())


_is_day = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII).fullmatch


def _run(p: RunningTurn) -> None:
    """Run the event to its end, or to the outside call that it needs."""
    try:
        _dispatch(p)
        if p.next_wishes and not p.stack and p.own is None and not sessions.is_silent(p):
            _follow_next_wish(p)
    except FlowBroken as broken:
        _fail(p, broken)
    _finish(p)


def _follow_next_wish(p: RunningTurn) -> None:
    """Start what the user wished for beside an answer to a goal that has ended now."""
    first, *left = p.next_wishes
    p.next_wishes = tuple(left)
    meaning = interpret_text(p, first.text, said_at=first.said_at)
    if meaning.named == first.key:
        if p.trace is not None:
            p.trace.understand(explain(p, meaning, first.text))
        respond.answer(p, meaning, is_first=False, text=first.text)


def _stop(p: RunningTurn, step: str, reason: str) -> None:
    """Let the event fail without running anything of it, and end what is open. A message counts as heard. ``step``: ""
    stands for the open question."""
    event = p.event
    sessions.end_if_over(p)
    node = p.open_node()
    if isinstance(event, Said | Picked | Located | Attached):
        _hear(p, None, None if node is None else node.step.entity)
    elif isinstance(event, Began):
        sessions.stay(p)
        p.is_welcomed = True
    _fail(p, FlowBroken(step or ("" if node is None else node.path), reason, is_endless=True))
    _finish(p)


MAX_NEXT_WISHES = 5
MAX_FAILURES = 3
"""Failures in a row of one step, after which the goal ends (flow-language.md section 5)."""


def _fail(p: RunningTurn, broken: FlowBroken) -> None:
    if p.trace is not None:
        p.trace.fail(broken.step, broken.reason)
    p.fail(broken)
    known = p.failures if p.failures is not None and p.failures.step == broken.step else None
    p.failures = Failures(broken.step, 1, p.event.id)
    if known is not None:
        p.failures = msgspec.structs.replace(known, count=known.count + 1)
    if broken.is_endless or p.failures.count >= MAX_FAILURES:
        stack.stop(p)
        p.failures = None


def _finish(p: RunningTurn) -> None:
    p.end_record_if_ending()
    if p.effects if isinstance(p.event, Began) else p.has_stayed:
        sessions.set_timer(p)


def _dispatch(p: RunningTurn) -> None:
    event = p.event
    match event:
        case ContextGiven():
            sessions.end_if_over(p)
            sessions.take_context(p)
        case TimedOut():
            sessions.end_if_over(p)
        case Began():
            _begin(p, event)
        case Said() | Picked():
            _said_or_picked(p, event)
        case Located():
            _located(p, event)
        case Attached():
            _attached(p, event)
        case LoggedIn():
            login_results.log_in(p, event)
        case CodeRefused():
            login_results.refuse_code(p, event)
        case LoginFailed():
            login_results.fail(p, event)
        case LoggedOut():
            sessions.end_if_over(p)
            sessions.take_context(p)
            protected.log_out(p, None)
        case PersonActed():
            sessions.end_if_over(p)
            _act_as_person(p, event)


def _begin(p: RunningTurn, event: Began) -> None:
    """An opening event begins a session and runs ``welcome``; in a session that runs already it says nothing, unless
    the user has to hear again what is asked."""
    if event.clear:
        sessions.end(p, keep=frozenset())
        p.memory.past = {}
    sessions.end_if_over(p)
    sessions.take_context(p)
    if p.is_welcomed and not event.is_said_again:
        return
    sessions.stay(p)
    p.is_welcomed = True
    if sessions.is_silent(p):
        return
    login_results.catch_up(p)
    if p.stack:
        walk.proceed(p)
    elif respond.WELCOME in p.flow.scripts:
        stack.begin(p, respond.WELCOME)
        walk.proceed(p)
    else:
        respond.greet(p)


def _act_as_person(p: RunningTurn, event: PersonActed) -> None:
    """Say what a person answers, which renews the bot's silence, or wake the bot."""
    if event.refused:
        return
    if event.action == "answer":
        p.silent_until = p.event.now + event.silent_ms
        p.send(BotMessage(event.text), "", person=event.name)
    elif event.action == "give-back":
        p.silent_until = 0


# ---- messages of the user ----------------------------------------------------------------------------------------


def _said_or_picked(p: RunningTurn, event: Said | Picked) -> None:
    sessions.end_if_over(p)
    restart = sessions.restart_text(p.flow.commands, p.state.ask if p.over_at else None, event)
    if restart is not None:  # before a look at what is open, and while silent too
        is_first = _hear(p, restart, None)
        status = sessions.ended_status(p)
        # Left before the context is taken: it may be open in another version of the flow, whose steps are not these.
        sessions.leave(p)
        sessions.take_context(p)
        _note(p, "restart")
        respond.restart(p, status, is_first=is_first)
    elif isinstance(event, Said):
        is_first = _receive(p, event.text)
        _text(p, event.text, is_first)
    else:
        _picked(p, event)


def _receive(p: RunningTurn, text: str | None) -> bool:
    """Record a message of the user; return whether it is the first of its session."""
    sessions.end_if_over(p)
    node = p.open_node()
    is_first = _hear(p, text, None if node is None else node.step.entity)
    sessions.take_context(p)
    login_results.catch_up(p)
    return is_first


def _hear(p: RunningTurn, text: str | None, entity: str | None) -> bool:
    p.heard = Heard({}, entity, text)
    is_first = not p.is_welcomed
    p.is_welcomed = p.has_record = True
    sessions.stay(p)
    return is_first


def _text(p: RunningTurn, text: str, is_first: bool, *, is_sure: bool = False) -> None:
    """``is_sure``: the user chose the text, or said that it was understood."""
    if sessions.is_silent(p):
        _note(p, "silent")
        return
    if paging.run_paging(p, text):
        _note(p, "page")
        return
    own, p.own = p.own, None
    p.is_after_own_question = p.is_after_own_question or own is not None
    if own is not None and (index := own_questions.chosen_by(p, own, text)) is not None:
        _answer_own_question(p, own, index)
        return
    if own is not None and own.kind == "change" and (told := interpret_reply_to_change(p, own, text)) is not None:
        _respond(p, told, is_first, text)
        return
    if not is_first:
        text = chosen.suggested_by_place(p, text) or text
        suggested = p.suggested if p.suggestion_pages is None else p.suggestion_pages.choices
        named = match_option.named_by(suggested, text)
        is_sure = is_sure or named is not None
        text = text if named is None or not isinstance(named.value, str) else named.value
    meaning = interpret_text(p, text)
    _respond(p, msgspec.structs.replace(meaning, confidence=1.0) if is_sure else meaning, is_first, text)


def _has_answered_own_question(p: RunningTurn, event: Picked) -> bool:
    own = p.own
    if own is None or sessions.is_silent(p):
        return False
    pick = chosen.read(event, own_questions.as_ask(own), own.choices)
    if len(pick.choices) != 1:
        return False
    p.own = None
    _tell_text(p, plain_title(pick.choices[0].title))
    _answer_own_question(p, own, own.choices.index(pick.choices[0]))
    return True


def _answer_own_question(p: RunningTurn, own: OwnQuestion, index: int) -> None:
    _note(p, "own-question")
    if own.kind == "guess" and index == 0:
        _text(p, own.text, is_first=False, is_sure=True)
    elif own.kind == "change":
        _respond(p, interpret_change(p, own.text, is_change=index == 0), False, own.text)
    elif own.kind == "meant":
        _answer_offer(p, own, index)
    else:
        respond.answer_own_question(p, own, index)


def _answer_offer(p: RunningTurn, own: OwnQuestion, index: int) -> None:
    """Do what the user chose among the wishes that were offered, with the values of the message that asked for it."""
    wish = own.wishes[index] if index < len(own.wishes) else None
    if wish is None or (wish[0] == CONVERSATION and wish[1] not in p.flow.scripts):
        respond.refuse_offer(p)
        return
    assert p.heard is not None
    p.heard = msgspec.structs.replace(p.heard, chosen=wish)
    _respond(p, interpret_wish(p, wish, own.text), is_first=False, text=own.text)


def _picked(p: RunningTurn, event: Picked) -> None:
    is_first = _receive(p, None)
    node, ask = p.open_node(), p.ask
    p.is_after_own_question = p.own is not None
    # Below an offer stand the options of the open question.
    has_own = p.own is not None and p.own.kind != "meant"
    if _has_answered_own_question(p, event):
        return
    pick = (
        STALE
        if has_own and (event.key or event.keys)
        else chosen.read(event, ask, () if node is None or ask is None else offered.of_ask(p, node, ask))
    )
    if pick.text is not None:
        _tell_text(p, pick.text)
        _text(p, _dated(node, pick.text), is_first, is_sure=True)
        return
    p.own = None
    if pick.choices:
        _tell_text(p, ", ".join(plain_title(choice.title) for choice in pick.choices))
    elif pick.page:
        _tell_text(p, asking.label(p.flow.commands, pick.page))
    said = plain_text(pick.choices[0].value) if len(pick.choices) == 1 else ""
    if sessions.is_silent(p):
        _note(p, "silent")
        return
    if said and paging.run_paging(p, said):
        _note(p, "page")
        return
    if pick.page == asking.SKIP:
        _note(p, "skip")
        respond.pass_over(p)
    elif pick.page:
        _note(p, "page")
        if not paging.turn_page(p, pick.page):
            walk.proceed(p)
    elif pick.is_stale:
        _note(p, "old-options")
        respond.answer_stale(p, is_first)
    elif len(pick.choices) == 1:
        _respond(p, interpret_text(p, said, pick.choices[0]), is_first)
    else:
        _respond(p, interpret_choices(p, pick.choices), is_first)


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


def _located(p: RunningTurn, event: Located) -> None:
    is_first = _receive(p, event.name)
    if sessions.is_silent(p):
        _note(p, "silent")
        return
    node = p.open_node()
    if chosen.is_of_another(event.ask, p.ask):
        _note(p, "old-options")
        respond.answer_stale(p, is_first)
    elif _picked_type(node, "location-picker") not in (None, "Location"):
        # The question wants words, and its picker gives a place: what that is called, or where it is.
        _respond(p, interpret_text(p, event.name or f"{event.latitude}, {event.longitude}"), is_first)
    else:
        value: dict[str, Any] = {"latitude": event.latitude, "longitude": event.longitude}
        if event.name:
            value["name"] = event.name
        _respond(p, interpret_value(p, "Location", [value]), is_first)


def _attached(p: RunningTurn, event: Attached) -> None:
    is_first = _receive(p, event.text or None)
    if sessions.is_silent(p):
        _note(p, "silent")
        return
    meaning = interpret_files(p, [_file(file) for file in event.files], event.text)
    if meaning is None:
        _text(p, event.text, is_first)
    else:
        _respond(p, meaning, is_first)


def _respond(p: RunningTurn, meaning: Meaning, is_first: bool, text: str | None = None) -> None:
    """``text``: what was interpreted, where it is not what the transcript shows."""
    assert p.heard is not None
    if p.is_passed_over and not _names_goal(p, meaning):
        _note(p, "after-login")
        walk.proceed(p)
        return
    p.heard = msgspec.structs.replace(p.heard, understanding=meaning.understanding)
    if p.trace is not None:
        p.trace.understand(explain(p, meaning, p.heard.text or "" if text is None else text))
    if meaning.next_wish is not None:
        key, words = meaning.next_wish
        p.next_wishes = (*p.next_wishes, NextWish(key, words, p.event.now))[-MAX_NEXT_WISHES:]
    respond.answer(p, meaning, is_first, text)


def _note(p: RunningTurn, meant: Meant) -> None:
    """Write into the trace what a message was taken for that nobody had to interpret."""
    if p.trace is not None and p.heard is not None:
        p.trace.understand(whose_question(p, Understood(meant=meant, text=p.heard.text)))


def _names_goal(p: RunningTurn, meaning: Meaning) -> bool:
    script = p.flow.scripts.get(meaning.named or "")
    return meaning.named == RESTART or (script is not None and script.is_goal)


def _tell_text(p: RunningTurn, text: str) -> None:
    assert p.heard is not None
    p.heard = msgspec.structs.replace(p.heard, text=text)


def _file(file: Attachment) -> dict[str, Any]:
    value: dict[str, Any] = {"url": file.url, "mimeType": file.mime_type, "name": file.name}
    if file.labels:
        value["labels"] = list(file.labels)
    return value
