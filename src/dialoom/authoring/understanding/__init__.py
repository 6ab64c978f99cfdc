"""What an author sees of a bot's understanding: one sentence tried, sentences of users that were missed."""
