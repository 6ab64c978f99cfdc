"""Web and mobile: the sessions, messages and events of our own chat page and widget. Their endpoints are
``http.chat.web``'s."""
