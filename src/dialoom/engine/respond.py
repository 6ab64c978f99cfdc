"""Responds to a message whose meaning is known (flow-language.md section 5, rules 2 and 5 to 7)."""

from __future__ import annotations

from dialoom.engine.compiled import AskingNode, EntitiesConfirmation, Flow, Question, Texts
from dialoom.engine.conversations import going_back, opening, own_questions, sessions
from dialoom.engine.interpret.meaning import Meaning
from dialoom.engine.interpret.situation import RESTART, Situation
from dialoom.engine.interpret.values.leaning import read_at
from dialoom.engine.memory import Memory
from dialoom.engine.options import asking, offered, review
from dialoom.engine.running_turn import OpenConversation, Output, RunningTurn, Stack
from dialoom.engine.state import Choice, OwnQuestion
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
    turn.record.ending = turn.record.ended(status or sessions.ended_status(turn.stack, turn.record))
    sessions.leave(turn)
    turn.session.silent_until = 0
    turn.memory.keep_only(sessions.lasting(turn.flow, turn.memory, turn.event.now))
    turn.stack.name_goal(turn.memory)
    for key in (RESTART, WELCOME, HELP) if is_first else (RESTART, HELP):
        if key in turn.flow.scripts:
            opening.begin(turn.memory, turn.stack, turn.record, key)
            walk.proceed(turn)
            return
    turn.output.say(turn.flow.invalid_replies, "")


def greet(flow: Flow, output: Output) -> None:
    """Say what the bot can do, where its author has written neither ``welcome`` nor ``help``."""
    if HELP not in flow.scripts and flow.offered_goals:
        asking.suggest(flow.commands, output, "", [flow.system.greeting], flow.offered_goals)


# ---- answers -----------------------------------------------------------------------------------------------------


def answer(turn: RunningTurn, meaning: Meaning, is_first: bool, text: str | None = None) -> None:
    """``text``: what was interpreted, where it is not what the user's message says."""
    text = turn.record.text if text is None else text
    named = meaning.named
    is_guess = named is not None and meaning.confidence < turn.flow.act_threshold and _asks_on_a_guess(turn.flow, named)
    is_held_back = is_guess and turn.rules.is_held_back and named in turn.flow.scripts
    if meaning.answer is not None or named is not None:
        turn.rules.is_not_retried = named is None or turn.stack.goal is None or turn.stack.goal.script.key != named
    if named == RESTART and not is_held_back:
        turn.rules.is_guess = is_guess
        restart(turn, is_first=is_first)
        return
    if named == WELCOME:
        named = None  # once a session: asked for later it is nothing that the bot can do
    if is_first and WELCOME in turn.flow.scripts:
        _welcome(turn, meaning, named)
        if named is None and meaning.answer is None and not (meaning.offered and not turn.session.is_silent):
            return
    if named is not None and is_held_back:
        own_questions.ask_about_guess(turn.stack, turn.output, named, text)
        return
    turn.rules.is_guess = is_guess
    if _follow(turn, meaning, named) or _take(turn, meaning, text):
        turn.stack.misses = 0
    elif meaning.offered:
        # Until one is chosen it counts as a reply that was not understood.
        turn.record.note(is_understood=False, offered=meaning.offered)
        _count_miss(turn.stack)
        own_questions.ask_what_was_meant(turn.stack, turn.output, meaning.offered, text)
    else:
        _not_understood(turn, turn.flow.not_a_yes if meaning.is_no_yes else turn.flow.invalid_replies)
    later = meaning.later
    if later is not None and turn.stack.goal is None and not turn.record.has_sent:
        # The answer named a conversation, and nothing has come of it yet: that conversation starts.
        if later == RESTART:
            restart(turn)
        elif later in turn.flow.scripts and later != WELCOME:
            opening.enter(turn.memory, turn.stack, turn.output, later)
            walk.proceed(turn)


def _asks_on_a_guess(flow: Flow, key: str) -> bool:
    script = flow.scripts.get(key)
    return script is None or script.asks_on_a_guess


def _follow(turn: RunningTurn, meaning: Meaning, named: str | None) -> bool:
    """Do what the message asks for beside the open question; whether it asks for anything."""
    if meaning.answer is not None:
        _say_answer(turn.stack, turn.output, meaning.answer, turn.event.profile.provider)
    elif named is not None:
        running = turn.stack.running
        if running is None or running.script.key != named:
            opening.enter(turn.memory, turn.stack, turn.output, named)
        reactions.react(turn.stack, turn.calls, turn.output, meaning.found)
    elif (meaning.command == "stop" and turn.stack.goal is not None) or (
        meaning.command == "back" and turn.calls.failures is not None and turn.stack.goal is not None
    ):
        own_questions.ask_to_stop(turn.stack, turn.output, turn.stack.goal.script.key)
        return True
    elif meaning.command == "back":
        going_back.go_back(turn.memory, turn.stack)
    else:
        return False
    walk.proceed(turn)
    return True


