"""Refusal of messages that fit no sense, by bots of 5 to 150 senses.

``python -m bench.refusal FOLDER --baseline PYTHON``

The folder is that of ``bench.intents``; PYTHON an interpreter of another environment that has scikit-learn. The senses
of a bot and its expressions are drawn from CLINC150 (BANKING77 with ``--set banking``); the messages are test sentences
of its senses and CLINC150's out-of-scope test sentences. At equal loss: the baseline's threshold is laid, for each bot,
where it turns away the same share of good messages (those whose best value is right) as the product at its own.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import statistics
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from bench.intents import NOW, Said, banking, clinc
from dialoom.flow.model import TraitType, TraitValue
from dialoom.understanding import Recogniser, train

SIZES = {5: 20, 15: 10, 50: 4, 150: 2}
"""How many bots are drawn of how many senses."""
EACH = 12
MESSAGES = 600
"""Good messages of a bot, at most."""


class Bot(NamedTuple):
    expressions: Said
    messages: Said
    """Those of its senses."""
    none: list[str]


class Outcome(NamedTuple):
    loss: float
    """The share of the good messages that is turned away."""
    refused: float
    """The share of the messages of no sense that is turned away."""
    accuracy: float
    mistaken: float
    """The share of the messages of the bot's senses that is accepted for a wrong one."""


def drawn_bot(train_set: Said, test_set: Said, none: list[str], senses: int, seed: int, each: int = EACH) -> Bot:
    chance = random.Random(seed)
    by_sense = collections.defaultdict(list)
    for text, sense in train_set:
        by_sense[sense].append(text)
    chosen = chance.sample(sorted(by_sense), min(senses, len(by_sense)))
    expressions = [(text, sense) for sense in chosen for text in chance.sample(by_sense[sense], each)]
    messages = [(text, sense) for text, sense in test_set if sense in chosen]
    chance.shuffle(messages)
    return Bot(expressions, messages[:MESSAGES], none)


def of_product(bot: Bot) -> tuple[Outcome, float, float]:
    """The outcome, seconds of training, milliseconds of a message."""
    by_sense = collections.defaultdict(list)
    for text, sense in bot.expressions:
        by_sense[sense].append(text)
    data = tuple(TraitValue(value=sense, expressions=tuple(texts)) for sense, texts in by_sense.items())
    definitions = (TraitType(name="Conversation", data=data),)
    begun = time.process_time()
    model = train(definitions, "en")
    trained = time.process_time() - begun
    usual, open_to_all = Recogniser(definitions, "en", model=model), Recogniser(definitions, "en", 0.0, 0.0, model)

    def value(of: Recogniser, text: str) -> str | None:
        found = of.recognise(text, ["Conversation"], NOW)["Conversation"]
        return str(found[0].value["value"]) if found else None

    best = [value(open_to_all, text) for text, _ in bot.messages]
    begun = time.process_time()
    given = [value(usual, text) for text, _ in bot.messages]
    none = [value(usual, text) is None for text in bot.none]
    each = (time.process_time() - begun) / (len(given) + len(none)) * 1000
    return outcome(bot, best, [one is not None for one in given], none), trained, each


def outcome(bot: Bot, best: list[str | None], accepted: list[bool], none_refused: list[bool]) -> Outcome:
    right = [one == sense for one, (_, sense) in zip(best, bot.messages, strict=True)]
    pairs = list(zip(right, accepted, strict=True))
    return Outcome(
        sum(is_right and not taken for is_right, taken in pairs) / sum(right),
        sum(none_refused) / len(none_refused),
        sum(right) / len(right),
        sum(taken and not is_right for is_right, taken in pairs) / len(right),
    )


class Baseline:
    """A process of the other interpreter, one bot at a time."""

    def __init__(self, python: str) -> None:
        script = str(Path(__file__).with_name("linear_svc.py"))
        self._process = subprocess.Popen([python, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def outcome_at(self, bot: Bot, loss: float) -> Outcome:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        messages = [text for text, _ in bot.messages] + bot.none
        self._process.stdin.write(json.dumps({"expressions": bot.expressions, "messages": messages}) + "\n")
        self._process.stdin.flush()
        found = json.loads(self._process.stdout.readline())
        good = sorted(score for (best, score), (_, sense) in zip(found, bot.messages, strict=False) if best == sense)
        threshold = good[min(len(good) - 1, round(loss * len(good)))]
        accepted = [score >= threshold for _, score in found]
        inside = len(bot.messages)
        best = [value for value, _ in found[:inside]]
        return outcome(bot, best, accepted[:inside], [not one for one in accepted[inside:]])


def mean(outcomes: list[Outcome]) -> Outcome:
    return Outcome(*(statistics.mean(values) for values in zip(*outcomes, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--baseline", help="an interpreter that has scikit-learn")
    parser.add_argument("--set", choices=("clinc", "banking"), default="clinc")
    parser.add_argument("--each", type=int, default=EACH, help="expressions of a sense")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    train_set, test_set, none = clinc(args.folder)
    if args.set == "banking":
        train_set, test_set = banking(args.folder)
    outside = [text for text, _ in none]
    baseline = Baseline(args.baseline) if args.baseline else None
    print(
        "senses  bots  accuracy  loss   refused  mistaken  training s  ms a message"
        "  baseline: accuracy  refused  mistaken"
    )
    for senses, bots in SIZES.items():
        if args.set == "banking" and senses > 77:
            continue
        drawn = [drawn_bot(train_set, test_set, outside, senses, args.seed + n, args.each) for n in range(bots)]
        found = [of_product(bot) for bot in drawn]
        own = mean([one for one, _, _ in found])
        trained, each = (statistics.mean(one[place] for one in found) for place in (1, 2))
        line = f"{senses:6}  {bots:4}  {own.accuracy:8.3f}  {own.loss:.3f}  {own.refused:7.3f}  {own.mistaken:8.3f}"
        line += f"  {trained:10.2f}  {each:12.2f}"
        if baseline is not None:
            other = mean([baseline.outcome_at(bot, one.loss) for bot, (one, _, _) in zip(drawn, found, strict=True)])
            line += f"  {other.accuracy:18.3f}  {other.refused:7.3f}  {other.mistaken:8.3f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
