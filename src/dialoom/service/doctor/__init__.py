"""What ``dialoom doctor`` examines, a file for each part of a service; it changes nothing."""