def _take(turn: RunningTurn, meaning: Meaning, text: str) -> bool:
    """Take what the message tells; whether it tells anything."""
    if meaning.passes:
        pass_over(turn)
    elif meaning.which:
        reactions.react(turn.stack, turn.calls, turn.output, meaning.found)
        going_back.reopen(turn.memory, turn.stack, meaning.reopened)
        own_questions.ask_which(turn.stack, turn.output, meaning.which, meaning.which_value)
    elif meaning.change is not None:
        own_questions.ask_to_change(turn.stack, turn.output, meaning.change, text)
    elif meaning.again is not None:
        _ask_again(turn.memory, turn.stack, meaning.again)
        walk.proceed(turn)
    elif meaning.declines:  # a suggested value: the question as it stands, and what else the message told
        node, running = turn.stack.open_node(), turn.stack.running
        if node is not None and running is not None:
            running.declined.add(node.index)
        reactions.react(turn.stack, turn.calls, turn.output, meaning.found)
        walk.proceed(turn)
    elif meaning.found or meaning.reopened:
        reactions.react(turn.stack, turn.calls, turn.output, meaning.found)
        going_back.reopen(turn.memory, turn.stack, meaning.reopened)
        walk.proceed(turn)
    else:
        return False
    return True


def pass_over(turn: RunningTurn) -> None:
    """Leave the open, optional question without a value."""
    node, running = turn.stack.open_node(), turn.stack.running
    if node is not None and running is not None and isinstance(node.step, Question) and node.step.is_optional:
        changes.lose(turn.memory, turn.stack, node.step.entity, None)
        turn.memory.put(node.step.entity, None)
        running.given.add(node.step.entity)
        running.unsure.pop(node.index, None)
        running.answered.append(node.index)
    turn.stack.misses = 0
    walk.proceed(turn)


def answer_own_question(turn: RunningTurn, own: OwnQuestion, index: int) -> None:
    """Do what the answer to a question of the service itself asks for. ``index``: of the option."""
    turn.output.own = None
    if own.kind == "which":
        goal = turn.stack.find(own.key)
        if goal is not None:
            _take_named(turn, goal, own, own.nodes[index])
        walk.proceed(turn)
    elif index == 1:
        if turn.stack:
            walk.proceed(turn)
        else:
            turn.output.say(turn.flow.not_a_yes, "")
    elif own.kind == "stop":
        opening.stop_goal(turn.memory, turn.stack, turn.output)
        walk.proceed(turn)


def leave_open(turn: RunningTurn, own: OwnQuestion, *, is_yes: bool) -> None:
    """Ask again what a yes or a no left unanswered: it is none to the question below either."""
    turn.record.note(is_understood=False)
    if is_yes and own.kind == "which":
        own_questions.ask_again(turn.stack, turn.output, own)
    else:
        walk.proceed(turn)


def _take_named(turn: RunningTurn, goal: OpenConversation, own: OwnQuestion, index: int) -> None:
    """Fill the question that the user named with the number that was told, or ask it again. ``index``: of its node."""
    node = next((one for one in goal.script.fillable if one.index == index), None)
    value = None
    if own.text and node is not None:
        value = read_at(Situation(turn), node, own.text)
    if value is None or node is None:
        going_back.reopen_node(turn.memory, turn.stack, goal, index)
    else:
        found = reactions.Found(goal.script.key, node, value, is_asked=False)
        reactions.react(turn.stack, turn.calls, turn.output, [found])


def _welcome(turn: RunningTurn, meaning: Meaning, named: str | None) -> None:
    """``welcome`` before what the first message itself asks for; then it asks nothing of its own on the way."""
    turn.stack.named = turn.flow.scripts.get(named or "")
    turn.rules.is_passing_by = named is not None or meaning.answer is not None or bool(meaning.offered)
    opening.begin(turn.memory, turn.stack, turn.record, WELCOME)
    walk.proceed(turn)
    turn.rules.is_passing_by = False
    if named is not None:
        while turn.stack and not turn.stack[-1].script.is_goal:
            turn.stack.pop()
    turn.stack.name_goal(turn.memory)


def _say_answer(stack: Stack, output: Output, asked: tuple[str, str], provider: str) -> None:
    """Say a QnA answer; the open question follows it without a going-back text."""
    row = CHANNEL_ROWS.get(provider)
    texts = stack.flow.ssml_answers.get(asked, ()) if row is not None and row.is_spoken else ()
    output.say(texts or stack.flow.answers.get(asked, ()), "" if stack.running is None else stack.running.script.key)


