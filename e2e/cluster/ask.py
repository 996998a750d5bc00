"""`python -m e2e.cluster.ask <kubeconfig> ready|node`: a question to the API server, from inside its namespace."""

import sys
from pathlib import Path

from e2e.conditions import has_condition
from e2e.kube import Kube


def main(kubeconfig: str, question: str) -> int:
    """Print True or False."""
    kube = Kube(Path(kubeconfig))
    answer = kube.ready() if question == "ready" else _node_is_ready(kube)
    print(answer)
    return 0


def _node_is_ready(kube: Kube) -> bool:
    return any(has_condition(node, "Ready") for node in kube.list("v1", "Node"))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
