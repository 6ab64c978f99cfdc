"""What ``dialoom doctor`` examines, a file for each part of a service. It changes nothing and waits for nothing
without a limit.
"""
