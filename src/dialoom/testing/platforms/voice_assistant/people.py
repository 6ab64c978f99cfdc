"""People who speak to the skill: each sentence becomes a signed request, each answer is checked before it is heard."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from dialoom.testing.platforms.voice_assistant.interaction_model import intent_for

if TYPE_CHECKING:
    from dialoom.testing.platforms.stand_in import Answer
    from dialoom.testing.platforms.voice_assistant.alexa import Alexa


class AlexaUser:
    """A person with one device and, while the skill listens, one session."""

    def __init__(self, alexa: Alexa, id: str, locale: str) -> None:
        self._alexa = alexa
        self.id = id
        self.locale = locale
        self.device_id = f"amzn1.ask.device.{uuid.uuid4().hex.upper()}"
        self.access_token: str | None = None
        """The token of a linked account, which comes with every request."""
        self.session_id: str | None = None
        self.attributes: dict[str, Any] = {}
        self.spoken: list[dict[str, Any]] = []
        """Of both sides, in order: ``from`` and ``text``, and the skill's ``card``, ``reprompt``, ``ended``."""

    @property
    def heard(self) -> list[str]:
        """Return what the skill said, progressive responses included."""
        return [one["text"] for one in self.spoken if one["from"] == "bot"]

    @property
    def is_in_session(self) -> bool:
        """Return whether the skill listens."""
        return self.session_id is not None

    async def open(self) -> Answer:
        """Open the skill by its invocation name."""
        self.spoken.append({"from": "user", "text": "Alexa, open the skill"})
        return await self._alexa.request(self, {"type": "LaunchRequest"}, new=True)

    async def say(self, text: str) -> Answer:
        """Say a sentence: ``Alexa.model`` finds its intent, else the intent of ``Alexa.catch_all`` takes it."""
        self.spoken.append({"from": "user", "text": text})
        intent = intent_for(text, self._alexa.model)
        if intent is None:
            name, slot = self._alexa.catch_all
            slots = {slot: {"name": slot, "value": text, "confirmationStatus": "NONE"}}
            intent = {"name": name, "confirmationStatus": "NONE", "slots": slots}
        return await self._intent(intent)

    async def intent(self, name: str, **slots: str) -> Answer:
        """Send an intent with the values of its slots."""
        self.spoken.append({"from": "user", "text": " ".join([name, *slots.values()])})
        filled = {key: {"name": key, "value": value, "confirmationStatus": "NONE"} for key, value in slots.items()}
        return await self._intent({"name": name, "confirmationStatus": "NONE", "slots": filled})

    async def end(self, reason: str = "USER_INITIATED") -> Answer:
        """Leave the session: ``USER_INITIATED``, ``EXCEEDED_MAX_REPROMPTS`` or ``ERROR``."""
        answer = await self._alexa.request(self, {"type": "SessionEndedRequest", "reason": reason})
        self.session_id = None
        return answer

    def link_account(self, access_token: str) -> None:
        """Finish account linking in the phone's app: the token comes with every request from here on."""
        self.access_token = access_token

    async def _intent(self, intent: dict[str, Any]) -> Answer:
        request = {"type": "IntentRequest", "intent": intent, "dialogState": "STARTED"}
        return await self._alexa.request(self, request, new=not self.is_in_session)
