"""The part of Go's text/template that target-from and fqdn templates use (seed 001; sources page, target-from).

Actions, pipelines, variables, if/else/with/range/break/continue/end, the comparison and logic functions, index, slice,
len, print, printf, println and the seed's functions. Not: define, template, block, call, html, js, urlquery, methods.
What is not supported is a parse error with its position. Every evaluation is bounded in steps, in the size of every
value and of the output. Pure. Expected outputs of the tests come from Go itself.
"""

from core_controller.sources.templates.errors import EvaluationError, LimitError, ParseError, TemplateError
from core_controller.sources.templates.evaluation import MissingKey
from core_controller.sources.templates.template import Template, parse

__all__ = ["EvaluationError", "LimitError", "MissingKey", "ParseError", "Template", "TemplateError", "parse"]
