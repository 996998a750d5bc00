"""Bad days, at random and replayable: claims come and go while services, API server and AWS misbehave.

`python -m e2e.soak --minutes 30 [--seed N]`. Afterwards what is desired equals what Route 53 holds, every Zone has one
hosted zone, and nothing else is left (`verdict`). A seed decides what is done and in which order; timing is the
machine's.
"""
