"""Direct Line 3.0: activities of Bot Framework clients, such as Web Chat, read as events; messages as activities."""
