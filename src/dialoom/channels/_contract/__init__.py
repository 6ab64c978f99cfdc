"""Holds what all channels share: their protocol, the limits of what comes in, what fits into what goes out, picker
pages."""
