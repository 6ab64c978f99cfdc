"""A chat at work: takes its events in their order, runs a turn for each, and writes down what it brought. Who owns a
chat among several processes is left to ``cluster``.
"""
