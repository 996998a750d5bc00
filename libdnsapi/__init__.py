"""What the three services share: wire models, DNS semantics, the Provider contract and the Kubernetes runtime.

It is not a framework: it knows no controller, no provider and no webhook rule.
"""
