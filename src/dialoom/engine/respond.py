"""Responds to a message whose meaning is known (flow-language.md section 5, rules 2 and 5 to 7)."""

from __future__ import annotations

import msgspec

from dialoom.engine.compiled import AskingNode, EntitiesConfirmation, Question, Texts
from dialoom.engine.conversations import going_back, own_questions, sessions, stack
from dialoom.engine.interpret.meaning import Meaning
from dialoom.engine.interpret.situation import RESTART, Situation
from dialoom.engine.interpret.values.leaning import read_at
from dialoom.engine.options import asking, offered, review
from dialoom.engine.running_turn import Open, RunningTurn
from dialoom.engine.state import Choice, OwnQuestion, Wish
from dialoom.engine.steps import walk
from dialoom.engine.values import changes, reactions
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages import BotMessage
from dialoom.messages.plain import plain_title
from dialoom.messages.records import Status
from dialoom.understanding.replies import folded_words, reply_words

WELCOME, HELP = "welcome", "help"


# ---- commands ----------------------------------------------------------------------------------------------------


def restart(p: RunningTurn, status: Status | None = None, *, is_first: bool = False) -> None:
    """Clear the short-term memory and run ``restart``. All that is said until it ends belongs to the old record, which
    ends as ``status`` where what was open is left already.

    Without that conversation it answers as where nothing is open: ``welcome`` if the session begins with it, ``help``,
    an invalid reply.
    """
    p.ending = p.end_of_record(status or sessions.ended_status(p))
    sessions.leave(p)
    p.silent_until = 0
    p.memory.keep_only(sessions.lasting(p))
    p.name_goal()
    for key in (RESTART, WELCOME, HELP) if is_first else (RESTART, HELP):
        if key in p.flow.scripts:
            stack.begin(p, key)
            walk.proceed(p)
            return
    p.say(p.flow.invalid_replies, "")


def greet(p: RunningTurn) -> None:
    """Say what the bot can do, where its author has written neither ``welcome`` nor ``help``."""
    if HELP not in p.flow.scripts and p.flow.offered_goals:
        asking.suggest(p, "", [p.flow.system.greeting], p.flow.offered_goals)


# ---- answers -----------------------------------------------------------------------------------------------------


def answer(p: RunningTurn, meaning: Meaning, is_first: bool, text: str | None = None) -> None:
    """``text``: what was interpreted, where it is not what the user's message says."""
    text = (p.heard.text if p.heard is not None and text is None else text) or ""
    named = meaning.named
    is_guess = named is not None and meaning.confidence < p.flow.act_threshold and _asks_on_a_guess(p, named)
    is_held_back = is_guess and p.is_held_back and named in p.flow.scripts
    if meaning.answer is not None or named is not None:
        p.is_not_retried = named is None or p.goal is None or p.goal.script.key != named
    if named == RESTART and not is_held_back:
        p.is_guess = is_guess
        restart(p, is_first=is_first)
        return
    if named == WELCOME:
        named = None  # once a session: asked for later it is nothing that the bot can do
    if is_first and WELCOME in p.flow.scripts:
        _welcome(p, meaning, named)
        if named is None and meaning.answer is None and not (meaning.offered and not sessions.is_silent(p)):
            return
    if named is not None and is_held_back:
        own_questions.ask_about_guess(p, named, text)
        return
    p.is_guess = is_guess
    if _follow(p, meaning, named) or _take(p, meaning, text):
        p.misses = 0
    elif meaning.offered:
        _offer(p, meaning.offered, text)
    else:
        _not_understood(p, p.flow.not_a_yes if meaning.is_no_yes else p.flow.invalid_replies)
    later = meaning.later
    if later is not None and p.goal is None and not p.has_sent:
        _start_later(p, later)


def _offer(p: RunningTurn, wishes: tuple[Wish, ...], text: str) -> None:
    """Ask which of the likeliest wishes was meant. Until one is chosen it counts as a reply that was not understood."""
    assert p.heard is not None
    p.heard = msgspec.structs.replace(p.heard, is_understood=False, offered=wishes)
    _count_miss(p)
    own_questions.ask_what_was_meant(p, wishes, text)


def refuse_offer(p: RunningTurn) -> None:
    """None of the offered wishes was meant: what follows where nothing was understood, which is counted already."""
    assert p.heard is not None
    p.heard = msgspec.structs.replace(p.heard, has_refused=True)
    _say_not_understood(p, p.flow.invalid_replies)


def _asks_on_a_guess(p: RunningTurn, key: str) -> bool:
    script = p.flow.scripts.get(key)
    return script is None or script.asks_on_a_guess


