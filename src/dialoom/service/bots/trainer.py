"""The process that trains a model beside the service: an order on standard input, the model on standard output."""

from __future__ import annotations

import os
import sys

import msgspec

from dialoom.service.bots.training import Order
from dialoom.understanding import train


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(5)
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    sys.stdout.buffer.write(msgspec.msgpack.encode(train(order.definitions, order.language)))


if __name__ == "__main__":
    main()
