"""One turn: ``turn(flow, state, event)``, the one entry of the engine. What it wants done it gives back as effects.

A turn that needs an outside call (or the login renewed, which is one that the service makes) gives back the state
unchanged but for ``pending``, and the call; with its result the event runs again from the start. So nothing half-done
is ever kept, and the results are all that a rerun needs.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from dialoom.engine import respond
from dialoom.engine.compiled import AskingNode, DisplayKind, Flow, Question
from dialoom.engine.conversations import opening, own_questions, sessions
from dialoom.engine.effects import Effect, Ended, Failed, Fetch, HandOver, Heard, Refresh, SetTimer, WaitingForCall
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
from dialoom.engine.running_turn import ActsOnGuess, FlowBroken, Interrupted, RunningTurn
from dialoom.engine.state import Failures, NextWish, OwnQuestion, Pending, State
from dialoom.engine.steps import login_results, protected, walk
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
            running.rules.is_held_back = True
            _run(running)
        finally:
            forget_texts()
    except WaitingForCall as waiting:
        waits = msgspec.structs.replace(state, pending=Pending(event, results))
        return Turn(waits, (waiting.wanted,))
    except Interrupted as interrupted:
        interrupted.step = running.limits.visited
        raise
    trace = None if running.trace is None else running.trace.trace()
    return Turn(running.next_state(), running.record.all_effects(), trace)


def stop(flow: Flow, state: State, event: Event, step: str, reason: str) -> Turn:
    """What becomes of an event whose turn was interrupted at ``step``: nothing that the turn did is kept, and the flow
    is stopped as one that does not come to an end. ``state``: the one before the event."""
    running = RunningTurn(flow, state, event, {})
    _stop(running, step, reason)
    return Turn(running.next_state(), running.record.all_effects())


_is_day = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII).fullmatch


def _run(turn: RunningTurn) -> None:
    """Run the event to its end, or to the outside call that it needs."""
    try:
        _dispatch(turn)
        if turn.record.next_wishes and not turn.stack and turn.output.own is None and not turn.session.is_silent:
            _follow_next_wish(turn)
    except FlowBroken as broken:
        _fail(turn, broken)
    _finish(turn)


def _follow_next_wish(turn: RunningTurn) -> None:
    """Start what the user wished for beside an answer to a goal that has ended now."""
    first, *left = turn.record.next_wishes
    turn.record.next_wishes = tuple(left)
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
    node = turn.stack.open_node()
    if isinstance(event, Said | Picked | Located | Attached):
        _hear(turn, None, None if node is None else node.step.entity)
    elif isinstance(event, Began):
        sessions.stay(turn)
        turn.session.is_welcomed = True
    _fail(turn, FlowBroken(step or ("" if node is None else node.path), reason, is_endless=True))
    _finish(turn)


MAX_NEXT_WISHES = 5
MAX_FAILURES = 3
"""Failures in a row of one step, after which the goal ends (flow-language.md section 5)."""


def _fail(turn: RunningTurn, broken: FlowBroken) -> None:
    if turn.trace is not None:
        turn.trace.fail(broken.step, broken.reason)
    turn.record.add(Failed(broken.step, broken.reason))
    key = broken.step.partition("/")[0]
    try:
        texts = turn.output.render(turn.flow.failure_texts, key)
    except FlowBroken:
        texts = [turn.flow.system.general_failure[0]]
    for text in texts:
        turn.output.send(BotMessage(text), key)
    known = turn.calls.failures
    if known is None or known.step != broken.step:
        known = Failures(broken.step, 0, turn.event.id)
    turn.calls.failures = known = msgspec.structs.replace(known, count=known.count + 1)
    if broken.is_endless or known.count >= MAX_FAILURES:
        opening.stop(turn.memory, turn.stack, turn.output)
        turn.calls.failures = None


def _finish(turn: RunningTurn) -> None:
    turn.record.end_if_ending()
    if turn.record.effects if isinstance(turn.event, Began) else turn.session.has_stayed:
        turn.record.effects.append(SetTimer(sessions.TIMER, turn.flow.session_ms / 1000))


def _dispatch(turn: RunningTurn) -> None:
    event = turn.event
    if not isinstance(event, Began):  # which may clear the chat first
        sessions.end_if_over(turn)
    match event:
        case ContextGiven():
            sessions.take_context(turn.memory, turn.stack, turn.event)
        case TimedOut():
            pass
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
            sessions.take_context(turn.memory, turn.stack, turn.event)
            protected.log_out(turn, None)
        case PersonActed():
            _act_as_person(turn, event)


def _begin(turn: RunningTurn, event: Began) -> None:
    """An opening event begins a session and runs ``welcome``; in a session that runs already it says nothing, unless
    the user has to hear again what is asked."""
    if event.clear:
        sessions.end(turn, keep=frozenset())
        turn.memory.past = {}
    sessions.end_if_over(turn)
    sessions.take_context(turn.memory, turn.stack, turn.event)
    if turn.session.is_welcomed and not event.is_said_again:
        return
    sessions.stay(turn)
    turn.session.is_welcomed = True
    if turn.session.is_silent:
        return
    login_results.catch_up(turn)
    if turn.stack:
        walk.proceed(turn)
    elif respond.WELCOME in turn.flow.scripts:
        opening.begin(turn.memory, turn.stack, turn.record, respond.WELCOME)
        walk.proceed(turn)
    else:
        respond.greet(turn.flow, turn.output)


def _act_as_person(turn: RunningTurn, event: PersonActed) -> None:
    """Say what a person answers, which renews the bot's silence, or wake the bot."""
    if event.refused:
        return
    if event.action == "answer":
        turn.session.silent_until = event.now + event.silent_ms
        turn.output.send(BotMessage(event.text), "", person=event.name)
    elif event.action == "give-back":
        turn.session.silent_until = 0


