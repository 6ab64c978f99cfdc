"""Compiles a bot as it was read to a flow that runs. What steps are made of is compiled in ``parts``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, tzinfo
from functools import cache
from zoneinfo import available_timezones

import msgspec

from dialoom.engine import compiled as script
from dialoom.engine.compiled import MAX_NESTED_CONVERSATIONS, InPlace, Node, StepNode, TooDeep, is_question
from dialoom.engine.state import Choice
from dialoom.engine.steps import compile_step
from dialoom.engine.steps.parts import Parts
from dialoom.errors import FlowError, TemplateError
from dialoom.flow import model
from dialoom.flow import steps as written
from dialoom.flow.model import Bot
from dialoom.flow.parts import Texts, texts_of
from dialoom.flow.patterns.expression_slots import SlotTypes, is_slotted, said_as_it_is, slot_types, without_slots
from dialoom.flow.steps import STEP_TYPES, type_of
from dialoom.languages import SystemTexts, system_texts
from dialoom.template import compile
from dialoom.template.formats.numbers import currency_of
from dialoom.template.values.moments import find_zone
from dialoom.understanding import Model, Recogniser, normalise
from dialoom.understanding.denied_wishes import clause_words
from dialoom.understanding.normalise import fold
from dialoom.understanding.replies import folded_words, reply_words
from dialoom.understanding.shared_values import SlotExpression, read_expression
from dialoom.understanding.words import words_for

NOT_FROM_TEXT = frozenset({"Text", "Confirmation", "Location", "File"})
"""Built-in types that a message is not searched for: any text, a yes or a no are taken only where asked for."""
MAX_STEPS = 10_000
"""As many as a turn may visit; what lies beyond could never be reached in one turn anyway."""


def compile_flow(bot: Bot, model_of_training: Model | None = None) -> script.Flow:
    """Raises ``FlowError`` for what only the engine can see. Without a model (``understanding.train``) of its training
    it takes as long as the training takes."""
    settings, language = bot.flow.settings, bot.file.language
    definitions = bot.training.entity_definitions
    understanding = settings.understanding
    slots = slot_types(bot)
    recogniser = Recogniser(
        definitions, language, understanding.threshold, understanding.margin, model_of_training, slots
    )
    system = system_texts(language)
    commands = _commands(bot, system)
    parts = Parts(
        recogniser,
        system,
        {definition.name: definition for definition in definitions},
        commands.restart,
        cache(lambda: _usual_currency(bot, recogniser)),
    )
    findings: list[str] = []
    steps = {
        key: _steps(parts, key, conversation.steps, findings) for key, conversation in bot.flow.conversations.items()
    }
    if findings:
        raise FlowError(findings)
    qna = frozenset(definition.name for definition in definitions if isinstance(definition, model.QnAType))
    traits = ("Conversation",) if recogniser.kind("Conversation") == "trait" else ()
    every_step = (step for conversation in bot.flow.conversations.values() for step in conversation.steps)
    questions = [step for step in every_step if isinstance(step, written.Question)]
    displays = {one.entity: compile(one.entity_display) for one in questions if one.entity_display}
    expressions = _expressions(bot)
    sure_names, starting_names, words = _names(bot, steps, language, slots)
    timezone, zones = _zones(settings.timezone, takes_users=settings.use_user_timezone)
    scripts = {
        key: _script(
            key,
            conversation,
            steps,
            qna,
            words[key],
            _slot_expressions(expressions.get(key, ()), slots),
            clause_words(expressions.get(key, ()), language),
        )
        for key, conversation in bot.flow.conversations.items()
    }
    return script.Flow(
        bot=bot,
        language=language,
        scripts=scripts,
        recogniser=recogniser,
        system=system,
        yes_no=parts.yes_no(),
        commands=commands,
        not_a_yes=parts.texts(_or(settings.not_a_yes, system.not_a_yes)),
        stopped=parts.texts(_or(settings.stopped, system.stopped)),
        own_questions={
            "stop": parts.texts((system.stop_question,)),
            "guess": parts.texts((system.guess_question,)),
            "which": parts.texts((system.which_question,)),
            "change": parts.texts((system.change_question,)),
        },
        misunderstood=settings.misunderstood,
        act_threshold=understanding.act,
        sure_names=sure_names,
        starting_names=starting_names,
        offered_goals=_offered_goals(bot, starting_names.values()),
        invalid_replies=parts.texts(_or(settings.invalid_replies, system.invalid_replies)),
        failure_texts=parts.texts(_or(settings.general_failure, system.general_failure)),
        return_texts=parts.texts(_or(settings.previous_conversation_messages, system.previous_conversation_messages)),
        timezone=timezone,
        zones=zones,
        uses_user_timezone=settings.use_user_timezone,
        session_ms=round(settings.session_timeout * 60_000),
        silence_minutes=settings.silence_timeout,
        persistent=frozenset(settings.persist_entities),
        remembered=frozenset(question.entity for question in questions if question.reactions.suggestions),
        displays=displays,
        display_names=frozenset[str]().union(*(display.names - {name} for name, display in displays.items())),
        custom_types=frozenset(definition.name for definition in definitions),
        always_sought=(*traits, *sorted(qna)),
        qna_types=qna,
        answers={
            (definition.name, value.value): parts.texts(value.answers)
            for definition in definitions
            if isinstance(definition, model.QnAType)
            for value in definition.data
        },
        expressions={
            (definition.name, value.value): next(said_as_it_is(value.expressions), value.value)
            for definition in definitions
            if isinstance(definition, model.QnAType)
            for value in definition.data
        },
        ssml_answers={
            (definition.name, value.value): parts.texts(value.ssml_answers)
            for definition in definitions
            if isinstance(definition, model.QnAType)
            for value in definition.data
            if value.ssml_answers
        },
        sense_types=frozenset(
            definition.name for definition in definitions if isinstance(definition, model.QnAType | model.TraitType)
        ),
        login=_login(parts, settings.authentication),
        asks_places=any(question.entity_type == "Location" for question in questions),
        dynamic={
            definition.name: parts.dynamic(definition.dynamic_data)
            for definition in definitions
            if isinstance(definition, model.KeywordsType) and definition.dynamic_data is not None
        },
        own_types=_own_types(scripts, definitions),
    )


def _own_types(
    scripts: dict[str, script.CompiledConversation], definitions: Iterable[model.EntityDefinition]
) -> dict[str, tuple[str, ...]]:
    """Return the types of the bot's own, found inside a sentence, that only one conversation asks for: by that goal."""
    inside = [one.name for one in definitions if isinstance(one, model.KeywordsType | model.RegexType)]
    asking = {type: [key for key, one in scripts.items() if type in one.types] for type in inside}
    return {
        key: found
        for key, one in scripts.items()
        if one.is_goal and (found := tuple(type for type in inside if asking[type] == [key]))
    }


