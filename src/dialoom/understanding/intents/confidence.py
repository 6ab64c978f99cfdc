"""How sure a classifier may be: from raw scores, which are no probabilities, to a confidence from 0 to 1.

The confidence is the product of two: does the sentence fit any value at all, and, if it does, is the best value the
one. So two near values share their confidence instead of both being sure. The form of both was found on many bots;
where they lie for one bot, on its own expressions, each judged by a classifier that was trained without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

import msgspec


class Evidence(msgspec.Struct, frozen=True):
    """What speaks for a value."""

    score: float
    """Product of the sentence's and the value's vectors: both have length about 1."""
    lead: float | None
    """Distance to the best other value's score, negative for all but the best; None for a value that stands alone."""
    support: float
    """The part of the sentence, by squared weight, that speaks for the value."""
    substance: float = 1.0
    """Less than 1 where a sentence is made of common and unknown words: all of "the" may stand in an expression, and it
    says nothing."""


class Calibration(msgspec.Struct, frozen=True):
    """Where the scores of one bot's classifier lie."""

    refused_below: float
    """The weight of "fits any value" below which a sentence is turned away at the usual threshold."""
    lead: float
    """Weight of the lead in "is the one"."""


# One logistic fit over 48 bots of 2 to 150 senses, drawn from the training sets of CLINC150 and BANKING77 (5 to 20
# expressions a sense): messages that their expressions do not hold, and CLINC150's out-of-scope sentences for training
# and validation. Likeness to the nearest expression and to the centroid, the part of the words that is known, and how
# common the unknown ones are in the language were tried too and made it no better.
_CONSTANT, _SCORE, _SUPPORT, _LEAD = -6.65, 12.45, 5.54, 9.4
_THIN = 3.0
"""What a sentence without any substance loses; chosen on the same bots and on sentences of common words only."""
_MOST_SCORE, _MOST_LEAD = 0.5, 0.3
"""More than this says nothing more: scores of a sentence that is nearly an expression grow with the training alone."""

_USUAL_THRESHOLD = 0.68
"""What "fits any value" must be worth for a confidence of 0.65: the other factor of a good message is about 0.95."""
_AT_THRESHOLD = log(_USUAL_THRESHOLD / (1 - _USUAL_THRESHOLD))
_REFUSED = 0.04
"""The part of a bot's own right expressions that "fits any value" turns away at the usual threshold: with those that
near rivals turn away 5 to 7 %."""
# What is expected of a bot before its expressions are looked at, and by how many expressions that is outweighed.
EXPECTED = Calibration(refused_below=-1.0, lead=24.5)
_OUTWEIGHED_BY = 30
_LEAST, _MOST = -3.0, 1.7
_SOFTER = 2 / 3
"""Power of "is the one". As it is (1), a tenth of the good messages of small bots were turned away for a small lead
alone; with 1/2 the wrong ones that are accepted become half as many again."""
_LEAD_VARIES = 4.0


def confidence(evidence: Evidence, calibration: Calibration = EXPECTED) -> float:
    """Return how sure it is that a value is what the sentence means."""
    fits = _logistic(_fit(evidence) - calibration.refused_below + _AT_THRESHOLD)
    is_the_one = 1.0 if evidence.lead is None else _logistic(calibration.lead * evidence.lead) ** _SOFTER
    return round(fits * is_the_one, 4)


def calibrated(right: Sequence[Evidence], wrong: Sequence[Evidence]) -> Calibration:
    """Return what spoke for the best value of held-out expressions, where it was the right one and where not."""
    leads = [(one.lead, True) for one in right if one.lead is not None]
    leads += [(one.lead, False) for one in wrong if one.lead is not None]
    return Calibration(_refused_below([_fit(one) for one in right]), _lead_weight(leads))


def _fit(evidence: Evidence) -> float:
    score = max(0.0, min(evidence.score, _MOST_SCORE))
    # With one or two values there is hardly a rival, and a lead that is nearly the score says it twice.
    lead = score / 2 if evidence.lead is None else max(0.0, min(evidence.lead, score / 2))
    found = _SCORE * score + _SUPPORT * evidence.support + _LEAD * lead * evidence.substance
    return _CONSTANT + min(1.0, 2 * evidence.substance) * found - _THIN * (1 - evidence.substance)


def _refused_below(fits: list[float]) -> float:
    expected = EXPECTED.refused_below
    if not fits:
        return expected
    own = sorted(fits)[int(_REFUSED * len(fits))]
    own = max(_LEAST, min(own, _MOST))
    return round((len(fits) * own + _OUTWEIGHED_BY * expected) / (len(fits) + _OUTWEIGHED_BY), 4)


def _lead_weight(leads: list[tuple[float, bool]]) -> float:
    """Return the weight under which these outcomes are likeliest (logistic regression without a constant), drawn
    towards what is expected; by Newton's method, which needs few steps here."""
    weight = EXPECTED.lead
    for _ in range(20):
        slope = (EXPECTED.lead - weight) / _LEAD_VARIES**2
        bend = 1 / _LEAD_VARIES**2
        for lead, is_right in leads:
            near = min(lead, _MOST_LEAD)
            sure = _logistic(weight * near)
            slope += near * (is_right - sure)
            bend += near * near * sure * (1 - sure)
        step = slope / bend
        weight = max(1.0, weight + step)
        if abs(step) < 1e-6:
            break
    return round(weight, 4)


def _logistic(weight: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, weight))))
