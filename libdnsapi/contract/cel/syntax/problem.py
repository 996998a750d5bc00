"""The error that ends a compilation."""


class CompileError(Exception):
    """An expression is refused; `position` is the offset of the first wrong character."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position
        self.message = message
