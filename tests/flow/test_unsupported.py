from __future__ import annotations

from typing import Any

from dialoom.flow import check_files
from dialoom.flow.check.channels import NOT_YET
from tests.flow.files import texts

BOT = {
    "id": "bot",
    "channels": [
        {"id": "a", "type": "messenger-3"},
        {"id": "b", "type": "directline"},
    ],
}
FLOW: dict[str, Any] = {"conversations": {}}


def test_every_feature_that_does_not_run_yet_is_refused_in_plain_words() -> None:
    found = check_files(texts(BOT, FLOW))
    assert {finding.rule for finding in found} == {"not-yet"}
    assert all(finding.severity == "error" and finding.prevents_loading for finding in found)
    told = "\n".join(map(str, found))
    assert NOT_YET in told
    assert 'Not yet: this version reads a channel of this type ("messenger-3")' in told
