"""Understanding what the user said: values of types found in a text. What is done with them is left to the engine."""

from dialoom.understanding.by_position import chosen_places, places_named
from dialoom.understanding.candidate import Candidate
from dialoom.understanding.intents.classifier import Model
from dialoom.understanding.intents.training import fingerprint, train
from dialoom.understanding.normalise import normalise
from dialoom.understanding.recogniser import Recogniser, prepare

__all__ = [
    "Candidate",
    "Model",
    "Recogniser",
    "chosen_places",
    "fingerprint",
    "normalise",
    "places_named",
    "prepare",
    "train",
]
