"""Keys, secrets and signatures: seals what is kept, hashes tokens, signs what browsers bring back."""