# ---- messages of the user ----------------------------------------------------------------------------------------


def _said_or_picked(turn: RunningTurn, event: Said | Picked) -> None:
    restart = sessions.restart_text(turn.flow.commands, turn.state.ask if turn.session.over_at else None, event)
    if restart is not None:  # before a look at what is open, and while silent too
        is_first = _hear(turn, restart, None)
        status = sessions.ended_status(turn.stack, turn.record)
        # Left before the context is taken: it may be open in another version of the flow, whose steps are not these.
        sessions.leave(turn)
        sessions.take_context(turn.memory, turn.stack, turn.event)
        _note(turn, "restart")
        respond.restart(turn, status, is_first=is_first)
    elif isinstance(event, Said):
        is_first = _receive(turn, event.text)
        _text(turn, event.text, is_first)
    else:
        _picked(turn, event)


def _receive(turn: RunningTurn, text: str | None) -> bool:
    """Record a message of the user; return whether it is the first of its session."""
    node = turn.stack.open_node()
    is_first = _hear(turn, text, None if node is None else node.step.entity)
    sessions.take_context(turn.memory, turn.stack, turn.event)
    login_results.catch_up(turn)
    return is_first


def _hear(turn: RunningTurn, text: str | None, entity: str | None) -> bool:
    turn.record.heard = Heard({}, entity, text)
    is_first = not turn.session.is_welcomed
    turn.session.is_welcomed = turn.record.is_open = True
    sessions.stay(turn)
    return is_first


def _text(turn: RunningTurn, text: str, is_first: bool, *, is_sure: bool = False) -> None:
    """``is_sure``: the user chose the text, or said that it was understood."""
    if turn.session.is_silent:
        _note(turn, "silent")
        return
    if paging.run_paging(turn.stack, turn.output, text):
        _note(turn, "page")
        return
    own, turn.output.own = turn.output.own, None
    turn.output.is_after_own_question = turn.output.is_after_own_question or own is not None
    s = Situation(turn)
    if own is not None and (index := own_questions.chosen_by(s, own, text)) is not None:
        _answer_own_question(turn, own, index)
        return
    if own is not None and own.kind == "change" and (told := interpret_reply_to_change(s, own, text)) is not None:
        _respond(turn, told, is_first, text)
        return
    if not is_first:
        # While a question is open its options are meant.
        shown = turn.output.suggested if turn.stack.ask is None else ()
        text = chosen.suggestion_by_position(turn.flow, shown, text) or text
        suggested = (
            turn.output.suggested if turn.output.suggestion_pages is None else turn.output.suggestion_pages.choices
        )
        named = match_option.named_by(suggested, text)
        is_sure = is_sure or named is not None
        text = text if named is None or not isinstance(named.value, str) else named.value
    meaning = interpret_text(s, text)
    if own is not None and (is_yes := own_questions.says_yes_below(s, own, text, meaning.found)) is not None:
        _note(turn, "own-question")
        respond.leave_open(turn, own, is_yes=is_yes)
        return
    _respond(turn, msgspec.structs.replace(meaning, confidence=1.0) if is_sure else meaning, is_first, text)


