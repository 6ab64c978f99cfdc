"""One sentence on what each rule of ``dialoom check`` finds, and one or two on why it matters.

SARIF carries them to code hosts and the docs hold them with an example each; a test finds every rule here. What is
said at the place itself stands with the check.
"""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    """``finds``: what is there. ``matters``: what comes of it, or what to do."""

    finds: str
    matters: str


RULES: dict[str, Rule] = {
    # ---- the files -----------------------------------------------------------------------------------------------
    "missing-folder": Rule("The folder of the bot is not there.", "Name the folder that bot.json stands in."),
    "missing-file": Rule("bot.json or flow.json is not there.", "A bot has both; training.json may be left out."),
    "unreadable": Rule(
        "A file cannot be read: it may not be opened, is no regular file, lies outside of the folder or is too large.",
        "Read are regular files inside the folder, of at most 16 MiB each. A link is followed as long as it stays "
        "inside; pipes, devices and sockets are not opened.",
    ),
    "not-utf-8": Rule("A file is not in UTF-8.", "Save it as UTF-8; other encodings garble every accent."),
    "broken-json": Rule("The text is no JSON.", "Nothing of the file can be read until this is mended."),
    "doubled-key": Rule(
        "One key stands twice in an object.",
        "JSON keeps only the last one. Each of its values is checked all the same.",
    ),
    "unfit-text": Rule("A text holds NUL or half of a surrogate pair.", "Such a text can be neither stored nor sent."),
    "unfit-number": Rule(
        "A number is too large.", "No number of this size can be calculated with; write it as a text."
    ),
    "too-many-findings": Rule(
        "There are more than 1,000 findings.",
        "The others are not shown, which is an error where the first of them is. Errors that keep the bot from loading "
        "come before other errors, and those before warnings.",
    ),
    # ---- keys and types ------------------------------------------------------------------------------------------
    "unknown-key": Rule("The language has no such key there.", "A misspelt key would be passed over in silence."),
    "missing-key": Rule("A key that must be there is not.", "Without it the object does not say what it is or does."),
    "wrong-type": Rule("A text where a list is wanted, and the like.", "The sentence says what is expected there."),
    "not-allowed": Rule(
        "A value that is none of those allowed, or out of bounds.", "The sentence lists the values or names the bounds."
    ),
    # ---- names ---------------------------------------------------------------------------------------------------
    "bad-id": Rule("An id that cannot stand in an address.", "Ids of bots and channels are parts of addresses."),
    "blank-name": Rule("An empty name.", "Nothing can refer to it."),
    "reserved-name": Rule(
        "A question, confirmation or entities-confirmation whose entity is `user`, `conversation`, "
        "`conversationDisplayName` or begins with `_`.",
        "These names have a meaning of their own in memory, which an answer must not hide.",
    ),
    "bad-language": Rule("`language` is no BCP 47 tag.", "Dates, numbers and the bot's own texts follow the tag."),
    "unknown-language": Rule(
        "Nothing is known of the language.", "The bot's own texts, dates and numbers are English."
    ),
    "bad-timezone": Rule("`timezone` is no IANA zone.", "Words such as today and tomorrow depend on it."),
    "doubled-name": Rule(
        "Two channels or two entity definitions with one name.", "Only one of them could ever be meant."
    ),
    "built-in-name": Rule(
        "An entity definition named as a built-in type.", "Only `Conversation` is there to be defined, as a trait."
    ),
    "unknown-entity-type": Rule("`entity-type` names no type.", "Its answers could not be understood."),
    "unknown-conversation": Rule("A conversation that is not there.", "The step or the sense would lead nowhere."),
    "unknown-credential": Rule("`authentication-method` names no credential.", "Calls would go out without a login."),
    "unknown-live-agent": Rule(
        "`live-agent` names none of the `live-agents` of a bot that has some.", "Nobody would take over the chat."
    ),
    "endless": Rule(
        "A conversation that always runs itself in place, directly or through others.",
        "A turn of it is stopped as failed. The bot loads all the same.",
    ),
    # ---- channels and login --------------------------------------------------------------------------------------
    "platform-key": Rule("A key of another type of channel.", "It has no meaning on this one."),
    "bad-origin": Rule(
        "An entry of `allowed-origins` that is no origin, or `*`.", "Only pages of named origins may show the chat."
    ),
    "bad-look": Rule(
        "A colour or a font of `look` that is written in another way than the chat reads it.",
        "Colours are `#rrggbb` or `#rgb`; fonts are names with commas between them, without quotes.",
    ),
    "unreadable-look": Rule(
        "A `background` on which not all texts of the chat can be read.",
        "It is neither light nor dark enough, and is left out. What stands on the brand is black or white and can be "
        "read on every colour.",
    ),
    "user-token": Rule(
        "`user-token-algorithm` or `require-user-token` without `user-secret`, or any of them on a channel other than "
        "web, mobile and rest.",
        "Without the key no token can be checked, and elsewhere the platform knows the user.",
    ),
    "callback": Rule(
        "`callback-url` or `callback-secret` without the other.",
        "Later messages are posted signed, or not at all.",
    ),
    "post-address": Rule(
        "A `callback-url`, or an address of `live-agents`, that is no http(s) address with a host and a port up to "
        "65535, or has a user name, a fragment or a template in it.",
        "Nothing can be posted there.",
    ),
    "login-from-page": Rule("`login-from-page` is true.", "Any visitor can then set the login, unsigned."),
    "login-provider": Rule(
        "Not exactly one of `oidc` and `socialnet`, or another `workchat.strategy`.", "A bot has one way to log in."
    ),
    "login-reserved": Rule(
        "An authorization parameter that the service sends itself.", "The flow cannot override what makes a login safe."
    ),
    "login-issuer": Rule("An issuer without https.", "Tokens must not travel in clear; http is allowed on loopback."),
    "login-redirect": Rule(
        "`confirmation-page-redirect-url-web` is no literal address.", "A template could lead users anywhere."
    ),
    "login-binding": Rule("`binding` names no channel label.", "The rule would protect no channel."),
    "login-missing": Rule(
        "A protected step without `settings.authentication`.", "There is no way to log in, so that it could never act."
    ),
    "login-overwritten": Rule(
        "A step that writes the entity of the login.",
        "Whatever stands there counts as a login: a question would let users type one.",
    ),
    # ---- data sources and secrets --------------------------------------------------------------------------------
    "data-source": Rule(
        "Neither or both of `endpoint` and `entity`.", "A data-source is a request or a value in memory."
    ),
    "bad-header": Rule("A header name that HTTP does not allow.", "The request could not be sent."),
    "no-http": Rule("An endpoint that is no http(s) address, or has a user name in it.", "Every call of it fails."),
    "moving-endpoint": Rule(
        "An endpoint whose scheme, host or port comes from a value.",
        "Whoever gives the value chooses who is called. Such hosts must be public or listed by the operator.",
    ),
    "unencoded-value": Rule(
        "A value in the path or query of an endpoint that stands outside of `$encodeURI`.",
        "A `/`, `?` or `&` in it would make another address; a call whose path it would change fails.",
    ),
    "dynamic-source": Rule(
        "`dynamic-data` that reads an entity.", "The list is read for all users at once, without a memory."
    ),
    "dynamic-value": Rule(
        "The request of `dynamic-data` names a value of memory.", "There is no memory then, so that it prints nothing."
    ),
    "default-taken": Rule("A key with a safe default is missing.", "Write it, so that readers see what happens."),
    "bad-variable": Rule(
        "A secret names a variable that is not open to bots.",
        "Otherwise a flow could read the settings of the service.",
    ),
    "short-token": Rule(
        "A token of the service's own (`access-token`, `token` of rest, web and mobile) with fewer than 16 characters.",
        "It can be guessed. `dialoom run` and `dialoom publish` refuse the folder; a version that was published before "
        "is served, and the log warns of it.",
    ),
    "literal-secret": Rule(
        "A secret stands in the file in clear.",
        "Whoever reads the repository has it. Headers, payloads and addresses are told by the names of their keys.",
    ),
    "unseen-status": Rule(
        "A webhook with `full` and without an entity.", "An error status does not fail it, and nobody sees it."
    ),
    "unused-response": Rule(
        "A custom validation that calls its data-source and does not look at `_response`.",
        "The call decides nothing, and each answer waits for it.",
    ),
    "lost-response": Rule(
        "`_response` outside of a custom validation that has a data-source.",
        "There is none, so that it prints nothing.",
    ),
    # ---- steps ---------------------------------------------------------------------------------------------------
    "bad-command": Rule(
        "A command that is not there, not complete, or with keys that do not go with it.",
        "The sentence shows its form.",
    ),
    "bad-parameters": Rule(
        "Parameters that a validation needs, does not know or cannot use.", "It would hold always or never."
    ),
    "no-labeller": Rule(
        "An image validation in a bot without `image-labeller`.",
        "Every file passes where the channel gives no labels.",
    ),
    "no-message": Rule(
        "A message step that sends nothing, or a question that shows nothing.",
        "The user does not see that something is wanted.",
    ),
    "placeholder": Rule(
        "A text that the studio wrote into a new step, and that nobody has replaced.", "Users would read it."
    ),
    "no-error-message": Rule(
        "A validation without a text for what does not pass.", "The answer is dropped, and the user does not learn why."
    ),
    "no-fallback": Rule(
        "`invalid-replies` or `general-failure` without a text.",
        "An empty list sends nothing; only a missing key takes its default.",
    ),
    "bad-regex": Rule("A regular expression that cannot be read.", "The sentence says where it goes wrong."),
    "slow-regex": Rule(
        "A regular expression that cannot be searched in linear time, or is too large for it.",
        "One message could hold up the service. The sentence says what to write instead.",
    ),
    "bad-template": Rule(
        "A template, condition, endpoint, header or selector that cannot be read.", "It would fail at every turn."
    ),
    "loose-selector": Rule(
        "A selector that is no JSONPath of RFC 9535 and has one plain meaning.",
        "It is read in that meaning; the sentence has the right form.",
    ),
    "bad-currency": Rule(
        "A currency that is no ISO 4217 code, a code of `$currency` without quotes, or `currency` where no Amount is "
        "asked for.",
        "An amount would be shown or stored without a currency that anybody knows.",
    ),
    "bare-condition": Rule(
        "A condition without braces.", "It is a text, which always holds. The sentence shows how it is written."
    ),
    "always-holds": Rule(
        "A condition that holds whatever is in memory.", "It decides nothing, which its author did not mean."
    ),
    "never-holds": Rule("Conditions that cannot all hold.", "The step never runs, or the validation takes no answer."),
    "no-way-to-change": Rule(
        'A confirmation before a step that acts, whose "no" ends the goal or acts as well.',
        "Whoever says no mostly wants to change one of the answers given before, and has to begin again.",
    ),
    "capitals-only": Rule(
        "A case-sensitive pattern that only capital letters fit.", "People type small letters, and are not understood."
    ),
    "acts-on-a-guess": Rule(
        "A conversation with `on-a-guess: start` that acts before it asks anything.",
        "A sentence that only resembles its expressions has it act.",
    ),
    "ask-above-threshold": Rule(
        "`ask` of `settings.understanding` above `threshold`, and below 1.",
        "What is not sure enough to be understood is not offered either.",
    ),
    "no-way-back": Rule(
        "A `stay-silent` before which no text names a phrase of RESTART.",
        "Users write to a bot that does not answer, and do not know what would bring it back.",
    ),
    "mixed-types": Rule(
        "Two questions of a conversation for one entity, with two types.", "The second is never asked."
    ),
    "shared-confirmation": Rule(
        "Confirmations of two goals with one entity.", "A yes to one could be taken for the other's."
    ),
    "dead-step": Rule("A step behind a `go-to` that always leaves.", "It never runs."),
    "unreachable": Rule("A conversation that nothing starts.", "No user will ever see it."),
    "missing-help": Rule(
        "There is no conversation `help`.",
        "A user whom the bot does not understand only hears an invalid reply, and not what the bot can do.",
    ),
    # ---- values --------------------------------------------------------------------------------------------------
    "unknown-value": Rule(
        "A comparison with a value that no answer gives.", "It is never equal, so that what depends on it never comes."
    ),
    "unread-limit": Rule(
        "A `min` or `max` of a range that is no day or hour as the question's type has them.",
        "Answers are compared with it letter by letter: it lets through what it should turn away, or nothing.",
    ),
    "unset-entity": Rule(
        "A name that is read and that nothing sets: no step, no login, no context of a conversation test.",
        "It is misspelt, or its question is gone: it prints nothing, and a condition takes it for false.",
    ),
    "unasked-entity": Rule(
        "An entities-confirmation that lists what no question asks for.", "Choosing it cannot ask again."
    ),
    # ---- displays ------------------------------------------------------------------------------------------------
    "bad-option": Rule("A static option without a title.", "There is nothing to show."),
    "no-options": Rule(
        "A display that has nothing to offer.",
        "An error in a message step, whose replies have nowhere else to come from.",
    ),
    "two-sources": Rule("Both `data` and `data-source`.", "One of them is not used."),
    "unmatched-option": Rule(
        "A static option that does not answer its question.",
        "Choosing it is not understood, or leads to a question back. The bot loads all the same.",
    ),
    "select-mismatch": Rule(
        "A single-select for several values, or a multi-select for one.",
        "The dialog and the question disagree about what is stored.",
    ),
    "falls-back": Rule(
        "A display that one of the bot's channels cannot show.", "The sentence says what is shown there instead."
    ),
    "not-shown": Rule(
        "Pictures of options, or of a login's card, that one of the bot's channels does not show.",
        "All else of the option is shown there: see that its texts say what is needed.",
    ),
    "bad-day": Rule(
        "A `min`, `max` or `off` of a date-picker that is no day, or limits that leave none.",
        "Write `YYYY-MM-DD`, or a word for a day such as today; in `off` monday to sunday in its place.",
    ),
    "days-differ": Rule(
        "A date-picker and the `range` of its question that have different limits.",
        "The picker offers days that the bot refuses, or leaves out days that it takes when they are typed: what the "
        "picker shows checks nothing.",
    ),
    "bad-place": Rule(
        "A place of a location-picker without title, latitude and longitude, or one that is no point of the earth.",
        "There is nothing to choose.",
    ),
    "constant-template": Rule(
        "The template of options or of values has no expression.", "It makes the same of every element."
    ),
    "restart-phrase": Rule(
        "An option, value or expression that is a phrase of RESTART.",
        "Whoever types it makes the bot forget everything.",
    ),
    # ---- training.json -------------------------------------------------------------------------------------------
    "doubled-value": Rule("One value twice in a definition.", "Put the two together."),
    "shared-expression": Rule(
        "Two values with one expression.",
        "Which of them is meant cannot be told, and the first is taken. Conversations and answers are compared with "
        "each other.",
    ),
    "unknown-slot": Rule(
        "A slot of an expression that names no entity of a question and no entity type.",
        "In `{...}` stands what has a value in that place; any other name is trained as a word.",
    ),
    "unread-slot": Rule(
        "A slot whose type is not found among other words, such as `Text`.",
        "The expression is trained as if the slot were not there.",
    ),
    "shared-synonym": Rule(
        "Two values of a keywords type with one name, and no `ambiguities` to ask which.",
        "The user is offered both each time, without a word.",
    ),
    "few-expressions": Rule(
        "A conversation or an answer with fewer than three expressions.", "Other words for it are rarely understood."
    ),
    "no-answer": Rule("A question and answer without an answer.", "The bot understands it, and says nothing."),
    "no-values": Rule("A question whose type has no values.", "No answer to it is ever understood."),
}
