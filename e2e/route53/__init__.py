"""A Route 53 and STS emulator for tests: XML wire, in-memory zones, scripted faults, a small DNS port.

It is strict where the real service is strict (batches, values, limits, idempotency), so that a controller which passes
here does not meet a rule for the first time in production. It is not a general AWS emulator, checks no signatures,
persists nothing and never ships in an image. Behaviour follows the Route 53 API reference (API version 2013-04-01) and
the developer guide.

Layout: pure rules (`names`, `rdata`, `changes`, `lookup`, `limits`, `wire`, `xml`) below the state (`table`, `state`),
the API `actions` on top of it, and around them the HTTP `pipeline`, the `control` API and the DNS port.
"""
