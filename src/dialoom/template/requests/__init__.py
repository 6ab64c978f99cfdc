"""Templates in calls of data sources: address, headers, payload and selector. The call itself is left to ``data``."""
