"""Which answers a text corrects where a question for ``Text`` is open: "ach nee lieber um 11", "not 7, 8"
(flow-language.md section 5, rule 4: a Text question hears corrections).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.said import Said, Spanned
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.values.correction_marks import beginning, is_bare, is_marked, may_correct, says_only
from dialoom.engine.interpret.values.message_values import Values
from dialoom.engine.interpret.wishes.wish import sure_values


class TextCorrection(NamedTuple):
    fills: tuple[Fill, ...]
    is_sure: bool
    """Nothing else was said; else it is asked whether it is a correction."""
    is_of_several: bool = False
    """A number that may be for several answers: "no wait make it 8"."""


def text_correction(s: Situation, said: Said, read: Callable[[], Values]) -> TextCorrection | None:
    """Return what a text corrects; None for one that is the answer. ``read``: reads its values for other questions."""
    if not may_correct(said, s.language):
        return None
    values, begins = read(), beginning(said, s.language)
    fills, numbers = values.assigned.fills, values.numbers
    if begins and numbers.which and says_only(said, [*values.used, numbers.number_at], s.answered(), s.language):
        return TextCorrection(fills, is_sure=False, is_of_several=True)
    if not fills or not all(s.has(fill.what) and not fill.found.is_ambiguous for fill in fills):
        return None
    spans = [one for fill in fills for one in fill.spans]
    is_marked_inside = any(is_marked(said, one, s.language) and not is_bare(said, one, s.language) for one in spans)
    is_contrast = fills == values.assigned.replaced
    if not begins and not is_marked_inside and not is_contrast:
        return None
    told: list[Spanned] = [*values.used, *sure_values(s, values.recognised)]
    if says_only(said, told, s.answered(), s.language):
        return TextCorrection(fills, is_sure=not said.is_capitalised)  # "Mejor Domingo" may be a name
    is_likely = begins == "mark" or is_marked_inside or is_contrast
    return TextCorrection(fills, is_sure=False) if is_likely and len(fills) == 1 else None
