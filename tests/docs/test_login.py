"""The pages about logins: every check, call, rule and refusal stands there, and what is shown to be copied is right."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dialoom.auth.provider.checks import CHECKS
from dialoom.auth.provider.requests import DEADLINE
from dialoom.flow import check_files
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.http.login_pages.cards import REASONS
from dialoom.service import remote_cache
from dialoom.service.chat.login_values import CODE_LIFETIME_MS, LINK_LIFETIME_MS, LINK_USE_TIMEOUT_MS, MAX_CODE_TRIES
from dialoom.service.login.binding_rules import TIES
from dialoom.service.login.proof import CHALLENGE_MS
from dialoom.service.login.provider_calls import CALLS, MAX_BODY_BYTES
from dialoom.service.login.providers import MAX_LOGIN_SECONDS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "look-up" / "login.md").read_text("utf-8")
HOW = (DOCS / "do" / "log-users-in.md").read_text("utf-8")
WHY = (DOCS / "why" / "login.md").read_text("utf-8")
TRAINING = {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait", "data": []}]}


def _blocks(text: str) -> list[Any]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]


def test_every_check_is_a_row_with_its_sentence_and_its_source() -> None:
    rows = [f"| `{check.code}` | {check.sentence} | {check.source} |" for check in CHECKS]
    assert [row for row in rows if row not in PAGE] == []
    told = re.findall(r"^\| `((?:metadata|keys|callback|token|id-token|userinfo|social)-[a-z-]+)` \|", PAGE, re.M)
    assert told == [check.code for check in CHECKS]


def test_every_way_in_which_a_call_fails_is_a_row() -> None:
    rows = [f"| `{code}` | {sentence} |" for code, sentence in CALLS.items()]
    assert [row for row in rows if row not in PAGE] == []
    assert re.findall(r"^\| `(provider-[a-z-]+)` \|", PAGE, re.M) == list(CALLS)


def test_every_rule_and_every_channel_s_default_is_told() -> None:
    for rule in TIES:
        assert f"| `{rule}` |" in PAGE, rule
        assert f"| `{rule}`" in HOW, rule
        assert f"| `{rule}` |" in WHY, rule
    table = PAGE[PAGE.index("| Channel | Default |") :].split("\n\n")[0]
    told = {
        label: rule
        for labels, rule in re.findall(r"^\| (`.*`) \| `(\w+)` \|$", table, re.M)
        for label in re.findall(r"`([\w-]+)`", labels)
    }
    assert told == {row.type: row.binding for row in CHANNEL_ROWS.values()}


def test_every_channel_s_way_back_is_told() -> None:
    table = PAGE[PAGE.index("| Channel | The browser |") :].split("\n\n")[0]
    labels = [row.type for row in CHANNEL_ROWS.values() if row.is_label]
    assert [label for label in labels if f"`{label}`" not in table] == []


def test_every_refusal_of_a_page_is_a_row() -> None:
    codes = [code for code in REASONS if code.startswith("login-")]
    assert [code for code in codes if f"| `{code}` |" not in PAGE] == []


def test_the_times_and_limits_are_those_of_the_code() -> None:
    said = (
        f"| a link | {LINK_LIFETIME_MS // 60_000} minutes, one use |",
        f"| a use that brings nothing | {LINK_USE_TIMEOUT_MS // 1000} s: then it counts as broken off |",
        f"| a code | three tries; for as long as its link lives, but {CODE_LIFETIME_MS // 60_000} minutes at least",
        f"| a challenge of the start page | {CHALLENGE_MS // 60_000} minutes |",
        f"| {DEADLINE:g} s from its beginning to its end, {MAX_BODY_BYTES // 2**20} MiB decompressed,",
        f"| all calls of one login | {MAX_LOGIN_SECONDS:g} s |",
        f"kept for {remote_cache.MAX_AGE_MS // 60_000} minutes, {remote_cache.MAX_ENTRIES} of each; a failure for {remote_cache.MAX_FAILURE_AGE_MS // 1000} s.",
        f"at most every {remote_cache.COOL_DOWN_MS // 1000} s |",
    )
    assert [one for one in said if one not in PAGE] == []
    assert MAX_CODE_TRIES == 3


def test_the_flow_to_copy_is_found_right() -> None:
    flow = _blocks(HOW)[0]
    bot = {"id": "shop", "language": "en"}
    data = [{"value": key, "expressions": [key]} for key in flow["conversations"]]
    definitions = [{"name": "Conversation", "lookup-strategy": "trait", "data": data}]
    files = {"bot.json": bot, "flow.json": flow, "training.json": {"entity-definitions": definitions}}
    found = check_files({n: json.dumps(f) for n, f in files.items()})
    assert [str(finding) for finding in found if finding.severity == "error"] == []


@pytest.mark.parametrize("block", [*_blocks(HOW[HOW.index("## Providers") :]), *_blocks(HOW)[2:3]])
def test_every_block_of_a_provider_and_a_rule_is_found_right(block: dict[str, Any]) -> None:
    authentication = _blocks(HOW)[0]["settings"]["authentication"]
    if "issuer" in block:
        authentication["oidc"] = block
    else:
        if "socialnet" in block:
            del authentication["oidc"]
            authentication["refresh"] = False
        authentication |= block
    flow = {"settings": {"authentication": authentication}, "conversations": {}}
    files = {"bot.json": {"id": "shop"}, "flow.json": flow, "training.json": TRAINING}
    found = check_files({n: json.dumps(f) for n, f in files.items()})
    assert [str(finding) for finding in found if "authentication" in finding.path] == []
