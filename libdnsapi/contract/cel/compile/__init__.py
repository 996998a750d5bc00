"""From nodes to closures: every node becomes a function of the frame, with its static type beside it."""
