"""Phrases of BACK, STOP and SKIP as the whole message (flow-language.md section 2)."""

from __future__ import annotations

from dialoom.engine.compiled import Question
from dialoom.engine.interpret.proposals import Back, Skip, Stop
from dialoom.engine.interpret.replies.yes_no import texts_words
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.values.value_words import name_words
from dialoom.understanding.replies import Phrases, reply_words

BY = "commands"
_DASHES = frozenset("-–—")


def command(s: Situation, said: Said) -> Back | Stop | Skip | None:
    """Return the command that a message is; none for a trained expression, and none for the words of a yes-or-no
    question: "cancel" to "Shall I cancel it?" stops nothing."""
    known, question = s.flow.commands, s.question
    if s.awaits_yes and _says_question_again(s, said):
        return None
    if question is not None and question.is_optional and not s.is_suggestion and _skips(s, said, question):
        return Skip(by=BY)
    is_back = said.phrase in known.back
    if not is_back and said.phrase not in known.stop:
        return None
    if s.goal is None or s.expression(said.text) is not None:
        return None
    return Back(by=BY) if is_back else Stop(by=BY)


def _skips(s: Situation, said: Said, question: Question) -> bool:
    is_none = question.type != "Confirmation" and _says_none(s, said, question)
    is_value = s.recogniser.value_named(question.type, said.text) is not None
    is_skip = said.phrase in s.flow.commands.skip or is_none
    return is_skip and not is_value and s.expression(said.text) is None


def _says_none(s: Situation, said: Said, question: Question) -> bool:
    """Return whether a text leaves an optional question empty: "none", "no phone", "-"."""
    known, words = reply_words(s.language), said.folded
    if not words:
        return bool(said.text.strip()) and all(sign in _DASHES for sign in said.text.strip())
    types = map(" ".join, known.types.get(question.type, ()))
    names = Phrases((*question.names, " ".join(name_words(question.entity)), *types))
    return known.is_none(words) or (names.any_in(words) and known.is_none(names.without(words)))


def _says_question_again(s: Situation, said: Said) -> bool:
    node = s.node
    if node is None or not said.folded:
        return False
    return reply_words(s.language).are_of(said.folded, texts_words(s, node.step.texts))
