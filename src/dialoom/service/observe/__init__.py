"""What an operator sees of the service: metrics, logs and traces."""
