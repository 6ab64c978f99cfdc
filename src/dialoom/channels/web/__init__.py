"""Web and mobile: the sessions, messages and events of our own chat page and widget. Endpoints: ``http.chat.web``."""
