"""What becomes of a value that was found for a question: validating it, storing it, and what its change drops."""
