"""Intent accuracy on public sets, which are not in the repository: ``python -m bench.intents FOLDER``.

The folder holds ``banking/train.csv`` and ``test.csv`` (PolyAI-LDN/task-specific-datasets), ``clinc/data_full.json``
(clinc/oos-eval) and ``snips/{train,validate}_<Intent>[_full].json`` (sonos/nlu-benchmark). Of a training set so many
examples of each intent are drawn with three seeds, and the whole test set is judged.
"""

from __future__ import annotations

import argparse
import collections
import csv
import json
import random
import statistics
import time
from datetime import UTC, datetime
from pathlib import Path

from dialoom.flow.model import TraitType, TraitValue
from dialoom.understanding import Recogniser, train

Said = list[tuple[str, str]]
NOW = datetime(2027, 2, 24, 10, 0, tzinfo=UTC)
SEEDS = (0, 1, 2)


def banking(folder: Path) -> tuple[Said, Said]:
    train, test = (
        [(row["text"], row["category"]) for row in csv.DictReader((folder / "banking" / name).open(encoding="utf-8"))]
        for name in ("train.csv", "test.csv")
    )
    return train, test


def clinc(folder: Path) -> tuple[Said, Said, Said]:
    data = json.loads((folder / "clinc" / "data_full.json").read_text("utf-8"))
    train, test, none = ([(text, intent) for text, intent in data[part]] for part in ("train", "test", "oos_test"))
    return train, test, none


def snips(folder: Path) -> tuple[Said, Said]:
    train, test = [], []
    for file in sorted((folder / "snips").glob("*.json")):
        data = json.loads(file.read_text("utf-8", errors="replace"))
        for intent, queries in data.items():
            said = [("".join(part["text"] for part in query["data"]).strip(), intent) for query in queries]
            if file.stem.startswith("validate"):
                test += said
            elif file.stem.endswith("_full"):
                train += said
    return train, test


def drawn(said: Said, each: int, seed: int) -> Said:
    by_intent = collections.defaultdict(list)
    for text, intent in said:
        by_intent[intent].append(text)
    chance = random.Random(seed)
    return [(text, intent) for intent in sorted(by_intent) for text in _shuffled(by_intent[intent], chance)[:each]]


def _shuffled(texts: list[str], chance: random.Random) -> list[str]:
    copy = texts[:]
    chance.shuffle(copy)
    return copy


def measured(name: str, said: Said, test: Said, none: Said) -> float:
    by_intent = collections.defaultdict(list)
    for text, intent in said:
        by_intent[intent].append(text)
    data = tuple(TraitValue(value=intent, expressions=tuple(texts)) for intent, texts in by_intent.items())
    definitions = (TraitType(name="Conversation", data=data),)
    begun = time.process_time()
    model = train(definitions, "en")
    trained = time.process_time() - begun
    usual = Recogniser(definitions, "en", model=model)
    open_to_all = Recogniser(definitions, "en", 0.0, 0.0, model)

    def value(of: Recogniser, text: str) -> str | None:
        found = of.recognise(text, ["Conversation"], NOW)["Conversation"]
        return str(found[0].value["value"]) if found else None

    best = [value(open_to_all, text) == intent for text, intent in test]
    begun = time.process_time()
    given = [value(usual, text) for text, _ in test]
    each = (time.process_time() - begun) / len(test) * 1000
    right = sum(one == intent for one, (_, intent) in zip(given, test, strict=True)) / len(test)
    accepted = sum(one is not None for one in given) / len(test)
    refused = sum(is_best and one is None for is_best, one in zip(best, given, strict=True)) / sum(best)
    line = (
        f"{name:14} {len(said):6} expressions, trained in {trained:5.1f} s, accuracy {sum(best) / len(test):.4f}, "
        f"accepted and right {right:.3f}, accepted and wrong {accepted - right:.3f}, good refused {refused:.3f}"
    )
    if none:
        line += f", of none refused {sum(value(usual, text) is None for text, _ in none) / len(none):.3f}"
    print(f"{line}, {each:.2f} ms a message", flush=True)
    return sum(best) / len(test)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--whole", action="store_true", help="BANKING77 and CLINC150 with all their training sentences")
    args = parser.parse_args()
    of_banking, of_clinc, of_snips = banking(args.folder), clinc(args.folder), snips(args.folder)
    few = (
        ("BANKING77, 10", of_banking[0], of_banking[1], of_clinc[2], 10),
        ("CLINC150, 10", of_clinc[0], of_clinc[1], of_clinc[2], 10),
        ("SNIPS, 70", of_snips[0], of_snips[1], of_clinc[2], 70),
    )
    for name, said, test, none, each in few:
        results = [measured(name, drawn(said, each, seed), test, none) for seed in SEEDS]
        print(f"{name:14} mean {statistics.mean(results):.4f}", flush=True)
    if args.whole:
        measured("BANKING77", *of_banking, of_clinc[2])
        measured("CLINC150", *of_clinc)


if __name__ == "__main__":
    main()
