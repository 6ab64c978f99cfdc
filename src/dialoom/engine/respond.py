"""Responds to a message whose meaning is known (flow-language.md section 5, rules 2 and 5 to 7)."""

from __future__ import annotations

import msgspec

from dialoom.engine.compiled import AskingNode, EntitiesConfirmation, Question, Texts
from dialoom.engine.conversations import going_back, own_questions, sessions, stack
from dialoom.engine.interpret.meaning import Meaning
from dialoom.engine.interpret.situation import RESTART, Situation
from dialoom.engine.interpret.values.leaning import read_at
from dialoom.engine.options import asking, offered, review
from dialoom.engine.running_turn import OpenConversation, RunningTurn
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


def restart(turn: RunningTurn, status: Status | None = None, *, is_first: bool = False) -> None:
    """Clear the short-term memory and run ``restart``. All that is said until it ends belongs to the old record, which
    ends as ``status`` where what was open is left already.

    Without that conversation it answers as where nothing is open: ``welcome`` if the session begins with it, ``help``,
    an invalid reply.
    """
    turn.ending = turn.end_of_record(status or sessions.ended_status(turn))
    sessions.leave(turn)
    turn.silent_until = 0
    turn.memory.keep_only(sessions.lasting(turn))
    turn.name_goal()
    for key in (RESTART, WELCOME, HELP) if is_first else (RESTART, HELP):
        if key in turn.flow.scripts:
            stack.begin(turn, key)
            walk.proceed(turn)
            return
    turn.say(turn.flow.invalid_replies, "")


def greet(turn: RunningTurn) -> None:
    """Say what the bot can do, where its author has written neither ``welcome`` nor ``help``."""
    if HELP not in turn.flow.scripts and turn.flow.offered_goals:
        asking.suggest(turn, "", [turn.flow.system.greeting], turn.flow.offered_goals)


# ---- answers -----------------------------------------------------------------------------------------------------


def answer(turn: RunningTurn, meaning: Meaning, is_first: bool, text: str | None = None) -> None:
    """``text``: what was interpreted, where it is not what the user's message says."""
    text = (turn.heard.text if turn.heard is not None and text is None else text) or ""
    named = meaning.named
    is_guess = named is not None and meaning.confidence < turn.flow.act_threshold and _asks_on_a_guess(turn, named)
    is_held_back = is_guess and turn.is_held_back and named in turn.flow.scripts
    if meaning.answer is not None or named is not None:
        turn.is_not_retried = named is None or turn.goal is None or turn.goal.script.key != named
    if named == RESTART and not is_held_back:
        turn.is_guess = is_guess
        restart(turn, is_first=is_first)
        return
    if named == WELCOME:
        named = None  # once a session: asked for later it is nothing that the bot can do
    if is_first and WELCOME in turn.flow.scripts:
        _welcome(turn, meaning, named)
        if named is None and meaning.answer is None and not (meaning.offered and not sessions.is_silent(turn)):
            return
    if named is not None and is_held_back:
        own_questions.ask_about_guess(turn, named, text)
        return
    turn.is_guess = is_guess
    if _follow(turn, meaning, named) or _take(turn, meaning, text):
        turn.misses = 0
    elif meaning.offered:
        _offer(turn, meaning.offered, text)
    else:
        _not_understood(turn, turn.flow.not_a_yes if meaning.is_no_yes else turn.flow.invalid_replies)
    later = meaning.later
    if later is not None and turn.goal is None and not turn.has_sent:
        _start_later(turn, later)


def _offer(turn: RunningTurn, wishes: tuple[Wish, ...], text: str) -> None:
    """Ask which of the likeliest wishes was meant. Until one is chosen it counts as a reply that was not understood."""
    assert turn.heard is not None
    turn.heard = msgspec.structs.replace(turn.heard, is_understood=False, offered=wishes)
    _count_miss(turn)
    own_questions.ask_what_was_meant(turn, wishes, text)


def refuse_offer(turn: RunningTurn) -> None:
    """None of the offered wishes was meant: what follows where nothing was understood, which is counted already."""
    assert turn.heard is not None
    turn.heard = msgspec.structs.replace(turn.heard, has_refused=True)
    _say_not_understood(turn, turn.flow.invalid_replies)


def _asks_on_a_guess(turn: RunningTurn, key: str) -> bool:
    script = turn.flow.scripts.get(key)
    return script is None or script.asks_on_a_guess


