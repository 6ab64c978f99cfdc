"""The one place that waits: takes events in each user's order, runs turns, does what they ask for, keeps the result."""
