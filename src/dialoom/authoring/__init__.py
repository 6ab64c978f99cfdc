"""Holds what a bot's author works with, in the terminal and in the studio: tests, talks that can go back."""
