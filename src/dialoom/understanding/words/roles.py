"""Words that tell the first of two values of one type from the second: from and to, departure and return.

Read by the engine, which gives values to questions; what the values are is left to ``values``.
"""

from __future__ import annotations

from functools import cache

import msgspec

from dialoom.languages import Roles, reader_words
from dialoom.understanding.normalise import fold

STAY = frozenset({"checkin", "checkout"})
"""Names that tell a stay from a journey."""


@cache
def roles_for(language: str) -> Roles:
    """Return the words of a language tag such as ``en-GB``, folded; a language without any has the English ones."""
    own = reader_words(language).roles
    if own is None:
        return roles_for("en")
    return msgspec.structs.replace(own, **{name: _folded(getattr(own, name)) for name in own.__struct_fields__})


def _folded(words: bool | frozenset[str] | frozenset[tuple[str, str]]) -> bool | frozenset[str | tuple[str, ...]]:
    if isinstance(words, bool):
        return words
    return frozenset(fold(one) if isinstance(one, str) else tuple(map(fold, one)) for one in words)


@cache
def turning_for(language: str) -> frozenset[str]:
    """Return the turning words of a language and of English, which names of entities may be in."""
    return roles_for(language).turning | roles_for("en").turning


@cache
def near_words(language: str) -> frozenset[str]:
    """Return words before a number that make it neither an hour nor anything else by themselves: about, by, until."""
    words = reader_words(language).words
    if words is None:
        return frozenset()
    return frozenset(fold(word) for word in words.near if " " not in word and word not in words.at)


def role_of_name(word: str, roles: Roles) -> int:
    """Return 1 for the first, 2 for the second, 0 for neither: of a word in an entity's name, which may always be
    English."""
    for table in (roles, roles_for("en")):
        if word in table.first or word in table.first_names:
            return 1
        if word in table.second or word in table.second_names:
            return 2
    return 0
