"""A parsed template: made once, rendered with any data."""

from functools import lru_cache, partial

from core_controller.sources.templates.evaluation import Evaluation, MissingKey
from core_controller.sources.templates.functions import NAMES
from core_controller.sources.templates.lexer import position
from core_controller.sources.templates.nodes import Node
from core_controller.sources.templates.parser import parse_nodes
from core_controller.sources.templates.values import Value

PARSED_TEMPLATES = 1024


class Template:
    """A template that parsed."""

    def __init__(self, source: str, nodes: tuple[Node, ...]) -> None:
        """Keep the source, to say where an evaluation failed, and the nodes."""
        self.source = source
        self._nodes = nodes

    def render(self, data: Value, missing: MissingKey = MissingKey.ERROR) -> str:
        """Return the output over JSON data.

        Raises EvaluationError where template and data do not fit, LimitError where it takes too many steps or
        makes a value or an output of more than 64 KiB.
        """
        return Evaluation(data, missing, partial(position, self.source)).run(self._nodes)


@lru_cache(maxsize=PARSED_TEMPLATES)
def parse(source: str) -> Template:
    """Parse a template; raises ParseError with line and column."""
    return Template(source, parse_nodes(source, NAMES))
