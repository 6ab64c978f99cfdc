"""Several processes on one store: who runs which chat, what they tell each other, and work that one of them does for
all.
"""
