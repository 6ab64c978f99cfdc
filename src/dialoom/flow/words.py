"""One sentence for every key of the language: editors show it, and the reference in the docs holds it.

By the names of the model's structs and of the keys as they stand in the files; a test finds every key of the model
here.
"""

from __future__ import annotations

from dialoom.flow.channels import CHANNEL_ROWS

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""As ``off`` of a date-picker names them, in every language."""

_TITLE = "Name of the button that opens the dialog; Open by default."
_SUBMIT = "Name of the submit button in the dialog; Submit by default."
_DATA = "Static options: texts, or objects with title, value and image."
_SOURCE = "Options from an endpoint or from an entity."
_OPTION = "How an element becomes an option: a text, or an object with title, subtitle, image and value."
_TYPE = "Which kind of step this is."
_DISPLAY_TYPE = "Which display this is."
_URL_PREFIX = "Applies the credential by itself to every call of an address that begins so."
_CREDENTIAL_TYPE = "Which kind of credential this is."
_STRATEGY = "How values are found in what the user says."
_TYPE_NAME = "The name that entity-type refers to."
_METADATA = "Further fields of the value, reached by path in templates."
_VALUE = "The value that is stored."
_EXPRESSIONS = (
    "Sentences that mean this value; the classifier is trained on them. `{entity-name}` or `{EntityType}` in one "
    "stands for a value."
)
_MESSAGES = "Alternative texts, one is chosen at random; an entry that is a list is sent as several messages."

WORDS: dict[str, dict[str, str]] = {
    "Described": {
        "$schema": "Address of a JSON Schema, for editors.",
        "note": "Free text for readers; drawn in the picture of the flow.",
    },
    "FromEnvironment": {"env": "Name of the environment variable that holds the secret; it begins with BOT_."},
    "BotFile": {
        "id": "The bot's id, as it stands in addresses.",
        "name": "The bot's name, as users see it; the id by default.",
        "language": "The bot's language as a BCP 47 tag; en by default.",
        "avatar": "Address of the bot's picture.",
        "look": "How the chat and the pages around it look on web and mobile.",
        "channels": "Where the bot can be talked to; one web and one rest channel by default.",
        "access-token": "The token of the history API; made at the first start by default.",
        "credentials": "Credentials by name, for authentication-method.",
        "live-agents": "Addresses by name that a hand-over is posted to.",
        "image-labeller": "Address of a service that names what an image shows.",
        "retention-days": "After how many days stored conversations are deleted; at most 36,500.",
        "trace": "true keeps for seven days, masked, how each turn came about; false by default.",
    },
    "Look": {
        "brand": "The colour of buttons and of what the user says, as #rrggbb; what stands on it is black or white.",
        "background": "The colour behind the chat, as #rrggbb: a light one in the light theme, a dark one in the dark.",
        "font": "Names of fonts, the first that a device has is taken; the system's own by default.",
        "radius": "How round the corners of messages are, in pixels; 18 by default, at most 24.",
        "header": "What stands in the head of the chat; the bot's name by default.",
        "launcher": "Words on the button that opens the chat; an icon alone by default.",
        "avatar": "Address of the picture in the chat; the bot's avatar by default.",
    },
    "Channel": {
        "id": "The channel's id, as it stands in addresses and records.",
        "type": "The channel's label: which platform it speaks.",
        "name": "The channel's name, for people.",
        "token": "The token that clients of this channel send; made at the first start by default.",
        "allowed-origins": "Origins of the pages that may show the chat; only the service's own by default.",
        "user-secret": "Secret (or public key) that checks the tokens of signed-in users.",
        "user-token-algorithm": "The one algorithm of those tokens.",
        "require-user-token": "Whether only users with such a token may chat; false by default.",
        "login-from-page": "Whether a page may set the authentication entity unsigned; false by default.",
        "erase-from-page": "Whether users may erase their data in the chat's menu (web, mobile); false by default.",
        "ask-rating": "Whether the chat asks for a rating after a conversation (web, mobile); false by default.",
        "privacy-url": "Address of the privacy notice that the chat's menu leads to; web and mobile.",
        "consent": "What users agree to by writing: a line above the field until they have written; web and mobile.",
        **{key: f"{row.type}: {words}" for row in CHANNEL_ROWS.values() for key, words in row.keys.items()},
    },
    "BasicCredential": {
        "type": _CREDENTIAL_TYPE,
        "username": "User name of HTTP basic authentication.",
        "password": "Password of HTTP basic authentication.",
        "url-prefix": _URL_PREFIX,
    },
    "BearerCredential": {"type": _CREDENTIAL_TYPE, "token": "The bearer token.", "url-prefix": _URL_PREFIX},
    "CertificateCredential": {
        "type": _CREDENTIAL_TYPE,
        "certificate": "The client certificate, as PEM.",
        "key": "Its private key, as PEM.",
        "url-prefix": _URL_PREFIX,
    },
    "DataSource": {
        "endpoint": "Address to call; may contain expressions.",
        "method": "HTTP method; GET by default.",
        "headers": "Request headers; each a text with expressions, or a secret.",
        "payload": "Request body; every text in it may contain expressions.",
        "response": "body stores the body and fails on a status outside 200-299; full stores status, headers and body.",
        "selector": "JSONPath that picks the part of the body or of the entity that is wanted.",
        "entity": "Name of an entity in memory that is read instead of a request.",
        "authentication-method": "Name of a credential of bot.json that the request is sent with.",
        "timeout": "Seconds that all tries of the call may take together; 10 by default, at most 30.",
    },
    "OptionTemplate": {
        "title": "Text of the option.",
        "subtitle": "Second line of the option.",
        "image": "Address of the option's image.",
        "value": "What choosing the option says; the title by default.",
    },
    "QuickReply": {"type": _DISPLAY_TYPE, "data": _DATA, "data-source": _SOURCE, "template": _OPTION},
    "LocationPicker": {
        "type": _DISPLAY_TYPE,
        "title": _TITLE,
        "button-text": _SUBMIT,
        "places": "Places to choose from, on web, mobile and the hosted page.",
    },
    "Places": {
        "data": "The places: objects with title, latitude, longitude and maybe subtitle.",
        "data-source": "The places from an endpoint or from an entity.",
        "template": "How an element becomes a place.",
    },
    "PlaceTemplate": {
        "title": "Name of the place.",
        "subtitle": "Second line of the place, such as its street.",
        "latitude": "Degrees north, from -90 to 90.",
        "longitude": "Degrees east, from -180 to 180.",
    },
    "DatePicker": {
        "type": _DISPLAY_TYPE,
        "title": _TITLE,
        "button-text": _SUBMIT,
        "min": "The first day that can be chosen: YYYY-MM-DD, or words such as today.",
        "max": "The last day that can be chosen: YYYY-MM-DD, or words such as today.",
        "off": "Days that cannot be chosen: YYYY-MM-DD, or monday to sunday.",
    },
    "Confirm": {
        "type": _DISPLAY_TYPE,
        "style": "danger where the yes cannot be taken back, else normal, the default.",
    },
    **{
        name: {
            "type": _DISPLAY_TYPE,
            "title": _TITLE,
            "button-text": _SUBMIT,
            "data": _DATA,
            "data-source": _SOURCE,
            "template": _OPTION,
        }
        for name in ("SingleSelect", "MultiSelect")
    },
    "Carousel": {
        "type": _DISPLAY_TYPE,
        "title": "Name of the button that opens the options on messenger-2, which has no carousel.",
        "button-text": "Text of the selection button on each card; Select by default.",
        "data": _DATA,
        "data-source": _SOURCE,
        "template": "How an element becomes a card: title, subtitle, image and value.",
    },
    "ValidationParameters": {
        "region": "phone: the country (two letters) in whose numbering plan the number must be valid.",
        "value": "regex: the pattern that is searched in the text.",
        "min": "length, range: the least that is allowed.",
        "max": "length, range: the most that is allowed.",
        "values": "match: the values that are allowed.",
        "contains": "image: a label that the image must have, or a list of which it must have one.",
        "condition": "custom: the expression that must hold; _response is what the data-source answered.",
        "data-source": "custom: a request whose result the condition looks at.",
    },
    "Validation": {
        "type": "Which check this is.",
        "parameters": "What the check needs to know.",
        "error-message": "Texts sent when the value does not pass; the question is asked again.",
    },
    "Reactions": {
        "validations": "Checks of a value that was found; the first that fails sends its text.",
        "acknowledgements": "Texts sent when the value was recognised without having been asked for.",
        "ambiguities": "Texts sent when several values fit, with these as quick replies.",
        "suggestions": "Texts sent when the user gave the same value in the last two completed runs, with Yes and No.",
    },
    "_Step": {
        "type": _TYPE,
        "conditions": "Expressions that must all hold, else the step is passed over.",
        "protected": "Whether the user must be logged in for this step; false by default.",
    },
    "Question": {
        "entity": "Name of the entity that takes the answer.",
        "entity-type": "Type of the answer: built in, or defined in training.json.",
        "messages": _MESSAGES,
        "display": "How answers are offered.",
        "entity-display": "How the value reads when it is printed in a message.",
        "capture-multiple-values": "Whether the value is a list of all that the user names; false by default.",
        "is-explicit": "Whether only an answer to this very question fills the entity; false by default.",
        "optional": "Whether the user may leave it without a value, by SKIP or a plain no; false by default.",
        "names": "Words that users have for it, beside the entity's own name and its type's.",
        "currency": "Of a bare number at an Amount question (ISO 4217); else that of the texts, or the language's.",
        "reactions": "What is said and checked when a value was found.",
    },
    "Message": {"messages": _MESSAGES, "display": "Quick replies that are suggested with the message."},
    "Webhook": {
        "data-source": "The request.",
        "entity": "Name of the entity that takes the result.",
        "messages": "Texts sent after success.",
    },
    "Confirmation": {
        "entity": "Name of the entity that becomes true or false.",
        "messages": _MESSAGES,
        "display": "How the yes looks.",
    },
    "EntitiesConfirmation": {
        "entity": "Name of the entity that becomes true when all is confirmed.",
        "entities": "Names of the entities that are reviewed.",
        "messages": _MESSAGES,
    },
    "RunConversation": {"conversation": "Key of the conversation whose steps run in place."},
    "Command": {
        "command": "stay-silent [minutes], go-to <conversation>, invalidate-entity [name], set-entity or logout.",
        "entity": "set-entity: name of the entity.",
        "entities": "invalidate-entity: names of the entities.",
        "data": "set-entity: the value; every text in it may contain expressions.",
        "live-agent": "stay-silent: which of the live-agents takes over.",
    },
    "Conversation": {
        "type": "goal is what the user wants done; support helps within it and returns.",
        "display-name": "The conversation's name, for people; its key by default.",
        "on-a-guess": "Whether it asks before it acts where it was only guessed at (ask, the default), or starts.",
        "steps": "The steps, in order.",
    },
    "Understanding": {
        "threshold": "Confidence from which a sense is accepted; 0.65 by default.",
        "margin": "How far it must lead the next; 0.1 by default.",
        "act": "Confidence below which a conversation asks before it acts; 0.9 by default.",
        "ask": "Confidence from which what was not understood is offered: did you mean ...; 0.4 by default, 1: never.",
    },
    "Misunderstood": {
        "after": "After how many replies in a row that were not understood at one question; 3 by default.",
        "conversation": "Key of the conversation that runs then.",
    },
    "LoginTemplate": {"title": "Text of the login button.", "image": "Address of the card's image."},
    "LoginCard": {"type": _DISPLAY_TYPE, "template": "What the login card shows."},
    "Oidc": {
        "issuer": "Base address of the OpenID Connect provider.",
        "client-id": "Client id that the provider issued for the bot.",
        "client-secret": "Client secret that the provider issued for the bot.",
        "scope": "Scopes to ask for; openid is always among them.",
        "authorization-params": "Extra parameters for the provider's authorization endpoint.",
    },
    "Socialnet": {"app-id": "Id of the social-login app.", "app-secret": "Secret of the social-login app."},
    "Workchat": {
        "connection-name": "Name of the OAuth connection of the bot resource.",
        "strategy": "Which provider block the connection belongs to.",
    },
    "ConfirmationPage": {
        "title": "Heading of the page after a login.",
        "text": "Text of the page after a login.",
        "attempt-close": "Whether the page closes by itself; false by default.",
    },
    "Authentication": {
        "entity": "Name of the entity that holds the access token after a login.",
        "messages": "Texts that ask the user to log in.",
        "acknowledgements": "Texts sent after a login.",
        "display": "The login card.",
        "oidc": "Login through an OpenID Connect provider.",
        "socialnet": "Login through the social network.",
        "workchat": "Single sign-on in workplace-chat.",
        "refresh": "Whether an expired token is refreshed silently; false by default.",
        "forget-after": "Minutes of silence after which a login is forgotten, for devices that several people use; by "
        "default it lives until it expires or the user logs out.",
        "binding": "How a login link is tied to its user: one value, or one a channel label.",
        "confirmation-page-auto-redirect": "Whether the user is sent back into the chat app; true by default.",
        "confirmation-page-contents": "What the page after a login says.",
        "confirmation-page-redirect-url-web": "Where web, mobile and rest users are sent after a login.",
    },
    "Commands": {
        "NEXT-PAGE": "Phrases that show the next options; the first is the label of the button.",
        "PREVIOUS-PAGE": "Phrases that show the previous options; the first is the label of the button.",
        "RESTART": "Phrases that clear the memory and run the conversation restart.",
        "BACK": "Phrases that take back the last answer; none switch it off.",
        "STOP": "Phrases that ask whether the open goal is to be stopped; none switch it off.",
        "SKIP": "Phrases that leave an optional question without a value; the first is the label of the button, none "
        "switch it off.",
    },
    "Settings": {
        "invalid-replies": "Texts sent when an answer was not understood.",
        "misunderstood": "What runs when several replies in a row were not understood.",
        "not-a-yes": "Texts sent when a reply to a confirmation was no plain yes, no plain no, and named nothing.",
        "stopped": "Texts sent when the user stopped a goal; conversationDisplayName is set.",
        "general-failure": "Texts sent when something breaks.",
        "previous-conversation-messages": "Texts sent on returning to a conversation; conversationDisplayName is set.",
        "silence-timeout": "Minutes that stay-silent lasts without an argument; 60 by default, at most 5,256,000 "
        "(ten years).",
        "session-timeout": "Minutes without a message after which the next one opens a new session; 1440 by default, "
        "at most 5,256,000 (ten years).",
        "persist-entities": "Names of entities that are kept across conversations and sessions.",
        "timezone": "IANA zone for words such as today; Universal by default.",
        "use-user-timezone": "Whether the user's own zone is used where the channel gives it; false by default.",
        "understanding": "When a sense is accepted.",
        "authentication": "How users log in.",
        "commands": "Phrases of the commands; these win over the commands at the top of the file.",
    },
    "FlowFile": {
        "conversations": "The conversations by key; welcome, help and restart are run by the service itself.",
        "settings": "What holds for the whole flow.",
        "commands": "Phrases of the commands.",
    },
    "TraitValue": {"value": _VALUE, "expressions": _EXPRESSIONS, "metadata": _METADATA},
    "KeywordValue": {"value": _VALUE, "synonyms": "Other words for the value.", "metadata": _METADATA},
    "QnAValue": {
        "value": "The name of the question.",
        "expressions": _EXPRESSIONS,
        "answers": "Answers; one is chosen at random.",
        "ssmlAnswers": "Answers for voice-assistant, as SSML.",
    },
    "Pattern": {
        "pattern": "The regular expression that is found inside the sentence, in any case.",
        "case-sensitive": "Whether capital and small letters are told apart; false by default.",
    },
    "DynamicData": {
        "data-source": "Where the values come from.",
        "value-template": "How an element becomes a value.",
        "synonym-templates": "How an element becomes synonyms.",
    },
    "TraitType": {
        "lookup-strategy": _STRATEGY,
        "name": _TYPE_NAME,
        "data": "The values, each a sense of the whole sentence.",
    },
    "KeywordsType": {
        "lookup-strategy": _STRATEGY,
        "name": _TYPE_NAME,
        "data": "The values, each a word found inside the sentence.",
        "dynamic-data": "Fills the values from an endpoint.",
    },
    "RegexType": {"lookup-strategy": _STRATEGY, "name": _TYPE_NAME, "data": "The pattern."},
    "QnAType": {"lookup-strategy": _STRATEGY, "name": _TYPE_NAME, "data": "The questions and answers."},
    "TrainingFile": {"entity-definitions": "The bot's own entity types."},
}


def word(struct: str, key: str) -> str | None:
    """Return the sentence for a key, or None; for keys of all steps or all objects it stands in the table once."""
    for name in (struct, "_Step", "Described"):
        if key in WORDS.get(name, {}):
            return WORDS[name][key]
    return None
