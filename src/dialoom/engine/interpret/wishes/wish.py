"""What a sentence asks for as a whole: another conversation or a QnA answer (flow-language.md sections 3 and 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dialoom.engine.interpret.proposals import Answer, Start
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import CONVERSATION, GUESS, Stretch
from dialoom.engine.interpret.values.assign import Assigned, assign
from dialoom.engine.interpret.values.leaning import with_limits
from dialoom.engine.interpret.values.value_words import ValueWords
from dialoom.engine.interpret.wishes.denied_wishes import undenied
from dialoom.engine.interpret.wishes.sense import BY, Recognised, sense
from dialoom.engine.interpret.yes_would_act import acts
from dialoom.understanding import Candidate
from dialoom.understanding.replies import reply_words
from dialoom.understanding.shared_values import share_out
from dialoom.understanding.words import words_before_values

MEASURES = ("Amount", "Duration")
"""Types whose values have a number in them that counts nothing else: "20 euros", "2 minutes"."""
MAX_SHORT = 3
"""Words of a reply that must say more than a likeness to start another goal."""


def words_for_values(s: Situation, said: Said) -> ValueWords:
    return ValueWords(said, s.language, s.flow.custom_types, lambda: s.sure_values(MEASURES, said.text))


class Wished(NamedTuple):
    asked: Start | Answer | None
    recognised: Recognised
    """What was recognised on the way."""
    denied: str = ""
    """The conversation that the sentence names and denies."""


def wish(s: Situation, said: Said, recognised: Recognised, assigned: Assigned) -> Wished:
    """Return what a sentence asks for. ``assigned``: the values for questions that are talked about, which stay those
    of the message unless it starts another conversation."""
    used = assigned.used
    recognised = _with(s, s.flow.always_sought, said, recognised)
    asked = sense(s, said, recognised)
    if asked is not None and asked.confidence < 1 and assigned.fills and _covers_most(said, used):
        beside = sense(s, Said(""), s.recognise(s.flow.always_sought, said.without(used).text))
        if beside is None or (beside.kind, beside.what) != (asked.kind, asked.what):
            asked = None  # it is the values that look like that sense
    denied = ""
    if not isinstance(asked, Answer) and (asked is None or asked.confidence < 1):
        left = undenied(s, said, asked)
        denied = "" if asked is None or left is asked else asked.what
        asked = left
    if not isinstance(asked, Start):
        return Wished(asked, recognised, denied)
    fills = assigned.fills
    if s.is_other(asked.key):
        fills = ()
        script = s.flow.scripts.get(asked.key)
        if script is not None:
            # The values of a message that starts a conversation go to the questions of that conversation.
            recognised = _with(s, script.types, said, recognised)
            values = [one for type in script.types for one in recognised[type]]
            shared = share_out(said.text, script.slot_expressions, values, s.language)
            words = words_for_values(s, said)
            own = assign(with_limits(s, s.slots([script]), recognised), recognised, s.flow.sense_types, words, shared)
            fills, used = own.fills, [*used, *own.used]
    sure = min(asked.confidence, _sureness(s, asked.key, said, used, len(fills)))
    return Wished(Start(by=BY, key=asked.key, fills=fills, confidence=sure), recognised, denied)


def _with(s: Situation, types: Sequence[str], said: Said, recognised: Recognised) -> Recognised:
    """Return what was recognised, with these types as well."""
    missing = [type for type in types if type not in recognised]
    return {**recognised, **s.recognise(missing, said.text)} if missing else recognised


def _sureness(s: Situation, key: str, said: Said, used: Iterable[Stretch], value_count: int) -> float:
    """Return 1 where the sentence says an expression of the conversation, or tells several values for its questions;
    else 0: likeness alone makes "don't cancel it" as sure as "cancel it". ``value_count``: how many values it tells."""
    script = s.flow.scripts.get(key)
    if script is None:
        return 1.0
    words, known = said.without(used).folded, reply_words(s.language)
    if s.recogniser.trained_expression(" ".join(known.without_wishes(said.folded))) == (CONVERSATION, key):
        return 1.0
    is_question = bool(words) and (known.asks(words) or (said.is_question and not known.wishes.at(words, 0)))
    if is_question or (value_count > 1 and known.doubts.any_in(words)):
        return 0.0
    return float(value_count > 1 or any(known.says(words, expression) for expression in script.expressions))


def is_short_guess(s: Situation, said: Said, asked: Start | Answer) -> bool:
    """Return whether a few words at an open question only look like another goal: they begin as no wish and have not
    all that one of its expressions is about. A short reply is more often an answer that its question could not read
    ("we bring one")."""
    script = s.flow.scripts.get(asked.key) if isinstance(asked, Start) and not asked.confidence else None
    if s.question is None or script is None or not script.is_goal or not s.is_other(script.key):
        return False
    words, replies = said.folded, reply_words(s.language)
    if len(words) > MAX_SHORT or replies.begins_wish(words):
        return False
    plain = replies.beside | words_before_values(s.language)
    return not any(content <= set(words) for one in script.expressions if (content := one - plain))


def _covers_most(said: Said, used: Iterable[Stretch]) -> bool:
    outside = sum(map(str.isalnum, said.without(used).text))
    return 2 * outside < sum(map(str.isalnum, said.text))


# ---- beside a reply to a confirmation ----------------------------------------------------------------------------


def asked_beside(
    s: Situation, said: Said, used: Iterable[Stretch | Candidate], recognised: Recognised, known: frozenset[str]
) -> tuple[Start | Answer, Recognised] | None:
    """Return what the words outside the values ask for by themselves: another conversation or a QnA answer.

    What is no expression must be asked for without yes and no, polite words and values that nobody takes as well:
    "okay no thanks" is no "thanks", "nicht morgen" no "guten Morgen". Words of the confirmation alone (``known``) ask
    for nothing: "3 parcels".
    """
    rest = said.without(used)
    asked, read, _ = wish(s, rest, {}, Assigned())
    if asked is None or (isinstance(asked, Start) and not s.is_other(asked.key)):
        return None
    if s.expression(rest.text) is not None:
        return asked, read
    words, replies = rest.words, reply_words(s.language)
    answers = [
        Stretch("Confirmation", words[first].start, words[last - 1].end, ())
        for first, last in replies.answering(rest.folded)
    ]
    bare = rest.without([*answers, *sure_values(s, recognised)])
    if replies.only_names(bare.folded, known):
        return None
    again = wish(s, bare, {}, Assigned()).asked
    if again is None or (again.kind, again.what) != (asked.kind, asked.what):
        return None
    return (asked, read) if isinstance(asked, Answer) or _may_start(s, asked.key, bare) else None


def sure_values(s: Situation, recognised: Recognised) -> list[Candidate]:
    """Return the stretches that are values beyond doubt, whether a question takes them or not."""
    return [
        one for type, found in recognised.items() if s.is_value_type(type) for one in found if one.confidence > GUESS
    ]


def _may_start(s: Situation, key: str, said: Said) -> bool:
    """Return whether a reply to a confirmation may start a conversation. A goal that acts needs one of its expressions
    said in full, or a wish ("but I'd like to ..."): "as long as I can cancel" starts nothing.

    ``said``: without the yes or no, polite words and values.
    """
    script = s.flow.scripts.get(key)
    if script is None or not script.is_goal or not acts(s.flow, script):
        return True
    values = [one for one in s.sure_values(script.types, said.text) if one.type not in s.flow.sense_types]
    words, known = said.without(values).folded, reply_words(s.language)
    names = (s.flow.starting_names, s.flow.sure_names)
    if any(table.get(known.without_wishes(words)) == key for table in names) or known.begins_wish(words):
        return True
    return bool(words) and any(known.says(words, expression) for expression in script.expressions)
