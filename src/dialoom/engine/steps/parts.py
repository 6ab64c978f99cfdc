"""Compiles what steps are made of: texts, questions, displays, data sources, validations."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec import UNSET

from dialoom.engine.compiled import NO_MEMORY, Check, Days, DisplayKind, Dynamic, Offer, OptionForm, Source, Texts
from dialoom.engine.options.match_option import Fixed
from dialoom.engine.state import Choice
from dialoom.engine.values.validations import is_region
from dialoom.errors import FlowError
from dialoom.flow import model
from dialoom.flow import parts as written
from dialoom.flow.patterns import AuthorPattern, PatternError
from dialoom.flow.steps import Question
from dialoom.languages import SystemTexts
from dialoom.messages.plain import plain_title
from dialoom.template import (
    Payload,
    Template,
    compile,
    compile_endpoint,
    compile_header,
    compile_payload,
    compile_selector,
)
from dialoom.template.values import plain_text
from dialoom.understanding import Recogniser, normalise

_KINDS: dict[type[written.Described], DisplayKind] = {
    written.QuickReply: "quick-reply",
    written.LocationPicker: "location-picker",
    written.DatePicker: "date-picker",
    written.SingleSelect: "single-select",
    written.MultiSelect: "multi-select",
    written.Carousel: "carousel",
}


class Parts:
    """Compiles the texts, displays, data sources and validations of one bot."""

    def __init__(
        self,
        recogniser: Recogniser,
        system: SystemTexts,
        definitions: Mapping[str, model.EntityDefinition],
        restart: frozenset[str],
        usual_currency: Callable[[], str | None] = lambda: None,
    ) -> None:
        """Keep what the parts are compiled with. ``restart``: the phrases of RESTART, normalised. ``usual_currency``:
        returns the one of the whole bot."""
        self.recogniser = recogniser
        self.system = system
        self.definitions = definitions
        self.restart = restart
        self._usual_currency = usual_currency

    def currency(self, step: Question) -> str | None:
        """Return the currency of a bare number at a question: its own, that of its texts, the bot's."""
        if step.currency is not None:
            return step.currency
        own = self.recogniser.currencies_in(written.texts_of(step.messages))
        return own[0] if own else self._usual_currency()

    def texts(self, texts: written.Texts) -> Texts:
        return tuple(
            (compile(entry),) if isinstance(entry, str) else tuple(compile(text) for text in entry) for entry in texts
        )

    # -- validations

    def check(self, validation: written.Validation, entity: str) -> Check:
        given = validation.parameters
        if given.region is not None and not is_region(given.region):
            raise FlowError([f'"{given.region}" is no region. Give the two letters of a country, such as "BG".'])
        source = None if given.data_source is None else self.source(given.data_source)
        condition = None if given.condition is None else compile(given.condition)
        least, most = _limit(given.min), _limit(given.max)
        values = None if given.values is None else compile_payload(list(given.values))
        readers = (source, condition, least, most, values)
        names = frozenset[str]().union(*(reader.names for reader in readers if reader is not None))
        return Check(
            kind=validation.type,
            errors=self.texts(validation.error_message),
            region=given.region,
            pattern=None if given.value is None or validation.type != "regex" else _pattern(given.value),
            least=least,
            most=most,
            values=values,
            labels=frozenset(label.strip().casefold() for label in given.contains or ()),
            condition=condition,
            source=source,
            names=names - {entity, "_response"},
        )

    # -- displays

    def offer(self, display: written.Display, type: str | None) -> Offer:
        """Compile a display. ``type``: the question's entity type; None for a message step, whose replies are
        suggestions."""
        title: str | None = getattr(display, "title", None)
        button: str | None = getattr(display, "button_text", None)
        return msgspec.structs.replace(
            self._options(display, type),
            title=None if title is None else compile(title),
            button_text=None if button is None else compile(button),
        )

    def _options(self, display: written.Display, type: str | None) -> Offer:
        kind = _KINDS[display.__class__]
        if isinstance(display, written.DatePicker):
            return Offer(kind=kind, days=_days(display))
        if isinstance(display, written.LocationPicker):
            return self._places(display.places)
        form = _form(display.template)
        if display.data is not None:
            if form is not None:
                return Offer(kind=kind, origin="data", data=display.data, form=form, names=form.root_names)
            options = tuple(_static(option) for option in display.data)
            names = frozenset[str]().union(*(option.names for option in options))
            return Offer(
                kind=kind, origin="data", data=options, fixed=self._unless_restart(_fixed(options)), names=names
            )
        if display.data_source is not None:
            source = self.source(display.data_source)
            names = source.names if form is None else source.names | form.root_names
            return Offer(kind=kind, origin="source", source=source, form=form, names=names)
        if type == "Confirmation":
            return Offer(kind=kind, origin="type", fixed=self.yes_no())
        if type is None or self.recogniser.kind(type) not in ("keywords", "trait", "QnA"):
            return Offer(kind=kind)
        definition = self.definitions.get(type)
        is_dynamic = isinstance(definition, model.KeywordsType) and definition.dynamic_data is not None
        fixed = None
        if form is None and not is_dynamic:
            values = self.recogniser.values(type)
            fixed = self._unless_restart(tuple(Choice(value["value"], value["value"]) for value in values))
        return Offer(kind=kind, origin="type", form=form, fixed=fixed)

    def _places(self, places: written.Places | None) -> Offer:
        if places is None:
            return Offer(kind="location-picker")
        form = _place_form(places.template)
        if places.data is not None or places.data_source is None:
            data = places.data or ()
            return Offer(kind="location-picker", origin="data", data=data, form=form, names=form.root_names)
        source = self.source(places.data_source)
        return Offer(
            kind="location-picker", origin="source", source=source, form=form, names=source.names | form.root_names
        )

    def _unless_restart(self, choices: tuple[Choice, ...] | None) -> Fixed | None:
        """Return the options as fixed ones; None where one is a RESTART phrase. Such options are kept with each asking,
        so that a newer version of the flow, which has others, still knows a tap on that one for a restart."""
        texts = (text for choice in choices or () for text in (plain_text(choice.value), choice.title))
        return None if choices is None or any(normalise(text) in self.restart for text in texts) else Fixed(choices)

    def yes_no(self) -> Fixed:
        return Fixed((Choice(self.system.yes, self.system.yes), Choice(self.system.no, self.system.no)))

    # -- data sources

    def source(self, source: written.DataSource) -> Source:
        selector = None if source.selector is None else compile_selector(source.selector)
        if source.endpoint is None:
            entity = source.entity or ""
            names = frozenset({entity}) if selector is None else selector.names | {entity}
            return Source(entity=entity, selector=selector, names=names)
        plain = {name: value for name, value in source.headers.items() if isinstance(value, str)}
        secret = [(name, value.env) for name, value in source.headers.items() if not isinstance(value, str)]
        lower = {name.lower(): value for name, value in plain.items()}
        endpoint = compile_endpoint(source.endpoint)
        headers = tuple((name, compile_header(value)) for name, value in plain.items())
        payload: Payload | Template | None = None
        if isinstance(source.payload, str):
            payload = compile(source.payload)
        elif source.payload is not UNSET and source.payload is not None:
            payload = compile_payload(source.payload)
        readers = (endpoint, selector, payload, *(header for _, header in headers))
        return Source(
            endpoint=endpoint,
            method=source.method,
            headers=headers,
            secret_headers=tuple(secret),
            payload=payload,
            content_type=lower.get("content-type", "").lower(),
            has_own_key="idempotency-key" in lower,
            is_full=source.response == "full",
            selector=selector,
            credential=source.authentication_method,
            timeout=source.timeout or 10.0,
            names=frozenset[str]().union(*(reader.names for reader in readers if reader is not None)),
        )

    def dynamic(self, data: model.DynamicData) -> Dynamic:
        synonyms = tuple(compile(template) for template in data.synonym_templates)
        return Dynamic(self.source(data.data_source), compile(data.value_template), synonyms)


