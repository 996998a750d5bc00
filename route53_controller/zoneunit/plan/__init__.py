"""What a pass decides: pure functions from a snapshot and an observation to a Plan. No I/O, clock or randomness."""
