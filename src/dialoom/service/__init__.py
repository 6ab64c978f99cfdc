"""Runs the service: takes events in each user's order, runs turns, does what they ask for, stores the result."""
