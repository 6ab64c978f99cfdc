"""From what the user said or chose to its meaning. Nothing is stored or said here."""
