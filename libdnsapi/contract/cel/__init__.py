"""CEL, the Kubernetes dialect: compile an expression once, evaluate it against plain JSON values.

`engine` is the narrow door; `interpreter` is the engine behind it by default. `syntax` reads, `compile` checks types
and builds closures, `functions` holds the libraries. An expression that needs a function which is not there, or whose
result has no static type, is refused when it is compiled and never when it runs.
"""

from libdnsapi.contract.cel.engine import CelEngine
from libdnsapi.contract.cel.interpreter import InterpretingEngine


def default_engine() -> CelEngine:
    """Return the engine that services use unless a setting says otherwise."""
    return InterpretingEngine()
