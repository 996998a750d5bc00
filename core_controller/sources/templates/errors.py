"""What can be wrong with a template. The texts are for the people who wrote it and hold none of the data's values."""


class TemplateError(Exception):
    """A template that cannot be used; `line` and `column` count from 1, and columns count characters."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        """Keep the sentence and the place; line 0 means no particular place."""
        self.message = message
        self.line = line
        self.column = column
        super().__init__(f"line {line}, column {column}: {message}" if line else message)


class ParseError(TemplateError):
    """The text is no template, or uses something that is not supported."""


class EvaluationError(TemplateError):
    """The template does not fit the data: a missing key, a wrong type."""


class LimitError(EvaluationError):
    """The evaluation took too many steps, or made too large a value."""
