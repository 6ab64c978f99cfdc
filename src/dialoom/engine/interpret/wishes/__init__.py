"""What a sentence asks for as a whole, beside an answer too, and what is offered where that is not sure."""
