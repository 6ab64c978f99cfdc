"""Finds the new text that a message gives to a question of the type Text which it names: "change the name to Anna".

Where the words may mean something else nothing is found, and the named question is asked again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.understanding.words import common_words
from dialoom.understanding.words.roles import roles_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.understanding.normalise import Word
    from dialoom.understanding.replies import ReplyWords

MAX_NEW_TEXT_WORDS = 12
"""Of a text that comes beside the name of its question."""
_SENTENCE_ENDS = frozenset(",;!?\n，。；！？،؛؟")


def new_text(
    text: str,
    words: Sequence[Word],
    name: tuple[int, int],
    others: Sequence[int],
    replies: ReplyWords,
    language: str,
    *,
    is_change: bool,
) -> tuple[int, int] | None:
    """Return the first of the words that are the new text and the one behind the last; None without such a text.

    ``words``: those outside the values of other questions. ``name``: where the name of the question stands among them.
    ``others``: characters at which other values and names begin. ``is_change``: a word such as "change" stands before
    the name; without one ("the name is Anna") the text must look like a name, and nothing but a yes, a no and words
    such as "but my" may come before.
    """
    said = [word.folded for word in words]
    start = name[1] + replies.becoming.at(said, name[1]) if name[1] < len(said) else 0
    if start <= name[1] or start >= len(said) or not replies.only_introduces(said[: name[0]], is_change=is_change):
        return None
    end = _end(text, words, start, others, replies, language)
    while end > start and (length := replies.polite_end(said[start:end])):
        end -= length
    value = said[start:end]
    if not value or len(value) > MAX_NEW_TEXT_WORDS or value[0] in replies.beside or not replies.may_be_text(value):
        return None
    if any(words[start].start <= other < words[end - 1].end for other in others):
        return None
    return (start, end) if is_change or _is_name(text, words[start:end], language) else None


def _is_name(text: str, value: Sequence[Word], language: str) -> bool:
    """Return whether words are no statement about the question: "the name is important" gives it no name."""
    has_capitals = not text.isupper() and all(text[word.start].isupper() for word in value)
    return has_capitals or value[0].folded not in common_words(language)


def _end(
    text: str, words: Sequence[Word], start: int, others: Sequence[int], replies: ReplyWords, language: str
) -> int:
    """Return the word at which the text ends: at a comma, at "but", at an "and" before another value or name."""
    joining = roles_for(language).both
    for index in range(start + 1, len(words)):
        between = text[words[index - 1].end : words[index].start]
        is_sentence_end = "." in between and (between.strip() != "." or between[-1:].isspace())
        if not _SENTENCE_ENDS.isdisjoint(between) or is_sentence_end or words[index].folded in replies.clauses:
            return index
        if words[index].folded in joining and any(other >= words[index].start for other in others):
            return index
    return len(words)