def _usual_currency(bot: Bot, recogniser: Recogniser) -> str | None:
    """Return the one currency that the texts of a bot name, else that of its language."""
    every_step = (step for conversation in bot.flow.conversations.values() for step in conversation.steps)
    texts = (text for step in every_step for text in texts_of(getattr(step, "messages", ())))
    found = recogniser.currencies_in(texts)
    return found[0] if len(found) == 1 else currency_of(bot.file.language)


def _names(
    bot: Bot, steps: dict[str, tuple[script.Node, ...]], language: str, slots: SlotTypes
) -> tuple[dict[tuple[str, ...], str], dict[tuple[str, ...], str], dict[str, list[frozenset[str]]]]:
    """Return what names a conversation for sure, what of it starts a goal that nothing else leads to (flow-language.md
    section 3), and the words of each of the names. Of an expression with slots they are the words outside of its
    values, and none where those say nothing by themselves ("with", "on")."""
    replies = reply_words(language)
    common = frozenset(fold(word) for word in words_for(language).common)
    expressions = _expressions(bot)
    led_to = {
        node.step.conversation
        for nodes in steps.values()
        for node in nodes
        if isinstance(node.step, InPlace | script.GoTo)
    }
    sure: dict[tuple[str, ...], str] = {}
    starting: dict[tuple[str, ...], str] = {}
    words: dict[str, list[frozenset[str]]] = {}
    for key, conversation in bot.flow.conversations.items():
        plain = [one for one in expressions.get(key, ()) if not is_slotted(one, slots)]
        beside = [folded_words(without_slots(one, slots)) for one in expressions.get(key, ()) if one not in plain]
        names = [key, conversation.display_name or key]
        is_started = conversation.type == "goal" and not plain and key not in led_to
        own = [folded_words(one) for one in plain] + [said for said in beside if not common.issuperset(said)]
        named = [folded_words(one) for one in names]
        words[key] = [frozenset(replies.without_wishes(said) or said) for said in (*own, *named)]
        for said in (*own, *named):
            for form in filter(None, (said, replies.without_wishes(said))):
                sure.setdefault(form, key)
                if is_started and said in named:
                    starting.setdefault(form, key)
    return sure, starting, words


