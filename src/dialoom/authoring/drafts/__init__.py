"""Holds the files that an author works on: read, checked, saved, compared, published, made anew. What plays or tests
them is in the packages beside it."""
