"""Admission rules, one kind a file: pure functions of a review and a frozen snapshot of what else is known.

No rule asks the cluster, the clock or chance. What one object alone decides is refused; what needs another object
that may still come is left to the controllers (provider-contract, "Admission").
"""
