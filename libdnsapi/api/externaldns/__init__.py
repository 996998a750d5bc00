"""The kinds of the group externaldns.k8s.io that this project reads and serves (seed 000, ExternalDNS's own CRD)."""
