"""Implements web and mobile: the sessions, messages and events of our chat page and widget (``http.chat.web``)."""
