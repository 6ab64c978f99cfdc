"""What a sentence asks for as a whole: another conversation or a QnA answer (flow-language.md sections 3 and 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dialoom.engine.compiled import CompiledConversation
from dialoom.engine.interpret.acting import acts
from dialoom.engine.interpret.proposals import Answer, Start
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import RESTART, Situation, key_of
from dialoom.engine.interpret.slots import CONVERSATION, GUESS, Stretch
from dialoom.engine.interpret.values.assign import Assigned, assign
from dialoom.engine.interpret.values.leaning import with_limits
from dialoom.engine.interpret.values.value_words import ValueWords
from dialoom.understanding import Candidate
from dialoom.understanding.denied_wishes import denying_words, split_denied, without_negations
from dialoom.understanding.replies import reply_words
from dialoom.understanding.shared_values import share_out
from dialoom.understanding.words import words_before_values

BY = "wishes"
MEASURES = ("Amount", "Duration")
"""Types whose values have a number in them that counts nothing else: "20 euros", "2 minutes"."""
MAX_SHORT = 3
"""Words of a reply that must say more than a likeness to start another goal."""
Recognised = Mapping[str, list[Candidate]]


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
    asked = _sense(s, said, recognised)
    if asked is not None and asked.confidence < 1 and assigned.fills and _covers_most(said, used):
        beside = _sense(s, Said(""), s.recognise(s.flow.always_sought, said.without(used).text))
        if beside is None or (beside.kind, beside.what) != (asked.kind, asked.what):
            asked = None  # it is the values that look like that sense
    denied = ""
    if not isinstance(asked, Answer) and (asked is None or asked.confidence < 1):
        left = _undenied(s, said, asked)
        denied = _what(asked) if left is not asked else ""
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


def _undenied(s: Situation, said: Said, asked: Start | None) -> Start | Answer | None:
    """Return what a sentence asks for beside the clauses that deny what they name: nothing for "don't block my card",
    the rest for "don't close it, just block it". A wish that is trained with such a denial is no denied one. ``asked``:
    what the whole sentence asks for."""
    script = None if asked is None else s.flow.scripts.get(asked.key)
    parts = split_denied(said.text, s.language)
    if parts is None or (script is not None and _is_like_denying(s, Said(parts[1]), script)):
        return asked
    if asked is not None and not parts[0] and likeliest_undenied(s, parts[1]) != asked.what:
        return asked  # "I won't come to the class today" cancels it
    left, denied = (_sense(s, Said(part), s.recognise(s.flow.always_sought, part)) for part in parts)
    if left is None or (left.what not in (_what(asked), _what(denied))):
        return left
    words, key = Said(parts[0]).folded, left.what
    expressions = s.flow.scripts[key].expressions if key in s.flow.scripts else ()
    return left if any(reply_words(s.language).says(words, one) for one in expressions) else None


def likeliest_undenied(s: Situation, denied: str) -> str:
    """Return what a clause would most likely ask for if it denied nothing; "" where that is nothing."""
    text = without_negations(denied, s.language)
    best = next(iter(s.recogniser.likeliest(text, s.flow.always_sought, s.now)), None)
    return (key_of(best.value) or "") if best is not None else ""


def _what(asked: Start | Answer | None) -> str:
    return "" if asked is None else asked.what


def _is_like_denying(s: Situation, said: Said, script: CompiledConversation) -> bool:
    """Return whether a clause of its expressions that denies something has more words in common with ``said`` than one
    that does not."""
    passed = reply_words(s.language).beside | denying_words(s.language)
    words = frozenset(said.folded) - passed

    def likeness(expression: frozenset[str]) -> float:
        content = expression - passed
        return len(words & content) / max(1, len(words | content))

    return max(map(likeness, script.denying), default=0.0) > max(map(likeness, script.clauses), default=0.0)


def _with(s: Situation, types: Sequence[str], said: Said, recognised: Recognised) -> Recognised:
    """Return what was recognised, with these types as well."""
    missing = [type for type in types if type not in recognised]
    return {**recognised, **s.recognise(missing, said.text)} if missing else recognised


def _sense(s: Situation, said: Said, recognised: Recognised) -> Start | Answer | None:
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


def _sureness(s: Situation, key: str, said: Said, used: Iterable[Stretch], value_count: int) -> float:
    """Return 1 where the sentence says an expression of the conversation, or tells several values for its questions;
    else 0: likeness alone makes "don't cancel it" as sure as "cancel it". ``value_count``: how many values it tells."""
    script = s.flow.scripts.get(key)
    if script is None:
        return 1.0
    words, known = said.without(used).folded, reply_words(s.language)
    if s.recogniser.trained_expression(" ".join(known.without_wishes(said.folded))) == (CONVERSATION, key):
        return 1.0
    is_question = said.is_question and bool(words) and not known.wishes.at(words, 0)
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
