"""Values of a message: which question takes which, which are denied or no corrections; reading them is below."""
