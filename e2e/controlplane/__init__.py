"""A real control plane without a node: etcd, kube-apiserver and kube-controller-manager on the loopback address.

What it is not: a cluster. No scheduler, no kubelet, no Services; a webhook is reached by URL. Everything that it
writes lies under one directory, so several instances run side by side.
"""

from e2e.controlplane.binaries import Binaries, BinariesMissingError, find_binaries
from e2e.controlplane.plane import ControlPlane, ControlPlaneError

__all__ = ["Binaries", "BinariesMissingError", "ControlPlane", "ControlPlaneError", "find_binaries"]
