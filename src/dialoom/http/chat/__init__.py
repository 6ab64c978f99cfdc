"""Serves the endpoints of the chat channels and the pages that users open."""