def _follow(p: RunningTurn, meaning: Meaning, named: str | None) -> bool:
    """Do what the message asks for beside the open question; whether it asks for anything."""
    if meaning.answer is not None:
        _answer_question(p, meaning.answer)
    elif named is not None:
        _turn_to(p, meaning, named)
    elif (meaning.command == "stop" and p.goal is not None) or (
        meaning.command == "back" and p.failures is not None and p.goal is not None
    ):
        own_questions.ask_to_stop(p, p.goal.script.key)
    elif meaning.command == "back":
        going_back.go_back(p)
        walk.proceed(p)
    else:
        return False
    return True


def _take(p: RunningTurn, meaning: Meaning, text: str) -> bool:
    """Take what the message tells; whether it tells anything."""
    if meaning.passes:
        pass_over(p)
    elif meaning.which:
        reactions.react(p, meaning.found)
        going_back.reopen(p, meaning.reopened)
        own_questions.ask_which(p, meaning.which, meaning.which_value)
    elif meaning.change is not None:
        own_questions.ask_to_change(p, meaning.change, text)
    elif meaning.again is not None:
        _ask_again(p, meaning.again)
    elif meaning.declines:
        _decline(p, meaning)
    elif meaning.found or meaning.reopened:
        reactions.react(p, meaning.found)
        going_back.reopen(p, meaning.reopened)
        walk.proceed(p)
    else:
        return False
    return True


def pass_over(p: RunningTurn) -> None:
    """Leave the open, optional question without a value."""
    node, running = p.open_node(), p.running
    if node is not None and running is not None and isinstance(node.step, Question) and node.step.is_optional:
        changes.lose(p, node.step.entity, None)
        p.memory.put(node.step.entity, None)
        running.take(node.step.entity, is_new=True)
        running.unsure.pop(node.index, None)
        running.answered.append(node.index)
    p.misses = 0
    walk.proceed(p)


def answer_own_question(p: RunningTurn, own: OwnQuestion, index: int) -> None:
    """Do what the answer to a question of the service itself asks for. ``index``: of the option."""
    p.own = None
    if own.kind == "which":
        goal = next((opened for opened in p.stack if opened.script.key == own.key), None)
        if goal is not None:
            _take_named(p, goal, own, own.nodes[index])
        walk.proceed(p)
    elif index == 1:
        if p.stack:
            walk.proceed(p)
        else:
            p.say(p.flow.not_a_yes, "")
    elif own.kind == "stop":
        stack.stop_goal(p)
        walk.proceed(p)


def _take_named(p: RunningTurn, goal: Open, own: OwnQuestion, index: int) -> None:
    """Fill the question that the user named with the number that was told, or ask it again. ``index``: of its node."""
    node = next((one for one in goal.script.fillable if one.index == index), None)
    value = None
    if own.text and node is not None:
        value = read_at(Situation(p), node, own.text)
    if value is None or node is None:
        going_back.reopen_node(p, goal, index)
    else:
        reactions.react(p, [reactions.Found(goal.script.key, node, value, is_asked=False)])


def _welcome(p: RunningTurn, meaning: Meaning, named: str | None) -> None:
    """``welcome`` before what the first message itself asks for; then it asks nothing of its own on the way."""
    p.named = named
    p.is_passing_by = named is not None or meaning.answer is not None or bool(meaning.offered)
    stack.begin(p, WELCOME)
    walk.proceed(p)
    p.is_passing_by = False
    if named is not None:
        while p.stack and not p.stack[-1].script.is_goal:
            p.stack.pop()
    p.name_goal()


def _answer_question(p: RunningTurn, asked: tuple[str, str]) -> None:
    """A QnA answer, then the open question again, without a going-back text."""
    running, row = p.running, CHANNEL_ROWS.get(p.event.profile.provider)
    texts = p.flow.ssml_answers.get(asked, ()) if row is not None and row.is_spoken else ()
    p.say(texts or p.flow.answers.get(asked, ()), "" if running is None else running.script.key)
    walk.proceed(p)


def _turn_to(p: RunningTurn, meaning: Meaning, named: str) -> None:
    running = p.running
    if running is None or running.script.key != named:
        stack.enter(p, named)
    reactions.react(p, meaning.found)
    walk.proceed(p)


def _ask_again(p: RunningTurn, choice: Choice) -> None:
    """A value chosen at an entities-confirmation: its question, and then the confirmation again."""
    node, ask = p.open_node(), p.ask
    if node is not None and ask is not None and isinstance(node.step, EntitiesConfirmation):
        review.ask_again(p, node.path, node.step, choice, offered.of_ask(p, node, ask))
    walk.proceed(p)


