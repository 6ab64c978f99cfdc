"""Alexa on loopback: serves the chain that its requests are signed with, calls the skill, takes progressive responses.

Sources below developer.amazon.com/en-US/docs/alexa/custom-skills: request-and-response-json-reference.html,
host-a-custom-skill-as-a-web-service.html, send-the-user-a-progressive-response.html, request-types-reference.html.
"""

from __future__ import annotations

import datetime as dt
import json
import secrets
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from dialoom.testing.platforms.shapes import By, Fields, Text, faults
from dialoom.testing.platforms.stand_in import Answer, Call, StandIn
from dialoom.testing.platforms.voice_assistant import screen
from dialoom.testing.platforms.voice_assistant.certificates import Certificates, ChainName
from dialoom.testing.platforms.voice_assistant.people import AlexaUser
from dialoom.testing.platforms.voice_assistant.responses import heard, response_faults, ssml_faults

ANSWER_SECONDS = 8.0
MAX_DIRECTIVES = 5
MAX_PROGRESSIVE_CHARS = 600
PROBLEM = "There was a problem with the requested skill's response."
_DIRECTIVE = Fields(
    {
        "header": Fields({"requestId": Text()}),
        "directive": By("type", {"VoicePlayer.Speak": Fields({"speech": Text(MAX_PROGRESSIVE_CHARS)})}),
    }
)


