"""What the types cannot say: names that must exist, keys that go together, texts in a language of their own.

One row a check; each looks at one kind of piece and yields faults. ``flow.read`` calls ``findings`` once a bot. To add
a check, write the function in the file of its subject and add a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from dialoom.flow import notyet
from dialoom.flow.check import channels, displays, login, names, sources, steps, templates, training
from dialoom.flow.check.known import Known, known_from
from dialoom.flow.report import Fault, finding_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from dialoom.flow.finding import Finding
    from dialoom.flow.pieces import Piece
    from dialoom.flow.positions import Document


class Check(NamedTuple):
    """``run`` looks at every piece whose kind is one of ``kinds``."""

    rule: str
    kinds: tuple[str, ...]
    run: Callable[[Piece, Known], Iterable[Fault]]
    severity: Literal["error", "warning"] = "error"
    prevents_loading: bool = True


_SECRET_KINDS = ("bot", "channel", "credential", "oidc", "socialnet", "data-source")

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
    Check("endless", ("step",), names.endless_runs, prevents_loading=False),
    Check("unknown-conversation", ("value",), names.trait_conversations),
    Check("unknown-credential", ("data-source",), names.credentials),
    Check("unknown-live-agent", ("step",), names.live_agents),
    Check("platform-key", ("channel",), channels.platform_keys),
    Check("bad-origin", ("channel",), channels.origins),
    Check("login-provider", ("authentication",), login.providers),
    Check("login-reserved", ("oidc",), login.reserved_params),
    Check("login-issuer", ("oidc",), login.issuers),
    Check("login-redirect", ("authentication",), login.redirects),
    Check("login-binding", ("authentication",), login.bindings),
    Check("login-missing", ("step",), login.protected_steps),
    Check("data-source", ("data-source",), sources.origins_of_data),
    Check("bad-header", ("data-source",), sources.header_names),
    Check("no-http", ("data-source",), sources.literal_addresses, "warning"),
    Check("default-taken", ("data-source",), sources.missing_methods, "warning"),
    Check("bad-variable", _SECRET_KINDS, sources.variables),
    Check("literal-secret", _SECRET_KINDS, sources.literal_secrets, "warning"),
    Check("bad-command", ("step",), steps.commands),
    Check("bad-parameters", ("validation",), steps.validations),
    Check("bad-parameters", ("validation",), steps.lengths),
    Check("bad-parameters", ("validation",), steps.ranges),
    Check("no-message", ("step",), steps.silent_messages, "warning"),
    Check("bad-regex", ("validation",), steps.regexes),
    Check("bad-regex", ("pattern",), steps.patterns),
    Check("no-options", ("display",), displays.sources_of_replies),
    Check("bad-option", ("display",), displays.options),
    Check("missing-key", ("display",), displays.carousels),
    Check("default-taken", ("display",), displays.missing_titles, "warning"),
    Check("two-sources", ("display",), displays.two_sources, "warning"),
    Check("no-options", ("display",), displays.no_options, "warning"),
    Check("unmatched-option", ("display",), displays.unmatched_options, prevents_loading=False),
    Check("blank-name", ("value",), training.blank_values),
    Check("doubled-value", ("definition",), training.doubled_values, "warning"),
    Check("shared-expression", ("definition",), training.shared_expressions, prevents_loading=False),
    Check("bad-template", tuple(templates.KINDS), templates.syntax),
    Check("not-yet", tuple(notyet.KINDS), notyet.faults),
)


def findings(
    found: Iterable[Piece],
    *,
    documents: Mapping[str, Document],
    unread: Collection[str],
    variables: frozenset[str],
    defined_by: Iterable[Piece],
) -> Iterator[Finding]:
    """Run every check over ``found``.

    ``unread`` are the files that are missing or no JSON: names in them are not looked up. ``defined_by`` are the pieces
    whose names count as defined.
    """
    known = known_from(defined_by, unread, variables)
    by_kind: dict[str, list[Check]] = {}
    for check in CHECKS:
        for kind in check.kinds:
            by_kind.setdefault(kind, []).append(check)
    for piece in found:
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
