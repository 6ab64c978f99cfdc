"""Serves HTTP: history API, chat endpoints, pages. Nothing here decides about conversations."""
