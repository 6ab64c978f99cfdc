"""Replies to a yes-or-no question: yes or no, what is changed, which questions are named."""
