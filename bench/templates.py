"""Templates beside handlebars.js on node: the same texts, compiled once, rendered many times, each in its own process.

handlebars.js is the one of bench/handlebars/package-lock.json, installed there from the npm registry.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from hatch_build import install, node_tools

from bench.machine import heading, median_of, table
from dialoom.template import Scope, compile

FOLDER = Path(__file__).resolve().parent / "handlebars"
ROUNDS = 30_000
RUNS = 5

CASES = {
    "two fields": ("Hello {{name}}, your order {{order.number}} is ready.", 0.5),
    "loop of five": ("{{#each items}}{{name}}: {{price}}; {{/each}}", 0.25),
    "a condition": ("{{#if open}}We are open until {{hour}}.{{else}}We are closed.{{/if}}", None),
    "no expression": ("How can I help you today?", None),
}
"""Name of a case to its template and the goal, as our speed in parts of theirs (None: no goal)."""
MEMORY = {
    "name": "Ada",
    "order": {"number": 4711},
    "open": True,
    "hour": 18,
    "items": [{"name": f"Part {number}", "price": number * 10} for number in range(5)],
}

_SCRIPT = """
const Handlebars = require("handlebars");
const {cases, memory, rounds} = JSON.parse(require("fs").readFileSync(0, "utf8"));
const found = {};
for (const [name, text] of Object.entries(cases)) {
  const template = Handlebars.compile(text, {noEscape: true});
  let length = 0;
  for (let i = 0; i < rounds; i++) length += template(memory).length;
  const start = process.hrtime.bigint();
  for (let i = 0; i < rounds; i++) length += template(memory).length;
  found[name] = {us: Number(process.hrtime.bigint() - start) / 1000 / rounds, text: template(memory)};
}
console.log(JSON.stringify(found));
"""


def main() -> None:
    print(heading("Rendering a template, microseconds; beside handlebars.js on node, both warm"))
    install(FOLDER)
    figures = median_of(RUNS, _both)
    rows = []
    for name, (_, goal) in CASES.items():
        ours, theirs = figures[f"{name} ours"], figures[f"{name} theirs"]
        rows.append([name, ours, theirs, theirs / ours, "" if goal is None else f"at least {goal}"])
    print(table(["text", "dialoom", "handlebars.js", "our speed : theirs", "goal"], rows))


def _both() -> dict[str, float]:
    given = {"cases": {name: text for name, (text, _) in CASES.items()}, "memory": MEMORY, "rounds": ROUNDS}
    done = subprocess.run(
        ["node", "-e", _SCRIPT],
        cwd=FOLDER,
        env=node_tools()[1],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = json.loads(done.stdout)
    figures = {}
    for name, (text, _) in CASES.items():
        template, scope = compile(text), Scope(MEMORY)
        if template.text(scope) != theirs[name]["text"]:
            sys.exit(f"{name}: the two render differently, so their times cannot be compared.")
        for _ in range(ROUNDS // 10):
            template.text(scope)
        start = time.perf_counter()
        for _ in range(ROUNDS):
            template.text(scope)
        figures[f"{name} ours"] = (time.perf_counter() - start) / ROUNDS * 1e6
        figures[f"{name} theirs"] = theirs[name]["us"]
    return figures


if __name__ == "__main__":
    main()