def _has_answered_own_question(turn: RunningTurn, event: Picked) -> bool:
    own = turn.output.own
    if own is None or turn.session.is_silent:
        return False
    pick = chosen.read(event, own_questions.as_ask(own), own.choices)
    if len(pick.choices) != 1:
        return False
    turn.output.own = None
    turn.record.note(text=plain_title(pick.choices[0].title))
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
        # What follows where nothing is understood, which is counted already.
        turn.record.note(has_refused=True)
        respond.say_not_understood(turn, turn.flow.invalid_replies)
        return
    turn.record.note(chosen=wish)
    _respond(turn, interpret_wish(Situation(turn), wish, own.text), is_first=False, text=own.text)


def _picked(turn: RunningTurn, event: Picked) -> None:
    is_first = _receive(turn, None)
    node, ask = turn.stack.open_node(), turn.stack.ask
    turn.output.is_after_own_question = turn.output.own is not None
    # Below an offer stand the options of the open question.
    has_own = turn.output.own is not None and turn.output.own.kind != "meant"
    if _has_answered_own_question(turn, event):
        return
    pick = (
        STALE
        if has_own and (event.key or event.keys)
        else chosen.read(event, ask, () if node is None or ask is None else offered.of_ask(turn.flow, node, ask))
    )
    if pick.text is not None:
        turn.record.note(text=pick.text)
        _text(turn, _dated(node, pick.text), is_first, is_sure=True)
        return
    turn.output.own = None
    if pick.choices:
        turn.record.note(text=", ".join(plain_title(choice.title) for choice in pick.choices))
    elif pick.page:
        turn.record.note(text=asking.label(turn.flow.commands, pick.page))
    said = plain_text(pick.choices[0].value) if len(pick.choices) == 1 else ""
    if turn.session.is_silent:
        _note(turn, "silent")
        return
    if said and paging.run_paging(turn.stack, turn.output, said):
        _note(turn, "page")
        return
    if pick.page == asking.SKIP:
        _note(turn, "skip")
        respond.pass_over(turn)
    elif pick.page:
        _note(turn, "page")
        if not paging.turn_page(turn.stack, turn.output, pick.page):
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
    if turn.session.is_silent:
        _note(turn, "silent")
        return
    node = turn.stack.open_node()
    if chosen.is_of_another(event.ask, turn.stack.ask):
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
    if turn.session.is_silent:
        _note(turn, "silent")
        return
    meaning = interpret_files(Situation(turn), [_file(file) for file in event.files], event.text)
    if meaning is None:
        _text(turn, event.text, is_first)
    else:
        _respond(turn, meaning, is_first)


def _respond(turn: RunningTurn, meaning: Meaning, is_first: bool, text: str | None = None) -> None:
    """``text``: what was interpreted, where it is not what the transcript shows."""
    if turn.login.is_passed_over and not _names_goal(turn.flow, meaning):
        _note(turn, "after-login")
        walk.proceed(turn)
        return
    turn.record.note(understanding=meaning.understanding)
    if turn.trace is not None:
        turn.trace.understand(explain(turn, meaning, turn.record.text if text is None else text))
    if meaning.next_wish is not None:
        key, words = meaning.next_wish
        turn.record.next_wishes = (*turn.record.next_wishes, NextWish(key, words, turn.event.now))[-MAX_NEXT_WISHES:]
    respond.answer(turn, meaning, is_first, text)


def _note(turn: RunningTurn, meant: Meant) -> None:
    """Write into the trace what a message was taken for that nobody had to interpret."""
    heard = turn.record.heard
    if turn.trace is not None and heard is not None:
        turn.trace.understand(whose_question(turn.stack, heard, Understood(meant=meant, text=heard.text)))


def _names_goal(flow: Flow, meaning: Meaning) -> bool:
    script = flow.scripts.get(meaning.named or "")
    return meaning.named == RESTART or (script is not None and script.is_goal)


def _file(file: Attachment) -> dict[str, Any]:
    value: dict[str, Any] = {"url": file.url, "mimeType": file.mime_type, "name": file.name}
    if file.labels:
        value["labels"] = list(file.labels)
    return value
