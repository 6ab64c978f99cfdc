"""Understanding what the user said: values of types found in a text. What is done with them is left to the engine."""

from dialoom.understanding.candidate import Candidate
from dialoom.understanding.intents import Model, fingerprint, train
from dialoom.understanding.normalise import normalise
from dialoom.understanding.recogniser import Recogniser

__all__ = ["Candidate", "Model", "Recogniser", "fingerprint", "normalise", "train"]
