"""The engine: what a bot does about an event, as a pure function. No clock, chance, log, network or store in it."""

from dialoom.engine.compile import compile_flow
from dialoom.engine.compiled import Flow
from dialoom.engine.conversations.sessions import restarts_chat
from dialoom.engine.state import State, begin
from dialoom.engine.trace import Trace
from dialoom.engine.turn import Turn, stop, turn

__all__ = ["Flow", "State", "Trace", "Turn", "begin", "compile_flow", "restarts_chat", "stop", "turn"]