def _decline(p: RunningTurn, meaning: Meaning) -> None:
    """No to a suggested value: the question as it stands, and what else the message told."""
    node, running = p.open_node(), p.running
    if node is not None and running is not None:
        running.declined.add(node.index)
    reactions.react(p, meaning.found)
    walk.proceed(p)


def _not_understood(p: RunningTurn, texts: Texts) -> None:
    if p.heard is not None:
        p.heard = msgspec.structs.replace(p.heard, is_understood=False)
    _count_miss(p)
    _say_not_understood(p, texts)


def _count_miss(p: RunningTurn) -> None:
    """Count a message that was not understood: at the open question, or in a row with nothing open."""
    if p.open_node() is not None or not p.stack:
        p.misses += 1


def _leads_away(p: RunningTurn) -> bool:
    """Run what runs after several messages that were not understood; whether there were so many."""
    helping = p.flow.misunderstood
    if helping is None or p.misses < helping.after:
        return False
    p.misses = 0
    walk.run_beside(p, helping.conversation)
    return True


def _say_not_understood(p: RunningTurn, texts: Texts) -> None:
    """Say one of the texts and ask the question again; with nothing open ``help``."""
    node = p.open_node()
    if node is not None:
        key = node.path.partition("/")[0]
        if _leads_away(p):
            return
        unknown = _unknown_place(p, node) if texts is p.flow.invalid_replies else ""
        if not unknown or p.flow.bot.flow.settings.invalid_replies is not None:
            p.say(texts, key)
        if unknown:
            p.send(BotMessage(unknown), key)
        if p.flow.misunderstood is not None and p.misses > 1 and (said := _what_can_be_said(p, node)):
            p.send(BotMessage(said), key)
        walk.proceed(p)
        return
    if p.failures is not None and p.goal is not None and _declines_to_retry(p):
        own_questions.ask_to_stop(p, p.goal.script.key)
        return
    if p.stack:  # a step failed and is tried again, or a silence is over and the steps behind it come
        walk.proceed(p)
        if p.stack or p.has_sent:
            return
    if _leads_away(p):
        return
    if HELP in p.flow.scripts:
        stack.begin(p, HELP)
        walk.proceed(p)
    else:
        p.say(p.flow.invalid_replies, "")


def _declines_to_retry(p: RunningTurn) -> bool:
    """Return whether the message is a no, or hesitates: then the step that failed is not tried again."""
    said = "" if p.heard is None else p.heard.text or ""
    is_yes = p.flow.recogniser.recognise(said, ("Confirmation",), p.memory.now())["Confirmation"]
    if is_yes:
        return not is_yes[0].value
    words, replies = folded_words(said), reply_words(p.flow.language)
    return replies.doubts.any_in(words) or replies.is_complaint(words)


def _unknown_place(p: RunningTurn, node: AskingNode) -> str:
    """Return what can be done at a question for a place whose answer names none that is known; "" at any other."""
    is_suggestion = p.ask is not None and p.ask.is_suggestion
    if not isinstance(node.step, Question) or node.step.type != "Location" or is_suggestion:
        return ""
    system, row = p.flow.system, CHANNEL_ROWS.get(p.event.profile.provider)
    choices = () if p.ask is None else offered.of_ask(p, node, p.ask)
    place = plain_title(choices[0].title) if choices else system.example_place
    said = system.unknown_place.replace("{place}", place)
    return said if row is not None and row.is_spoken else f"{said} {system.share_place}"


def _what_can_be_said(p: RunningTurn, node: AskingNode) -> str:
    """Return the sentence that names the commands which help at this question; "" without any."""
    back, skip, again = p.flow.commands.labels
    is_optional = isinstance(node.step, Question) and node.step.is_optional
    phrases = [back if p.goal is not None else "", skip if is_optional else "", again]
    said = ", ".join(f"“{phrase}”" for phrase in phrases if phrase)
    return p.flow.system.you_can_say.replace("{phrases}", said) if said else ""


def answer_stale(p: RunningTurn, is_first: bool) -> None:
    """A tap on options of an earlier question is answered with the current one, and never applied to it."""
    if p.stack:
        walk.proceed(p)
    elif is_first and WELCOME in p.flow.scripts:
        stack.begin(p, WELCOME)
        walk.proceed(p)
    else:
        _not_understood(p, p.flow.invalid_replies)


def _start_later(p: RunningTurn, key: str) -> None:
    """The answer named a conversation, and nothing has come of it yet: that conversation starts."""
    if key == RESTART:
        restart(p)
    elif key in p.flow.scripts and key != WELCOME:
        stack.enter(p, key)
        walk.proceed(p)
