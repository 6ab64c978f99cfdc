"""Recognises what a whole sentence means: features, training, classifier, confidence, and a report on each value."""
