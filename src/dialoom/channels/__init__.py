"""One file a channel: two translations, what comes in to an ``Arrival`` and what a bot says to the channel's form."""
