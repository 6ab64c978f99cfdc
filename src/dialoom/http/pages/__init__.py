"""Pages that the server writes whole, as a card that needs no script: the card, the start page, refusals."""
