"""Shows the service to its operator: metrics, logs and traces. Nothing here knows a chat or a turn."""