def _expressions(bot: Bot) -> dict[str, tuple[str, ...]]:
    """Return the trained expressions of each conversation."""
    return {
        value.value: value.expressions
        for definition in bot.training.entity_definitions
        if isinstance(definition, model.TraitType) and definition.name == "Conversation"
        for value in definition.data
    }


def _slot_expressions(expressions: Iterable[str], slots: SlotTypes) -> tuple[SlotExpression, ...]:
    read = (read_expression(one, slots) for one in expressions) if slots else ()
    return tuple(one for one in read if one is not None)


def _offered_goals(bot: Bot, starting: Collection[str]) -> tuple[Choice, ...]:
    """Return the goals that users can start, each with what they say for it. ``starting``: those that their names
    start."""
    expressions = _expressions(bot)
    goals = {key: one for key, one in bot.flow.conversations.items() if one.type == "goal"}
    return tuple(
        Choice(one.display_name or key, next(said_as_it_is(expressions.get(key, ())), one.display_name or key))
        for key, one in goals.items()
        if expressions.get(key) or key in starting
    )


def _login(parts: Parts, settings: model.Authentication | None) -> script.Login | None:
    if settings is None:
        return None
    card = settings.display.template
    return script.Login(
        entity=settings.entity,
        texts=parts.texts(settings.messages),
        title=compile(card.title),
        image=compile(card.image) if card.image else None,
        acknowledgements=parts.texts(settings.acknowledgements),
        is_refreshed=settings.refresh,
        has_workchat=settings.workchat is not None,
        forget_ms=None if settings.forget_after is None else round(settings.forget_after * 60_000),
    )


def _or(texts: Texts | None, default: tuple[str, ...]) -> Texts:
    return default if texts is None else texts


def _zones(own: str, *, takes_users: bool) -> tuple[str, dict[str, tzinfo]]:
    """Return the flow's zone, and all that a turn may be in, by name. Held here they are held in Python's own cache
    too, so that no template reads a file for one: all 600 take 70 ms and 5.5 MB, once a process."""
    zone = find_zone(own)
    name = own if zone is not None else "UTC"
    zones: dict[str, tzinfo] = {name: zone or find_zone("UTC") or UTC}
    if takes_users:
        for other in sorted(available_timezones()):
            found = find_zone(other)
            if found is not None:
                zones.setdefault(other, found)
    return name, zones


def _commands(bot: Bot, system: SystemTexts) -> script.Commands:
    own = [commands for commands in (bot.flow.settings.commands, bot.flow.commands) if commands is not None]

    def phrases(name: str, default: tuple[str, ...]) -> tuple[str, ...]:
        for commands in own:
            given: tuple[str, ...] | None = getattr(commands, name)
            if given is not None:
                return given
        return default

    def normalised(texts: Iterable[str]) -> frozenset[str]:
        return frozenset(filter(None, map(normalise, texts)))

    after = phrases("next_page", system.next_page)
    before = phrases("previous_page", system.previous_page)
    defaults = {"back": system.back, "stop": system.stop, "skip": system.skip}
    written = {name: phrases(name, ()) for name in ("restart", "next_page", "previous_page", *defaults)}
    taken = normalised(phrase for name in written for phrase in written[name])
    others: dict[str, tuple[str, ...]] = {}
    for name, default in defaults.items():
        is_written = any(getattr(commands, name) is not None for commands in own)
        others[name] = written[name] if is_written else tuple(one for one in default if normalise(one) not in taken)
    restart = phrases("restart", system.restart)
    return script.Commands(
        back=normalised(others["back"]),
        stop=normalised(others["stop"]),
        skip=normalised(others["skip"]),
        labels=tuple(found[0] if found else "" for found in (others["back"], others["skip"], restart)),
        restart=normalised(restart),
        next_page=normalised(after),
        previous_page=normalised(before),
        next_label=after[0] if after else system.next_page[0],
        previous_label=before[0] if before else system.previous_page[0],
    )