def _limit(value: written.Json) -> Template | None:
    if value is None:
        return None
    return compile(value if isinstance(value, str) else format(value, "g") if isinstance(value, float) else str(value))


def _pattern(text: str) -> AuthorPattern:
    try:
        return AuthorPattern(text)
    except PatternError as error:
        raise FlowError([f"The regular expression of a validation {error}."]) from error


def _form(template: str | written.OptionTemplate | None) -> OptionForm | None:
    if template is None:
        return None
    if isinstance(template, str):
        return OptionForm(title=compile(template))

    def part(text: str | None) -> Template | None:
        return None if text is None else compile(text)

    return OptionForm(part(template.title), part(template.value), part(template.subtitle), part(template.image))


def _days(display: written.DatePicker) -> Days | None:
    least, most = _limit(display.min or None), _limit(display.max or None)
    off = compile_payload(list(display.off)) if display.off else None
    return None if least is None and most is None and off is None else Days(least, most, off)


def _place_form(template: written.PlaceTemplate | None) -> OptionForm:
    """Compile the template of places; without one an element has the fields of a place itself."""
    given = template or written.PlaceTemplate()

    def part(name: str) -> Template:
        text: str | None = getattr(given, name)
        return compile(f"{{{{{name}}}}}" if text is None else text)

    return OptionForm(
        title=part("title"), subtitle=part("subtitle"), latitude=part("latitude"), longitude=part("longitude")
    )


def _static(option: written.Json) -> OptionForm:
    """Compile an option of ``data`` without a ``template``: its texts are templates of their own."""
    if not isinstance(option, dict):
        return OptionForm(title=compile(option if isinstance(option, str) else str(option)))

    def part(name: str) -> Template | None:
        text = option.get(name)
        return None if text is None else compile(text if isinstance(text, str) else str(text))

    return OptionForm(part("title"), part("value"), part("subtitle"), part("image"))


def _fixed(forms: tuple[OptionForm, ...]) -> tuple[Choice, ...] | None:
    """Return the options if none of their texts holds an expression."""
    choices = []
    for form in forms:
        if not all(part.is_constant for part in form.parts):
            return None
        parts = (form.title, form.value, form.subtitle, form.image)
        title, value, subtitle, image = (None if part is None else part.text(NO_MEMORY) for part in parts)
        title = title or value or ""
        choices.append(Choice(title, plain_title(title) if value is None else value, subtitle or None, image or None))
    return tuple(choices)
