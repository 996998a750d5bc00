"""Decides about an identity: `acceptance` from the spec alone, `readiness` from the live check, `status` from both."""
