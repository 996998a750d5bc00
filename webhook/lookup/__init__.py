"""What the cluster knows beside the reviewed object: caches, gathered into one frozen snapshot per review."""