def _script(
    key: str,
    conversation: model.Conversation,
    steps: dict[str, tuple[script.Node, ...]],
    qna: frozenset[str],
    words: list[frozenset[str]],
    slot_expressions: tuple[SlotExpression, ...],
    clauses: tuple[list[frozenset[str]], list[frozenset[str]]],
) -> script.CompiledConversation:
    nodes = lay_out(key, steps)
    questions = tuple(filter(is_question, nodes))
    fillers: dict[str, int] = {}
    for node in nodes:
        if node.fills is not None:
            fillers.setdefault(node.fills, node.index)
    sought = {
        node.step.type: None
        for node in questions
        if not node.step.is_explicit and node.step.type not in NOT_FROM_TEXT and node.step.type not in qna
    }
    return script.CompiledConversation(
        key=key,
        is_goal=conversation.type == "goal",
        display_name=conversation.display_name or key,
        nodes=nodes,
        questions=questions,
        fillable=tuple(node for node in questions if node.step.type not in qna),
        fillers=fillers,
        question_entities=frozenset(node.step.entity for node in questions),
        types=tuple(sought),
        words=frozenset[str]().union(*words),
        expressions=tuple(words),
        clauses=tuple(clauses[0]),
        denying=tuple(clauses[1]),
        slot_expressions=slot_expressions,
        asks_on_a_guess=conversation.on_a_guess == "ask",
    )


# ---- steps -------------------------------------------------------------------------------------------------------


def _steps(parts: Parts, key: str, steps: tuple[written.Step, ...], findings: list[str]) -> tuple[script.Node, ...]:
    """Compile the steps of one conversation; ``lay_out`` puts them in order."""
    nodes = []
    for index, step in enumerate(steps):
        path = f"{key}/{index}"
        try:
            compiled = compile_step(parts, step)
            conditions = tuple(compile(condition) for condition in step.conditions)
        except TemplateError as error:
            findings.append(f"flow.json conversations/{key}/steps/{index}: {error}")
            continue
        except FlowError as error:
            findings += [f"flow.json conversations/{key}/steps/{index}: {finding}" for finding in error.findings]
            continue
        nodes.append(
            StepNode(
                index=index,
                after=index + 1,
                path=path,
                type=type_of(step),
                step=compiled,
                conditions=conditions,
                fills=getattr(compiled, "entity", None),
                is_protected=step.protected,
            )
        )
    return tuple(nodes)


def lay_out(key: str, steps: Mapping[str, tuple[Node, ...]]) -> tuple[Node, ...]:
    """Join the steps of a conversation and of those that run in place into one list, so that a walk is a loop over an
    index.

    Where nesting goes too deep stands a node that stops the flow.
    """
    nodes: list[Node | None] = []
    _lay(steps, key, 0, nodes, False)
    return tuple(node for node in nodes if node is not None)


def _lay(
    steps: Mapping[str, tuple[Node, ...]], key: str, depth: int, nodes: list[Node | None], is_protected: bool
) -> None:
    for step in steps.get(key, ()):
        index = len(nodes)
        if index >= MAX_STEPS:
            nodes.append(_too_deep(step, index))
            return
        inner = step.step
        is_guarded = is_protected or step.is_protected
        if not isinstance(inner, InPlace):
            nodes.append(msgspec.structs.replace(step, index=index, after=index + 1, is_protected=is_guarded))
            continue
        nodes.append(None)
        if depth == MAX_NESTED_CONVERSATIONS:
            nodes.append(_too_deep(step, index + 1))
        else:
            _lay(steps, inner.conversation, depth + 1, nodes, is_guarded)
        nodes[index] = msgspec.structs.replace(step, index=index, after=len(nodes))


def _too_deep(step: Node, index: int) -> Node:
    return StepNode(index=index, after=index + 1, path=step.path, type=STEP_TYPES["conversation"], step=TooDeep())