class Alexa(StandIn):
    """One skill of the platform, with the people who speak to it."""

    platform: ClassVar[str] = "voice-assistant"

    def __init__(
        self,
        skill_id: str = "amzn1.ask.skill.00000000-0000-4000-8000-000000000001",
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(clock=clock)
        self.skill_id = skill_id
        self.endpoint = ""
        """The address of the skill, which its developer sets in the console."""
        self.model: Mapping[str, Any] | None = None
        """The interaction model; without one every sentence goes to ``catch_all``."""
        self.catch_all = ("CatchAllIntent", "query")
        """The intent that takes any sentence, and its slot."""
        self.answer_seconds = ANSWER_SECONDS
        self.users: dict[str, AlexaUser] = {}
        self.faults: list[str] = []
        """What was wrong with the skill's answers, in order. The person hears that there was a problem."""
        self.certificates = Certificates(dt.datetime.fromtimestamp(clock(), dt.UTC))
        self.under_way: dict[str, tuple[AlexaUser, str, int]] = {}
        """Requests without an answer yet, by id: the person, the access token, the number of progressive responses."""

    def user(self, locale: str = "en-US") -> AlexaUser:
        """Add a person with a device."""
        made = AlexaUser(self, f"amzn1.ask.account.{uuid.uuid4().hex.upper()}", locale)
        self.users[made.id] = made
        return made

    def envelope(self, user: AlexaUser, request: Mapping[str, Any], *, new: bool = False) -> dict[str, Any]:
        """Return a whole request, for ``post`` with something changed; ``new`` begins a session."""
        if new or user.session_id is None:
            user.session_id = f"amzn1.echo-api.session.{uuid.uuid4()}"
            user.attributes = {}
        known = {"userId": user.id} | ({"accessToken": user.access_token} if user.access_token else {})
        application = {"applicationId": self.skill_id}
        system = {
            "application": application,
            "user": known,
            "device": {"deviceId": user.device_id, "supportedInterfaces": {}},
            "apiEndpoint": self.url,
            "apiAccessToken": secrets.token_urlsafe(24),
        }
        session = {"new": new, "sessionId": user.session_id, "application": application, "user": known}
        stamp = dt.datetime.fromtimestamp(self.clock(), dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        head = {"requestId": f"amzn1.echo-api.request.{uuid.uuid4()}", "timestamp": stamp, "locale": user.locale}
        return {
            "version": "1.0",
            "session": {**session, "attributes": user.attributes},
            "context": {"System": system},
            "request": {**head, **request},
        }

    async def post(
        self,
        envelope: Mapping[str, Any],
        *,
        chain: ChainName = "right",
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """Send a signed request. ``headers`` replace the right ones, or leave out those that are None."""
        body = json.dumps(envelope).encode()
        right: dict[str, str | None] = {
            "Content-Type": "application/json;charset=utf-8",
            "SignatureCertChainUrl": self.certificates.address(chain),
            "Signature-256": self.certificates.signature(body),
        }
        sent = {name: value for name, value in {**right, **(headers or {})}.items() if value is not None}
        return await self.send(self.endpoint, body, sent)

    async def request(self, user: AlexaUser, request: Mapping[str, Any], *, new: bool = False) -> Answer:
        """Send a request of a person and speak the answer. An answer that is wrong ends the session."""
        envelope = self.envelope(user, request, new=new)
        system, id = envelope["context"]["System"], envelope["request"]["requestId"]
        self.under_way[id] = (user, system["apiAccessToken"], 0)
        began = time.monotonic()
        answer = await self.post(envelope)
        took = time.monotonic() - began
        del self.under_way[id]
        found = self._faults(answer, request["type"], took)
        if found:
            self.faults += found
            user.spoken.append({"from": "bot", "text": PROBLEM, "ended": True, "faults": found})
            if request["type"] != "SessionEndedRequest":
                error = {"type": "INVALID_RESPONSE", "message": found[0]}
                await self.post(self.envelope(user, {"type": "SessionEndedRequest", "reason": "ERROR", "error": error}))
            user.session_id = None
        elif request["type"] != "SessionEndedRequest":
            self._speak(user, answer.json())
        return answer

    def _faults(self, answer: Answer, request_type: str, took: float) -> list[str]:
        if took > self.answer_seconds:
            return [f"The answer took {took:.1f} s and may take {self.answer_seconds:g}."]
        if answer.status != 200:
            return [f"The skill answered with status {answer.status}."]
        if not answer.headers.get("content-type", "").startswith("application/json"):
            return [f"The answer has the content type {answer.headers.get('content-type')}."]
        return list(response_faults(answer.content(), request_type))

    def _speak(self, user: AlexaUser, whole: Mapping[str, Any]) -> None:
        response = whole["response"]
        user.attributes = whole.get("sessionAttributes", {})
        ended = response.get("shouldEndSession") is True
        said = {"from": "bot", "text": heard(response.get("outputSpeech")), "ended": ended}
        if "card" in response:
            said["card"] = response["card"]
        if "reprompt" in response:
            said["reprompt"] = heard(response["reprompt"].get("outputSpeech"))
        user.spoken.append(said)
        if ended:
            user.session_id = None

    def screen(self) -> dict[str, Any]:
        """Return what the first person hears and sees."""
        return screen.of(self)

    async def act(self, action: Mapping[str, Any]) -> str | None:
        """Do what was done on the sandbox page."""
        await screen.act(self, action)
        return None

    # What the service calls.

    async def answer(self, call: Call) -> Answer:
        """Serve a chain, or take a progressive response."""
        chain = self.certificates.served(call.path)
        if chain is not None:
            return Answer(chain, headers={"Content-Type": "application/x-pem-file"})
        if call.path == "/v1/directives" and call.method == "POST":
            return self._progressive(call)
        return Answer({"message": "Not Found"}, 404)

    def _progressive(self, call: Call) -> Answer:
        body = call.json()
        for fault in faults(body, _DIRECTIVE):
            return Answer({"message": f"{'.'.join(map(str, fault.path))} {fault.detail}"}, 400)
        user, token, sent = self.under_way.get(body["header"]["requestId"], (None, "", 0))
        if call.headers.get("authorization") != f"Bearer {token}" or not token:
            return Answer({"message": "The request is not open, or the token is not its own."}, 401)
        if sent >= MAX_DIRECTIVES:
            return Answer({"message": f"A request takes {MAX_DIRECTIVES} directives."}, 403)
        speech = body["directive"]["speech"]
        is_ssml = speech.lstrip().startswith("<speak")
        for problem in ssml_faults(speech) if is_ssml else ():
            return Answer({"message": problem}, 400)
        assert user is not None
        self.under_way[body["header"]["requestId"]] = (user, token, sent + 1)
        said = {"type": "SSML", "ssml": speech} if is_ssml else {"type": "PlainText", "text": speech}
        user.spoken.append({"from": "bot", "text": heard(said), "ended": False})
        return Answer(None, 204)
