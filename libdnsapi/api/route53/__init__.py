"""The kinds and payloads of the Route 53 provider."""
