"""The words of a language that may stand in a plain yes or no."""

from __future__ import annotations

from functools import cache

import msgspec

from dialoom.languages import Replies, Words, reader_words
from dialoom.understanding.replies.forms import Forms
from dialoom.understanding.replies.phrases import ANYTHING, Phrases, folded_words, single_words, with_short_forms
from dialoom.understanding.replies.plain_answer import Kind, PlainWords
from dialoom.understanding.replies.typed_words import TypedWords
from dialoom.understanding.values.confirmation import NO_SIGNS, YES_SIGNS
from dialoom.understanding.words import common_words, words_for
from dialoom.understanding.words.roles import roles_for


@cache
def plain_words(language: str) -> PlainWords:
    """Return the words of a language tag. The yes and no of English are understood everywhere, unless they mean
    something else there."""
    own, english, replies = words_for(language), words_for("en"), reader_words(language).replies
    doubts = {words[0] for words in map(folded_words, replies.doubts) if len(words) == 1}
    # "si" is Spanish for "if" as well: alone it is a yes.
    answers = {words[0] for words in map(folded_words, own.yes) if len(words) == 1}
    unsure = frozenset(doubts - answers)
    english_yes = set(_without(unsure, (*english.yes, *YES_SIGNS))) - {*own.no, *replies.unfinished, *replies.beside}
    polite = _without(unsure, (*own.polite, *own.fillers, *english.polite))
    hedges = with_short_forms(replies.hedges)
    changing = single_words(replies.changing)
    no = Phrases(with_short_forms({*own.no, *(set(english.no) - {*own.yes, *replies.beside}), *NO_SIGNS}))
    # "No later than 10" says no more than "not before 10".
    unread = (one for one in own.unread_before if no.at(folded_words(one), 0))
    phrases = {
        Kind.COURTESY: Phrases(with_short_forms((*own.farewells, *(hedges.intersection(polite))))),
        Kind.REGRET: Phrases(with_short_forms(own.regrets)),
        Kind.UNCLEAR: Phrases(hedges | with_short_forms((*own.neither, *english.neither, *unread))),
        Kind.NO: no,
        Kind.YES: Phrases(with_short_forms({*own.yes, *_praises(replies), *english_yes})),
        Kind.DENYING: Phrases(replies.denying),
        Kind.PERMITTING: Phrases(replies.permitting),
        Kind.POLITE: Phrases(with_short_forms(polite)),
    }
    firsts = {word for one in phrases.values() for word in one.first_words}
    return PlainWords(
        phrases=phrases,
        by_first={first: tuple(kind for kind, one in phrases.items() if first in one.first_words) for first in firsts},
        typed=_typed_words(language, own, replies),
        praise=Phrases({*replies.praise, *_praises(replies), *_praising_yeses(own, replies)}),
        being=frozenset(words[0] for words in map(folded_words, replies.being) if len(words) == 1),
        alone=frozenset(map(folded_words, replies.alone)),
        yes_or_if=frozenset(doubts & answers),
        unsure=unsure,
        changing=changing,
        never=unsure | changing,
        beside=single_words(replies.beside) - unsure,
        doing=single_words(replies.doing),
        first_persons=single_words(replies.first_persons),
        clitics=single_words(replies.clitics),
        softening=single_words(replies.softening),
        turning=single_words(replies.clauses),
        hesitant=Phrases({*own.fillers} - {*own.polite, *replies.wishes}),
        unfinished=single_words(replies.unfinished),
        joining=single_words(own.fillers),
        alternatives=roles_for(language).alternatives,
        alike=_alike(replies),
        separable=single_words(replies.separable),
    )


def _alike(replies: Replies) -> dict[str, frozenset[str]]:
    groups = [(frozenset(words), Forms(frozenset(words))) for words in map(folded_words, replies.alike)]
    doing = single_words(replies.doing)
    return {verb: group for group, forms in groups for verb in doing if verb in forms}


def _without(unsure: frozenset[str], phrases: tuple[str, ...]) -> list[str]:
    """Return the phrases that have none of these words."""
    return [one for one in phrases if unsure.isdisjoint(folded_words(one))]


def _praises(replies: Replies) -> set[str]:
    """Return the yeses that say how good it would be: "that would be really nice"."""
    strengths = ["", *(f"{one} " for one in replies.strengthening)]
    said = [strength + one for strength in strengths for one in replies.praise]
    return {frame.replace(ANYTHING, one) for frame in replies.praising for one in said}


def _praising_yeses(own: Words, replies: Replies) -> list[str]:
    """Return the yeses with a word of praise in them: "c'est super"."""
    praise = {words[0] for words in map(folded_words, replies.praise) if len(words) == 1}
    return [one for one in own.yes if not praise.isdisjoint(folded_words(one))]


def _typed_words(language: str, own: Words, replies: Replies) -> TypedWords:
    polite = single_words((*own.polite, *own.farewells, *own.regrets))
    known = [one for phrases in msgspec.structs.astuple(replies) for one in phrases]
    known += [*own.neither, *own.fillers, *own.weekdays, *own.months, *own.numbers, *own.days, *own.not_slips]
    return TypedWords(single_words((*own.yes, *own.no)), polite, single_words(known) | common_words(language))
