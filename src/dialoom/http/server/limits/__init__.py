"""Limits what one client may take: connections, requests a second and a day, and answers that it does not read."""
