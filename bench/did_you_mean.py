"""What *did you mean* is worth on HINT3, messages of real users of three shops.

``python -m bench.did_you_mean FOLDER``, where the folder is ``dataset/v1`` of hellohaptik/HINT3, which is not in the
repository. Of the messages that belong to a sense of the shop: how many are understood at once, by one tap on what is
offered, or taken wrongly at once; of the others: how many are taken all the same, and how many get an offer that helps
nobody. ``--ask`` tries other values of ``settings.understanding.ask``.
"""

from __future__ import annotations

import argparse
import collections
import csv
from pathlib import Path
from typing import NamedTuple

from bench.intents import NOW, Said
from dialoom.engine.interpret.wishes.did_you_mean import likely_wishes
from dialoom.flow.model import TraitType, TraitValue, Understanding
from dialoom.understanding import Recogniser, train

TYPE = "Conversation"
NONE = "NO_NODES_DETECTED"
SHOPS = ("sofmattress", "curekart", "powerplay11")


class Outcome(NamedTuple):
    """Shares, in a hundred. The first five of the messages of the shop's senses, the last two of all others."""

    at_once: float
    by_one_tap: float
    wrong: float
    vain_offer: float
    refused: float
    taken_of_none: float
    offered_of_none: float


def read(file: Path) -> Said:
    with file.open(encoding="utf-8") as lines:
        return [(row["sentence"], row["label"]) for row in csv.DictReader(lines)]


def trained(said: Said) -> Recogniser:
    by_sense = collections.defaultdict(list)
    for text, sense in said:
        by_sense[sense].append(text)
    data = tuple(TraitValue(value=sense, expressions=tuple(texts)) for sense, texts in by_sense.items())
    definitions = (TraitType(name=TYPE, data=data),)
    limits = Understanding()
    return Recogniser(definitions, "en", limits.threshold, limits.margin, train(definitions, "en"))


def measured(recogniser: Recogniser, test: Said, limits: Understanding) -> Outcome:
    counts: collections.Counter[tuple[bool, str]] = collections.Counter()
    for text, sense in test:
        found = recogniser.recognise(text, (TYPE,), NOW)[TYPE]
        if found:
            outcome = "at once" if found[0].value["value"] == sense else "wrong"
        else:
            offered = likely_wishes(recogniser.likeliest(text, (TYPE,), NOW), limits, lambda _: True)
            outcome = "tap" if (TYPE, sense) in offered else "vain" if offered else "refused"
        counts[sense == NONE, outcome] += 1

    def share(is_none: bool, *outcomes: str) -> float:
        number = sum(count for (of_none, _), count in counts.items() if of_none == is_none)
        return 100 * sum(counts[is_none, outcome] for outcome in outcomes) / max(1, number)

    kinds = ("at once", "tap", "wrong", "vain", "refused")
    return Outcome(*(share(False, kind) for kind in kinds), share(True, "wrong"), share(True, "vain"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ask", type=float, nargs="*", default=[Understanding().ask])
    options = parser.parse_args()
    for shop in SHOPS:
        test = read(options.folder / "test" / f"{shop}_test.csv")
        for part in ("", "_subset"):
            recogniser = trained(read(options.folder / "train" / f"{shop}{part}_train.csv"))
            for ask in options.ask:
                outcome = measured(recogniser, test, Understanding(ask=ask))
                shares = "  ".join(f"{name} {share:4.1f}" for name, share in outcome._asdict().items())
                print(f"{shop + part:22} ask {ask:.2f}  {shares}")


if __name__ == "__main__":
    main()
