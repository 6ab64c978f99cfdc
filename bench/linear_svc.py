"""The baseline of ``bench.refusal``: words, word pairs and letter groups in tf-idf, and scikit-learn's LinearSVC.

Run by ``bench.refusal`` with an interpreter that has scikit-learn; reads one bot a line as JSON, writes for each the
best value and its decision value for every message.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def judged(bot: dict[str, Any]) -> list[tuple[str, float]]:
    import numpy
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline, make_union
    from sklearn.svm import LinearSVC

    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"(?u)\b\w+\b")
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True)
    classifier = make_pipeline(make_union(words, letters), LinearSVC())
    classifier.fit([text for text, _ in bot["expressions"]], [value for _, value in bot["expressions"]])
    scores = classifier.decision_function(bot["messages"])
    if scores.ndim == 1:  # Of two values there is one score: for the second, against the first.
        scores = numpy.stack((-scores, scores), axis=1)
    best = scores.argmax(axis=1)
    return [(str(classifier.classes_[one]), float(row[one])) for one, row in zip(best, scores, strict=True)]


def main() -> None:
    for line in sys.stdin:
        print(json.dumps(judged(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