def _ask_again(memory: Memory, stack: Stack, choice: Choice) -> None:
    """Have a value chosen at an entities-confirmation asked for again, and then the confirmation again."""
    node, ask = stack.open_node(), stack.ask
    if node is not None and ask is not None and isinstance(node.step, EntitiesConfirmation):
        review.ask_again(memory, stack, node.path, node.step, choice, offered.of_ask(stack.flow, node, ask))


def _not_understood(turn: RunningTurn, texts: Texts) -> None:
    turn.record.note(is_understood=False)
    _count_miss(turn.stack)
    say_not_understood(turn, texts)


def _count_miss(stack: Stack) -> None:
    """Count a message that was not understood: at the open question, or in a row with nothing open."""
    if stack.open_node() is not None or not stack:
        stack.misses += 1


def _leads_away(turn: RunningTurn) -> bool:
    """Run what runs after several messages that were not understood; whether there were so many."""
    helping = turn.flow.misunderstood
    if helping is None or turn.stack.misses < helping.after:
        return False
    turn.stack.misses = 0
    walk.run_beside(turn, helping.conversation)
    return True


def say_not_understood(turn: RunningTurn, texts: Texts) -> None:
    """Say one of the texts and ask the question again; with nothing open ``help``."""
    flow, stack, output = turn.flow, turn.stack, turn.output
    node, goal = stack.open_node(), stack.goal
    if node is not None:
        key = node.path.partition("/")[0]
        if _leads_away(turn):
            return
        unknown = _unknown_place(stack, node, turn.event.profile.provider) if texts is flow.invalid_replies else ""
        if not unknown or flow.bot.flow.settings.invalid_replies is not None:
            output.say(texts, key)
        if unknown:
            output.send(BotMessage(unknown), key)
        if flow.misunderstood is not None and stack.misses > 1 and (said := _what_can_be_said(stack, node)):
            output.send(BotMessage(said), key)
        walk.proceed(turn)
        return
    if turn.calls.failures is not None and goal is not None and _declines_to_retry(flow, turn.memory, turn.record.text):
        own_questions.ask_to_stop(stack, output, goal.script.key)
        return
    if stack:  # a step failed and is tried again, or a silence is over and the steps behind it come
        walk.proceed(turn)
        if stack or turn.record.has_sent:
            return
    if _leads_away(turn):
        return
    if HELP in flow.scripts:
        opening.begin(turn.memory, stack, turn.record, HELP)
        walk.proceed(turn)
    else:
        output.say(flow.invalid_replies, "")


def _declines_to_retry(flow: Flow, memory: Memory, said: str) -> bool:
    """Return whether the message is a no, or hesitates: then the step that failed is not tried again."""
    is_yes = flow.recogniser.recognise(said, ("Confirmation",), memory.now())["Confirmation"]
    if is_yes:
        return not is_yes[0].value
    words, replies = folded_words(said), reply_words(flow.language)
    return replies.doubts.any_in(words) or replies.is_complaint(words)


def _unknown_place(stack: Stack, node: AskingNode, provider: str) -> str:
    """Return what can be done at a question for a place whose answer names none that is known; "" at any other."""
    ask, system, row = stack.ask, stack.flow.system, CHANNEL_ROWS.get(provider)
    if not isinstance(node.step, Question) or node.step.type != "Location" or (ask is not None and ask.is_suggestion):
        return ""
    choices = () if ask is None else offered.of_ask(stack.flow, node, ask)
    place = plain_title(choices[0].title) if choices else system.example_place
    said = system.unknown_place.replace("{place}", place)
    return said if row is not None and row.is_spoken else f"{said} {system.share_place}"


def _what_can_be_said(stack: Stack, node: AskingNode) -> str:
    """Return the sentence that names the commands which help at this question; "" without any."""
    back, skip, again = stack.flow.commands.labels
    is_optional = isinstance(node.step, Question) and node.step.is_optional
    phrases = [back if stack.goal is not None else "", skip if is_optional else "", again]
    said = ", ".join(f"“{phrase}”" for phrase in phrases if phrase)
    return stack.flow.system.you_can_say.replace("{phrases}", said) if said else ""


def answer_stale(turn: RunningTurn, is_first: bool) -> None:
    """A tap on options of an earlier question is answered with the current one, and never applied to it."""
    if turn.stack:
        walk.proceed(turn)
    elif is_first and WELCOME in turn.flow.scripts:
        opening.begin(turn.memory, turn.stack, turn.record, WELCOME)
        walk.proceed(turn)
    else:
        _not_understood(turn, turn.flow.invalid_replies)
