"""What is left of a sentence that denies a wish: "don't block my card" asks for nothing (flow-language.md section 5,
rule 4). Which clauses deny something is read in ``understanding.denied_wishes``.
"""

from __future__ import annotations

from dialoom.engine.compiled import CompiledConversation
from dialoom.engine.interpret.proposals import Answer, Start
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation, key_of
from dialoom.engine.interpret.slots import CONVERSATION
from dialoom.engine.interpret.wishes.sense import sense
from dialoom.engine.state import Wish
from dialoom.understanding.denied_wishes import denying_words, split_denied, without_negations
from dialoom.understanding.replies import reply_words


def undenied(s: Situation, said: Said, asked: Start | None) -> Start | Answer | None:
    """Return what a sentence asks for beside the clauses that deny what they name: nothing for "don't block my card",
    the rest for "don't close it, just block it". A wish that is trained with such a denial is no denied one. ``asked``:
    what the whole sentence asks for."""
    script = None if asked is None else s.flow.scripts.get(asked.key)
    parts = split_denied(said.text, s.language)
    if parts is None or (script is not None and _is_like_denying(s, Said(parts[1]), script)):
        return asked
    if asked is not None and not parts[0] and _likeliest_undenied(s, parts[1]) != asked.what:
        return asked  # "I won't come to the class today" cancels it
    left, denied = (sense(s, Said(part), s.recognise(s.flow.always_sought, part)) for part in parts)
    if left is None or (left.what not in (_what(asked), _what(denied))):
        return left
    words, key = Said(parts[0]).folded, left.what
    expressions = s.flow.scripts[key].expressions if key in s.flow.scripts else ()
    return left if any(reply_words(s.language).says(words, one) for one in expressions) else None


def _likeliest_undenied(s: Situation, denied: str) -> str:
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


def denied_wishes(s: Situation, said: Said, key: str) -> set[Wish]:
    """Return what a text says it does not want: the likeliest wish of the clauses that deny what they name, and the
    conversation ``key`` that is known to be denied."""
    denied = {(CONVERSATION, key)} if key else set[Wish]()
    parts = split_denied(said.text, s.language)
    if parts is not None:
        likeliest = s.recogniser.likeliest(parts[1], s.flow.always_sought, s.now)
        denied |= {(one.type, name) for one in likeliest[:1] if (name := key_of(one.value)) is not None}
    return denied
