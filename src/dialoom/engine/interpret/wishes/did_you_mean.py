"""What a message that was not understood may ask for, to be offered (flow-language.md section 5, rule 6), and what it
means once the user has chosen.

Asked only where nothing was understood. Asking and the answers to it are left to ``own_questions``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import msgspec

from dialoom.engine.interpret.meaning import Meaning, found_of, shown, whole
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation, key_of
from dialoom.engine.interpret.slots import CONVERSATION
from dialoom.engine.interpret.values.assign import assign
from dialoom.engine.interpret.values.leaning import with_limits
from dialoom.engine.interpret.wishes.wish import words_for_values
from dialoom.engine.state import Wish
from dialoom.flow.model import Understanding
from dialoom.understanding import Candidate
from dialoom.understanding.replies import reply_words
from dialoom.understanding.words import words_before_values

MAX_OFFERED = 2
BESIDE = 0.5
"""The part of ``ask`` from which a second wish is named beside the first: one more reply costs little where something
is asked anyhow."""
OFF = 1.0
"""The ``ask`` of a flow that offers nothing."""
_WELCOME, _HELP = "welcome", "help"


def likely_wishes(
    likeliest: Sequence[Candidate],
    limits: Understanding,
    can_start: Callable[[str], bool],
    left_out: Collection[Wish] = (),
) -> tuple[Wish, ...]:
    """Return the one or two wishes that a text may mean, the likelier one first.

    ``likeliest``: of the whole text, the surest first, accepted or not. ``can_start``: whether a conversation may be
    started now. The likeliest must lie at ``ask``, or at the threshold, where only the margin refused it; two inside
    the margin must come to the threshold together, for they share what one of them alone would have. The other one must
    lie at half of ``ask``, or inside the margin.
    """
    found: list[tuple[Wish, float]] = []
    for one in likeliest:
        key = key_of(one.value)
        if key is None or (one.type == CONVERSATION and not can_start(key)):
            continue
        wish = (one.type, key)
        if wish not in left_out and all(wish != other for other, _ in found):
            found.append((wish, one.confidence))
    found = found[:MAX_OFFERED]
    if not found:
        return ()
    first = found[0][1]
    near = sum(confidence for _, confidence in found if confidence >= first - limits.margin)
    if first < min(limits.ask, limits.threshold) and near < limits.threshold:
        return ()
    least = min(BESIDE * limits.ask, first - limits.margin)
    return tuple(wish for wish, confidence in found if confidence >= least)


def wishes_to_offer(s: Situation, said: Said, left_out: Collection[Wish] = ()) -> tuple[Wish, ...]:
    """Return what is offered for a text of which nothing was understood; nothing while a yes or no is asked for, behind
    another offer, or where a step that failed is tried again. ``left_out``: what the text says it does not want."""
    limits = s.flow.bot.flow.settings.understanding
    if limits.ask >= OFF or not s.may_offer or not s.flow.always_sought:
        return ()
    if s.question is not None and reply_words(s.language).is_none(said.folded):
        return ()  # "nothing" is no wish
    is_help_next = s.node is None

    def can_start(key: str) -> bool:
        if key == _WELCOME or (key == _HELP and is_help_next):
            return False
        return key in s.flow.scripts and s.is_other(key)

    likeliest = s.recogniser.likeliest(said.text, s.flow.always_sought, s.now, left_out)
    return likely_wishes(_with_values_told(s, said, likeliest, limits.ask), limits, can_start, left_out)


def _with_values_told(s: Situation, said: Said, likeliest: Sequence[Candidate], ask: float) -> list[Candidate]:
    """Return the likeliest wishes, the surest first, where a goal of which a text tells a value that no other goal asks
    for lies at ``ask`` at least: who says "5 x salmon" to a shop with one goal for fish may well want that one."""
    raised = [
        msgspec.structs.replace(one, confidence=ask)
        if one.type == CONVERSATION and one.confidence < ask and _tells_own_value(s, said, key_of(one.value))
        else one
        for one in likeliest
    ]
    return sorted(raised, key=lambda one: -one.confidence)


def _tells_own_value(s: Situation, said: Said, key: str | None) -> bool:
    own = s.flow.own_types.get(key or "")
    if not own:
        return False
    plain = words_before_values(s.language)
    return any(not plain.issuperset(Said(one.text).folded) for one in s.sure_values(own, said.text))


def wish_chosen(s: Situation, wish: Wish, said: Said) -> Meaning:
    """Return what a text means of which the user has chosen what it asks for: as if that had been said in full, with
    the values of the text."""
    type, value = wish
    understanding = whole(type, said.text, {"value": value})
    if type != CONVERSATION:
        return Meaning(answer=wish, understanding=understanding)
    script = s.flow.scripts[value]
    recognised = s.recognise([type for type in script.types if s.is_value_type(type)], said.text)
    slots = with_limits(s, s.slots([script]), recognised)
    fills = assign(slots, recognised, s.flow.sense_types, words_for_values(s, said)).fills
    return Meaning(named=value, found=found_of(fills), understanding={**shown(recognised), **understanding})
