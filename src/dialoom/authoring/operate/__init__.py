"""Does what those who run bots ask for in the terminal and in the studio: checks channels with their platforms, tells
which keys there are."""
