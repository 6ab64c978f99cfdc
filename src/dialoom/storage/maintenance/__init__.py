"""What an operator does with a whole database beside a running service: back it up, give its free space back.

Rows of one person or one bot are for the stores.
"""
