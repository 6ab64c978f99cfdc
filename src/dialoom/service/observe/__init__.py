"""What an operator sees of the service: metrics, logs and traces. Nothing here knows a chat or a turn."""
