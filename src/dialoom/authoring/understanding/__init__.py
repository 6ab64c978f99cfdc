"""What an author sees of a bot's understanding: its types, one sentence tried, sentences of users that were missed."""
