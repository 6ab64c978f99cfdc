from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.flow.files import texts


def large() -> dict[str, str]:
    """200 conversations of five steps each, and a type of 10,000 values."""
    question = {
        "type": "question",
        "entity": "city",
        "entity-type": "City",
        "messages": ["Where to, {{name}}?"],
        "display": {"type": "quick-reply", "data": ["Town 7", "town 8"]},
    }
    source = {"endpoint": "https://a.at/{{$encodeURI city}}", "method": "POST", "payload": {"a": "{{city}}"}}
    conversations: dict[str, Any] = {"help": {"type": "support"}}
    for key in range(200):
        told = {"type": "message", "messages": [f"Hello {{{{name{key}}}}}"], "conditions": ["{{$eq city 'Town 9'}}"]}
        webhook = {"type": "webhook", "entity": f"booking{key}", "data-source": source}
        conversations[f"c{key}"] = {"type": "goal", "steps": [question, told, webhook, told, told]}
    senses = [
        {"value": f"c{key}", "expressions": [f"{word} {key}" for word in ("do", "run", "go")]} for key in range(200)
    ]
    training = [
        {"name": "Conversation", "lookup-strategy": "trait", "data": senses},
        {"name": "City", "lookup-strategy": "keywords", "data": [{"value": f"Town {key}"} for key in range(10_000)]},
    ]
    return texts({"id": "bot"}, {"conversations": conversations}, {"entity-definitions": training})


ROOT = Path(__file__).parents[3]
TIMED = """
import time
from dialoom.flow import check_files
from tests.flow.check.test_whole import large
files = large()
start = time.process_time()
assert {finding.rule for finding in check_files(files)} == {'unset-entity'}
print(time.process_time() - start)
"""


def test_a_thousand_steps_and_ten_thousand_values_are_checked_in_about_a_second() -> None:
    # Measured: 0.7 s. The bound is wide for slow machines, and far below what a loop over all values per step takes. In a
    # process of its own: the objects of other tests, and who counts the lines that run, would be measured too.
    done = subprocess.run([sys.executable, "-c", TIMED], capture_output=True, text=True, check=True, cwd=ROOT)
    assert float(done.stdout) < 6
