"""Options of a question: which they are, the messages that show them, and which of them the user chose."""
