"""What ``dialoom doctor`` looks at: each file one part of a service. Nothing is changed, nothing waits for ever."""
