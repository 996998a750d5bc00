"""Helm for rendering the charts: an installed one, or one built from its pinned Go module into the cache."""

from e2e.helm.binary import HelmMissingError, find_helm

__all__ = ["HelmMissingError", "find_helm"]
