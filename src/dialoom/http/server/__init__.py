"""Runs the HTTP server below the endpoints: connections and their limits, reading a request, writing an answer."""
