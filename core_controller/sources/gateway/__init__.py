"""Routes of the Gateway API (seed 003): which Gateways and listeners a route is attached to, and under which names."""
