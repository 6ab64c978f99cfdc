"""The HTTP face of the service: history API, chat endpoints, pages. Nothing here decides about conversations."""
