"""A real cluster of one node without Docker, for the charts and images: pods, probes, Services, rolling updates.

Everything runs in one network namespace of its own, which no packet leaves, and under one directory. It takes root, and
on Debian the packages of `PACKAGES`; Kubernetes comes from its Go modules. `python -m e2e.cluster up`, then `images`,
`install` and `suite`; `down` ends only what was started. What it is not: a cluster to keep anything in.
"""

PACKAGES = ("containerd", "runc", "containernetworking-plugins", "podman", "debootstrap", "nftables", "iproute2")