def _follow(turn: RunningTurn, meaning: Meaning, named: str | None) -> bool:
    """Do what the message asks for beside the open question; whether it asks for anything."""
    if meaning.answer is not None:
        _answer_question(turn, meaning.answer)
    elif named is not None:
        _turn_to(turn, meaning, named)
    elif (meaning.command == "stop" and turn.goal is not None) or (
        meaning.command == "back" and turn.failures is not None and turn.goal is not None
    ):
        own_questions.ask_to_stop(turn, turn.goal.script.key)
    elif meaning.command == "back":
        going_back.go_back(turn)
        walk.proceed(turn)
    else:
        return False
    return True


def _take(turn: RunningTurn, meaning: Meaning, text: str) -> bool:
    """Take what the message tells; whether it tells anything."""
    if meaning.passes:
        pass_over(turn)
    elif meaning.which:
        reactions.react(turn, meaning.found)
        going_back.reopen(turn, meaning.reopened)
        own_questions.ask_which(turn, meaning.which, meaning.which_value)
    elif meaning.change is not None:
        own_questions.ask_to_change(turn, meaning.change, text)
    elif meaning.again is not None:
        _ask_again(turn, meaning.again)
    elif meaning.declines:
        _decline(turn, meaning)
    elif meaning.found or meaning.reopened:
        reactions.react(turn, meaning.found)
        going_back.reopen(turn, meaning.reopened)
        walk.proceed(turn)
    else:
        return False
    return True


def pass_over(turn: RunningTurn) -> None:
    """Leave the open, optional question without a value."""
    node, running = turn.open_node(), turn.running
    if node is not None and running is not None and isinstance(node.step, Question) and node.step.is_optional:
        changes.lose(turn, node.step.entity, None)
        turn.memory.put(node.step.entity, None)
        running.take(node.step.entity, is_new=True)
        running.unsure.pop(node.index, None)
        running.answered.append(node.index)
    turn.misses = 0
    walk.proceed(turn)


def answer_own_question(turn: RunningTurn, own: OwnQuestion, index: int) -> None:
    """Do what the answer to a question of the service itself asks for. ``index``: of the option."""
    turn.own = None
    if own.kind == "which":
        goal = next((opened for opened in turn.stack if opened.script.key == own.key), None)
        if goal is not None:
            _take_named(turn, goal, own, own.nodes[index])
        walk.proceed(turn)
    elif index == 1:
        if turn.stack:
            walk.proceed(turn)
        else:
            turn.say(turn.flow.not_a_yes, "")
    elif own.kind == "stop":
        stack.stop_goal(turn)
        walk.proceed(turn)


def _take_named(turn: RunningTurn, goal: OpenConversation, own: OwnQuestion, index: int) -> None:
    """Fill the question that the user named with the number that was told, or ask it again. ``index``: of its node."""
    node = next((one for one in goal.script.fillable if one.index == index), None)
    value = None
    if own.text and node is not None:
        value = read_at(Situation(turn), node, own.text)
    if value is None or node is None:
        going_back.reopen_node(turn, goal, index)
    else:
        reactions.react(turn, [reactions.Found(goal.script.key, node, value, is_asked=False)])


def _welcome(turn: RunningTurn, meaning: Meaning, named: str | None) -> None:
    """``welcome`` before what the first message itself asks for; then it asks nothing of its own on the way."""
    turn.named = named
    turn.is_passing_by = named is not None or meaning.answer is not None or bool(meaning.offered)
    stack.begin(turn, WELCOME)
    walk.proceed(turn)
    turn.is_passing_by = False
    if named is not None:
        while turn.stack and not turn.stack[-1].script.is_goal:
            turn.stack.pop()
    turn.name_goal()


def _answer_question(turn: RunningTurn, asked: tuple[str, str]) -> None:
    """A QnA answer, then the open question again, without a going-back text."""
    running, row = turn.running, CHANNEL_ROWS.get(turn.event.profile.provider)
    texts = turn.flow.ssml_answers.get(asked, ()) if row is not None and row.is_spoken else ()
    turn.say(texts or turn.flow.answers.get(asked, ()), "" if running is None else running.script.key)
    walk.proceed(turn)


def _turn_to(turn: RunningTurn, meaning: Meaning, named: str) -> None:
    running = turn.running
    if running is None or running.script.key != named:
        stack.enter(turn, named)
    reactions.react(turn, meaning.found)
    walk.proceed(turn)


def _ask_again(turn: RunningTurn, choice: Choice) -> None:
    """A value chosen at an entities-confirmation: its question, and then the confirmation again."""
    node, ask = turn.open_node(), turn.ask
    if node is not None and ask is not None and isinstance(node.step, EntitiesConfirmation):
        review.ask_again(turn, node.path, node.step, choice, offered.of_ask(turn, node, ask))
    walk.proceed(turn)


