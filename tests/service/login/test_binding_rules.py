"""Which rule counts for a forwarded link: the flow's own, or the default of the channel's label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import pytest
from tests.service.login.logging_in import compiled_bot, oidc

from dialoom.flow.channels import Binding, Channel, ChannelType
from dialoom.service.login.binding_rules import STRICTNESS, TIES, rule_of, stricter, tie_that_counts

if TYPE_CHECKING:
    from dialoom.flow.model import Authentication


def authentication(binding: Any = None) -> Authentication:
    settings = oidc("https://id.example") | ({} if binding is None else {"binding": binding})
    found = compiled_bot(settings).bot.flow.settings.authentication
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("label", "rule"),
    [
        ("web", "cookie"),
        ("mobile", "cookie"),
        ("rest", "off"),
        ("messenger-1", "confirm"),
        ("messenger-2", "confirm"),
        ("messenger-3", "confirm"),
        ("workplace-chat", "confirm"),
    ],
)
def test_each_label_has_the_default_of_the_specification(label: ChannelType, rule: Binding) -> None:
    assert rule_of(authentication(), Channel(id="here", type=label)) == rule


@pytest.mark.parametrize("label", get_args(ChannelType))
def test_one_value_counts_for_every_label(label: ChannelType) -> None:
    assert rule_of(authentication("code"), Channel(id="here", type=label)) == "code"


def test_a_map_counts_for_the_labels_that_it_names() -> None:
    mapped = authentication({"rest": "code"})
    assert rule_of(mapped, Channel(id="here", type="rest")) == "code"
    assert rule_of(mapped, Channel(id="here", type="web")) == "cookie"


def test_a_browser_never_goes_on_under_a_weaker_rule_than_the_configured_one() -> None:
    allowed = {rule: set(ties) for rule, ties in TIES.items()}
    assert allowed == {"cookie": {"cookie", "code"}, "code": {"code"}, "confirm": {"confirm"}, "off": {"off"}}


def test_of_two_rules_the_stricter_one_is_the_one_whose_ties_the_other_allows() -> None:
    assert set(STRICTNESS) == set(get_args(Binding))
    for rule, ties in TIES.items():
        assert all(stricter(rule, tie) == tie == stricter(tie, rule) for tie in ties)
    assert [stricter("off", rule) for rule in STRICTNESS] == ["off", "confirm", "cookie", "code"]
    assert stricter("cookie", "confirm") == "cookie"


@pytest.mark.parametrize("rule", STRICTNESS)
def test_a_tie_counts_under_its_own_rule_and_weaker_ones_and_else_the_code_is_asked_for(rule: Binding) -> None:
    for tied_by in STRICTNESS:
        is_enough = STRICTNESS.index(tied_by) >= STRICTNESS.index(rule)
        assert tie_that_counts(tied_by, rule) == (tied_by if is_enough else "code")
    assert tie_that_counts(None, rule) == "code"
