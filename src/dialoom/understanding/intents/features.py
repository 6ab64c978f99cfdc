"""What a classifier sees of a sentence: its words, pairs of words, and groups of letters inside each word.

Letter groups carry endings, compounds and slips of the finger; what the features weigh is left to ``intents``.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import log

from dialoom.understanding.intents.slot_words import is_token, tells_by_itself
from dialoom.understanding.normalise import is_unspaced_letter

MAX_WORDS = 60
"""Words of a message that are looked at: what a message is about stands in its first sentences, and time is bounded."""
MAX_WORD_CHARS = 30
COMMON_WEIGHT = 0.7
"""Weight of a word, and of its letter groups, that says little ("the", "is"): small bots have too few expressions to
find that out. Pairs keep their weight: "how much" and "how long" are telling."""
GROUP_WEIGHT = 0.7
"""Weight of a letter group beside its word's. Both weights were chosen on parts of the training sets of BANKING77 and
CLINC150 that were left out (10 expressions a value)."""

VALUE_WEIGHT, COMMON_VALUE_WEIGHT = 1.5, 2.0
"""Weights of the token of a slot: of a type of the bot's own, and of a built-in one, which more wishes have. A token
has no letter groups, which together weigh more than their word. On six bots of six or seven expressions a wish 40 of 60
freely worded wishes were understood against 31 with 1 and 0.7, and 7 against 5 of 72 remarks that only hold such
values; with 2.5 and 2 they were 46 and 21."""

CHARACTER_WEIGHT = 0.5
"""Weight of a single character of a script without spaces: it is a letter or a syllable, rarely a word."""
MAX_RUN = 3
"""Characters of such a script in a row that make a feature: its words are found among the pairs and threes."""


def features(words: Sequence[str], common: frozenset[str], foreign: Container[str] = frozenset()) -> dict[str, float]:
    """Return the features of a folded sentence, each with its weight times 1 + ln of how often it occurs. The first
    letter of a name says its kind: ``w`` a word, ``p`` a pair, ``g`` a group of 2 to 4 letters of ``<word>`` or of 3
    letters in a row of a script without spaces, ``x`` such a group of a word of ``foreign``: no expression has that, so
    that likeness of letters says nothing there. A token of a slot has no letters."""
    counts: dict[str, int] = {}
    weights: dict[str, float] = {}
    before = "<"
    run: list[str] = []
    for full in words[:MAX_WORDS]:
        if is_token(full):
            _count(f"p{before} {full}", 1.0, counts, weights)
            _count(f"w{full}", VALUE_WEIGHT if tells_by_itself(full) else COMMON_VALUE_WEIGHT, counts, weights)
            before, run = full, []
            continue
        word = full[:MAX_WORD_CHARS]
        run = [*run[1 - MAX_RUN :], word] if is_unspaced_letter(word) else []
        weight = COMMON_WEIGHT if word in common else CHARACTER_WEIGHT if run else 1.0
        pair, name = f"p{before} {word}", f"w{word}"
        counts[pair] = counts.get(pair, 0) + 1
        counts[name] = counts.get(name, 0) + 1
        weights[pair], weights[name] = 1.0, weight
        before = word
        if run:
            if len(run) == MAX_RUN:
                group = "g" + "".join(run)
                counts[group] = counts.get(group, 0) + 1
                weights[group] = 1.0
            continue
        weight *= GROUP_WEIGHT
        kind = "x" if full in foreign else "g"
        marked = f"<{word}>"
        for length in (2, 3, 4):
            for start in range(len(marked) - length + 1):
                group = kind + marked[start : start + length]
                if group in counts:
                    counts[group] += 1
                    weights[group] = max(weights[group], weight)
                else:
                    counts[group] = 1
                    weights[group] = weight
    for name, count in counts.items():
        if count > 1:
            weights[name] *= 1 + log(count)
    return weights


def _count(name: str, weight: float, counts: dict[str, int], weights: dict[str, float]) -> None:
    counts[name] = counts.get(name, 0) + 1
    weights[name] = weight
