"""What the types cannot say: names that must exist, keys that go together, texts in a language of their own.

One row a check; each looks at one kind of piece and yields faults. ``flow.read`` calls ``findings`` once a bot. To add
a check, write the function in the file of its subject, add a row, and its rule to ``flow.check.rules`` and to the docs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from dialoom.flow.check import (
    channels,
    currencies,
    displays,
    login,
    look,
    names,
    secrets,
    sources,
    steps,
    templates,
    training,
)
from dialoom.flow.check.behaviour import acting, not_shown, reach, saying, slots, unset, values
from dialoom.flow.check.known import Finder, Known, Reads, Tests, known_from
from dialoom.flow.finding import Fault, Finding, finding_of
from dialoom.flow.pieces import Piece
from dialoom.flow.positions import Document
from dialoom.flow.variables import Variables


class Check(NamedTuple):
    """``run`` looks at every piece whose kind is one of ``kinds``."""

    rule: str
    kinds: tuple[str, ...]
    run: Callable[[Piece, Known], Iterable[Fault]]
    severity: Literal["error", "warning"] = "error"
    prevents_loading: bool = True
    is_doubt: bool = False
    """Looks at the bot as a whole, and only where all its files can be read, so that it need not guess."""

    @property
    def rank(self) -> int:
        """Return 0 for what prevents loading, 1 for other errors, 2 for warnings: whoever reads only the first findings
        misses nothing of more weight."""
        return 2 if self.severity == "warning" else int(not self.prevents_loading)


def _doubt(rule: str, kind: str, run: Callable[[Piece, Known], Iterable[Fault]]) -> Check:
    return Check(rule, (kind,), run, "warning", is_doubt=True)


CHECKS = (
    Check("bad-id", ("bot", "channel"), names.ids),
    Check("blank-name", ("step", "definition", "conversation", "authentication"), names.blank_names),
    Check("reserved-name", ("step",), names.reserved_names),
    Check("bad-language", ("bot",), names.languages),
    Check("unknown-language", ("bot",), names.unknown_languages, "warning"),
    Check("bad-timezone", ("settings",), names.timezones),
    Check("doubled-name", ("bot",), names.doubled_channels),
    Check("doubled-name", ("training",), names.doubled_definitions),
    Check("built-in-name", ("definition",), names.built_in_names),
    Check("unknown-entity-type", ("step",), names.entity_types),
    Check("unknown-conversation", ("step",), names.conversations),
    Check("unknown-conversation", ("settings",), names.helping_conversations),
    Check("endless", ("step",), names.endless_runs, prevents_loading=False),
    Check("unknown-conversation", ("value",), names.trait_conversations),
    Check("unknown-credential", ("data-source",), names.credentials),
    Check("unknown-live-agent", ("step",), names.live_agents),
    Check("bad-look", ("bot",), look.spellings),
    Check("unreadable-look", ("bot",), look.backgrounds, "warning"),
    Check("platform-key", ("channel",), channels.platform_keys),
    Check("bad-origin", ("channel",), channels.origins),
    Check("user-token", ("channel",), channels.user_tokens),
    Check("callback", ("channel",), channels.callbacks),
    Check("post-address", ("channel",), channels.callback_addresses),
    Check("post-address", ("bot",), channels.live_agent_addresses),
    Check("login-from-page", ("channel",), channels.logins_from_pages, "warning"),
    Check("login-provider", ("authentication",), login.providers),
    Check("login-reserved", ("oidc",), login.reserved_params),
    Check("login-issuer", ("oidc",), login.issuers),
    Check("login-redirect", ("authentication",), login.redirects),
    Check("login-binding", ("authentication",), login.bindings),
    Check("login-missing", ("step",), login.protected_steps),
    Check("data-source", ("data-source",), sources.origins_of_data),
    Check("bad-header", ("data-source",), sources.header_names),
    Check("no-http", ("data-source",), sources.literal_addresses, "warning"),
    Check("unencoded-value", ("data-source",), sources.unencoded_values, "warning"),
    Check("dynamic-source", ("dynamic-data",), sources.dynamic_sources),
    Check("dynamic-value", ("dynamic-data",), sources.dynamic_values, "warning"),
    Check("default-taken", ("data-source",), sources.missing_methods, "warning"),
    Check("bad-variable", secrets.KINDS, secrets.variables),
    Check("short-token", ("bot", "channel"), secrets.short_tokens, prevents_loading=False),
    Check("literal-secret", secrets.KINDS, secrets.literals, "warning"),
    Check("bare-condition", ("step", "parameters"), steps.bare_conditions),
    Check("bad-command", ("step",), steps.commands),
    Check("bad-parameters", ("validation",), steps.validations),
    Check("bad-parameters", ("validation",), steps.lengths),
    Check("bad-parameters", ("validation",), steps.ranges),
    Check("unread-limit", ("validation",), steps.unread_limits, "warning"),
    Check("no-labeller", ("validation",), steps.unlabelled_images, "warning"),
    Check("no-message", ("step",), steps.silent_messages, "warning"),
    Check("bad-regex", ("validation",), steps.regexes),
    Check("bad-regex", ("pattern",), steps.patterns),
    Check("slow-regex", ("validation",), steps.slow_regexes),
    Check("slow-regex", ("pattern",), steps.slow_patterns),
    Check("no-options", ("display",), displays.sources_of_replies),
    Check("bad-option", ("display",), displays.options),
    Check("missing-key", ("display",), displays.carousels),
    Check("bad-day", ("display",), displays.days),
    Check("days-differ", ("display",), displays.unchecked_days, "warning"),
    Check("bad-place", ("places",), displays.static_places),
    Check("no-options", ("places",), displays.no_places),
    Check("two-sources", ("places",), displays.two_sources, "warning"),
    Check("default-taken", ("display",), displays.missing_titles, "warning"),
    Check("two-sources", ("display",), displays.two_sources, "warning"),
    Check("no-options", ("display",), displays.no_options, "warning"),
    Check("unmatched-option", ("display",), displays.unmatched_options, prevents_loading=False, is_doubt=True),
    Check("unmatched-option", ("display",), displays.unread_options, prevents_loading=False, is_doubt=True),
    Check("blank-name", ("value",), training.blank_values),
    Check("doubled-value", ("definition",), training.doubled_values, "warning"),
    Check("ask-above-threshold", ("settings",), training.asks_above_threshold, "warning"),
    Check("shared-expression", ("training",), training.shared_expressions, "warning"),
    Check("unknown-slot", ("value",), slots.unknown_slots, prevents_loading=False),
    Check("bad-template", tuple(templates.KINDS), templates.syntax),
    Check("loose-selector", ("data-source",), templates.loose_selectors, "warning"),
    Check("bad-currency", ("step",), currencies.of_questions, prevents_loading=False, is_doubt=True),
    Check("bad-currency", ("flow", "training"), currencies.currencies, prevents_loading=False, is_doubt=True),
    _doubt("unreachable", "conversation", reach.unreachable),
    _doubt("unreachable", "value", reach.unsaid),
    _doubt("missing-help", "flow", reach.no_help),
    _doubt("dead-step", "conversation", reach.dead_steps),
    _doubt("always-holds", "step", reach.always),
    _doubt("always-holds", "parameters", reach.always),
    _doubt("never-holds", "step", reach.never),
    _doubt("never-holds", "step", reach.own_entity),
    _doubt("never-holds", "parameters", reach.never_valid),
    _doubt("no-way-to-change", "conversation", acting.dead_ends),
    _doubt("capitals-only", "pattern", training.capitals_only),
    _doubt("acts-on-a-guess", "conversation", acting.started_on_a_guess),
    _doubt("no-way-back", "conversation", acting.silent_without_return),
    _doubt("unknown-value", "flow", values.comparisons),
    _doubt("unknown-value", "validation", values.match_values),
    _doubt("unset-entity", "flow", unset.unset_names),
    _doubt("unset-entity", "training", unset.unset_names),
    _doubt("placeholder", "step", saying.placeholders),
    _doubt("mixed-types", "conversation", values.mixed_types),
    _doubt("shared-confirmation", "flow", values.shared_confirmations),
    _doubt("unasked-entity", "step", values.unasked),
    _doubt("login-overwritten", "step", values.overwritten_login),
    _doubt("lost-response", "flow", values.lost_responses),
    _doubt("no-fallback", "settings", saying.silent_settings),
    _doubt("no-error-message", "validation", saying.silent_validations),
    _doubt("no-message", "step", saying.silent_questions),
    _doubt("no-answer", "value", saying.silent_answers),
    _doubt("restart-phrase", "flow", saying.restart_options),
    _doubt("restart-phrase", "training", saying.restart_values),
    _doubt("moving-endpoint", "data-source", sources.moving_addresses),
    _doubt("unseen-status", "step", sources.unseen_statuses),
    _doubt("unused-response", "validation", sources.unused_responses),
    _doubt("select-mismatch", "display", displays.mismatched_selects),
    _doubt("falls-back", "display", displays.falling_back),
    _doubt("not-shown", "display", not_shown.left_out),
    _doubt("not-shown", "login-card", not_shown.left_out),
    _doubt("constant-template", "display", displays.constant_options),
    _doubt("constant-template", "dynamic-data", training.constant_values),
    _doubt("no-values", "step", displays.valueless_types),
    _doubt("few-expressions", "value", training.few_expressions),
    _doubt("unread-slot", "value", slots.unread_slots),
    _doubt("shared-synonym", "definition", training.shared_synonyms),
)


def findings(
    found: Sequence[Piece],
    *,
    documents: Mapping[str, Document],
    unread: Collection[str],
    variables: Variables,
    defined_by: Sequence[Piece],
    well_formed: Sequence[Piece] | None = None,
    finder: Finder | None = None,
    reads: Reads | None = None,
    tests: Tests = tuple,
) -> Iterator[Finding]:
    """Run every check over ``found``: what prevents loading comes first, then other errors, then warnings.

    ``unread`` are the files that are missing or no JSON: names in them are not looked up. ``defined_by`` are the pieces
    whose names count as defined. ``well_formed`` are the pieces without what has the wrong shape, which the checks of
    the bot as a whole look at; None where it cannot be looked at. ``finder`` looks for values in texts,
    ``reads`` reads a whole text as one.
    """
    known = known_from(defined_by, unread, variables, finder, reads, tests)

    def run(checks: Iterable[Check], looked_at: Sequence[Piece], known: Known) -> Iterator[Finding]:
        by_kind: dict[str, list[Check]] = {}
        for check in checks:
            for kind in check.kinds:
                by_kind.setdefault(kind, []).append(check)
        for piece in looked_at:
            for check in by_kind.get(piece.kind, ()):
                for fault in check.run(piece, known):
                    yield finding_of(
                        fault,
                        rule=check.rule,
                        file=piece.file,
                        documents=documents,
                        severity=check.severity,
                        prevents_loading=check.prevents_loading,
                    )

    is_read = True  # what understands texts is made of a training.json without errors
    for finding in run((check for check in CHECKS if check.rank == 0), found, known):
        is_read &= finding.file != "training.json"
        yield finding
    whole = known
    if well_formed is not None and (well_formed is not found or not is_read):
        whole = known_from(well_formed, unread, variables, finder if is_read else None, reads, tests)
    for rank in (1, 2):
        ranked = [check for check in CHECKS if check.rank == rank]
        yield from run((check for check in ranked if not check.is_doubt), found, known)
        yield from run((check for check in ranked if check.is_doubt), well_formed or (), whole)
