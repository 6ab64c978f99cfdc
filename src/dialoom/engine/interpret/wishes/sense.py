"""The conversation or the QnA answer that a sentence as a whole is likest to."""

from __future__ import annotations

from collections.abc import Mapping

from dialoom.engine.interpret.proposals import Answer, Start
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import RESTART, Situation, key_of
from dialoom.engine.interpret.slots import CONVERSATION
from dialoom.understanding import Candidate
from dialoom.understanding.replies import reply_words

BY = "wishes"
Recognised = Mapping[str, list[Candidate]]


def sense(s: Situation, said: Said, recognised: Recognised) -> Start | Answer | None:
    """Return the conversation or the QnA answer that the sentence as a whole asks for, the surer one."""
    words = reply_words(s.language).without_wishes(said.folded)
    starts = s.flow.starting_names.get(words)
    if starts is not None and s.is_other(starts):
        return Start(by=BY, key=starts)
    senses = [one for type in s.flow.always_sought for one in recognised.get(type, ())]
    best = max(senses, key=lambda one: one.confidence, default=None)
    key = None if best is None else key_of(best.value)
    if best is None or key is None:
        return None
    if best.type != CONVERSATION:
        return Answer(by=BY, type=best.type, value=key, confidence=best.confidence)
    if key != RESTART and key not in s.flow.scripts:
        return None
    return Start(by=BY, key=key, confidence=1.0 if s.flow.sure_names.get(words) == key else best.confidence)
