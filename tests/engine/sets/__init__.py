"""Measured sets of what people type, each row with what must be true after it: ``python -m tests.engine.sets``.

The material in ``data/`` was written without looking at the code that understands it. Tests of single rules stand elsewhere.
"""
