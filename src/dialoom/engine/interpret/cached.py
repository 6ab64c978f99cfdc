"""``functools.cached_property`` of Python 3.12 for 3.11, where the first look at each property takes a lock: a tenth of
the CPU of a message. One message is read by one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class CachedProperty(Generic[T]):
    """Calls a method once for an object, and keeps what it returns in the object's dictionary."""

    def __init__(self, method: Callable[[Any], T]) -> None:
        self._method, self._name = method, method.__name__
        self.__doc__ = method.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._method(instance)
        return value