def _decline(turn: RunningTurn, meaning: Meaning) -> None:
    """No to a suggested value: the question as it stands, and what else the message told."""
    node, running = turn.open_node(), turn.running
    if node is not None and running is not None:
        running.declined.add(node.index)
    reactions.react(turn, meaning.found)
    walk.proceed(turn)


def _not_understood(turn: RunningTurn, texts: Texts) -> None:
    if turn.heard is not None:
        turn.heard = msgspec.structs.replace(turn.heard, is_understood=False)
    _count_miss(turn)
    _say_not_understood(turn, texts)


def _count_miss(turn: RunningTurn) -> None:
    """Count a message that was not understood: at the open question, or in a row with nothing open."""
    if turn.open_node() is not None or not turn.stack:
        turn.misses += 1


def _leads_away(turn: RunningTurn) -> bool:
    """Run what runs after several messages that were not understood; whether there were so many."""
    helping = turn.flow.misunderstood
    if helping is None or turn.misses < helping.after:
        return False
    turn.misses = 0
    walk.run_beside(turn, helping.conversation)
    return True


def _say_not_understood(turn: RunningTurn, texts: Texts) -> None:
    """Say one of the texts and ask the question again; with nothing open ``help``."""
    node = turn.open_node()
    if node is not None:
        key = node.path.partition("/")[0]
        if _leads_away(turn):
            return
        unknown = _unknown_place(turn, node) if texts is turn.flow.invalid_replies else ""
        if not unknown or turn.flow.bot.flow.settings.invalid_replies is not None:
            turn.say(texts, key)
        if unknown:
            turn.send(BotMessage(unknown), key)
        if turn.flow.misunderstood is not None and turn.misses > 1 and (said := _what_can_be_said(turn, node)):
            turn.send(BotMessage(said), key)
        walk.proceed(turn)
        return
    if turn.failures is not None and turn.goal is not None and _declines_to_retry(turn):
        own_questions.ask_to_stop(turn, turn.goal.script.key)
        return
    if turn.stack:  # a step failed and is tried again, or a silence is over and the steps behind it come
        walk.proceed(turn)
        if turn.stack or turn.has_sent:
            return
    if _leads_away(turn):
        return
    if HELP in turn.flow.scripts:
        stack.begin(turn, HELP)
        walk.proceed(turn)
    else:
        turn.say(turn.flow.invalid_replies, "")


def _declines_to_retry(turn: RunningTurn) -> bool:
    """Return whether the message is a no, or hesitates: then the step that failed is not tried again."""
    said = "" if turn.heard is None else turn.heard.text or ""
    is_yes = turn.flow.recogniser.recognise(said, ("Confirmation",), turn.memory.now())["Confirmation"]
    if is_yes:
        return not is_yes[0].value
    words, replies = folded_words(said), reply_words(turn.flow.language)
    return replies.doubts.any_in(words) or replies.is_complaint(words)


def _unknown_place(turn: RunningTurn, node: AskingNode) -> str:
    """Return what can be done at a question for a place whose answer names none that is known; "" at any other."""
    is_suggestion = turn.ask is not None and turn.ask.is_suggestion
    if not isinstance(node.step, Question) or node.step.type != "Location" or is_suggestion:
        return ""
    system, row = turn.flow.system, CHANNEL_ROWS.get(turn.event.profile.provider)
    choices = () if turn.ask is None else offered.of_ask(turn, node, turn.ask)
    place = plain_title(choices[0].title) if choices else system.example_place
    said = system.unknown_place.replace("{place}", place)
    return said if row is not None and row.is_spoken else f"{said} {system.share_place}"


def _what_can_be_said(turn: RunningTurn, node: AskingNode) -> str:
    """Return the sentence that names the commands which help at this question; "" without any."""
    back, skip, again = turn.flow.commands.labels
    is_optional = isinstance(node.step, Question) and node.step.is_optional
    phrases = [back if turn.goal is not None else "", skip if is_optional else "", again]
    said = ", ".join(f"“{phrase}”" for phrase in phrases if phrase)
    return turn.flow.system.you_can_say.replace("{phrases}", said) if said else ""


def answer_stale(turn: RunningTurn, is_first: bool) -> None:
    """A tap on options of an earlier question is answered with the current one, and never applied to it."""
    if turn.stack:
        walk.proceed(turn)
    elif is_first and WELCOME in turn.flow.scripts:
        stack.begin(turn, WELCOME)
        walk.proceed(turn)
    else:
        _not_understood(turn, turn.flow.invalid_replies)


def _start_later(turn: RunningTurn, key: str) -> None:
    """The answer named a conversation, and nothing has come of it yet: that conversation starts."""
    if key == RESTART:
        restart(turn)
    elif key in turn.flow.scripts and key != WELCOME:
        stack.enter(turn, key)
        walk.proceed(turn)
