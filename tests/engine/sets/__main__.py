"""Prints the table of all sets, and with ``--rows`` each row that failed: ``python -m tests.engine.sets [--rows] [SET ...]``."""

from __future__ import annotations

import argparse
from collections import Counter

from tests.engine.sets.measure import BY_ONE_TAP, RIGHT, SETS, VERDICTS, Outcome, measured


def line(name: str, language: str, outcomes: list[Outcome]) -> str:
    count = Counter(outcome.verdict for outcome in outcomes)
    good = 100 * (count[RIGHT] + count[BY_ONE_TAP]) / len(outcomes)
    figures = "".join(f"{count[verdict]:>9}" for verdict in VERDICTS)
    return f"{name:<18}{language:<10}{len(outcomes):>6}{figures}{good:>9.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", choices=[*SETS, []], help="all without one")
    parser.add_argument("--rows", action="store_true", help="list the rows that are not right")
    arguments = parser.parse_args()
    print(
        f"{'set':<18}{'language':<10}{'rows':>6}" + "".join(f"{verdict:>9}" for verdict in VERDICTS) + f"{'percent':>9}"
    )
    failed: list[Outcome] = []
    for name in arguments.sets or SETS:
        outcomes = measured(name)
        for language in dict.fromkeys(outcome.language for outcome in outcomes):
            print(line(name, language, [outcome for outcome in outcomes if outcome.language == language]))
        print(line(name, "all", outcomes))
        failed += [outcome for outcome in outcomes if outcome.verdict != RIGHT]
    if arguments.rows:
        for outcome in failed:
            print(f"{outcome.verdict:<8} {outcome.set} {outcome.language} {outcome.said}\n         {outcome.became}")


if __name__ == "__main__":
    main()
