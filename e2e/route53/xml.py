"""Small XML writing and reading: string formatting (pages of 300 record sets must be cheap) and ElementTree."""

from typing import Final
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from e2e.route53.errors import invalid_input

NAMESPACE: Final = "https://route53.amazonaws.com/doc/2013-04-01/"
_PROLOGUE: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'


def element(name: str, content: str | int) -> str:
    """Write one element around text, which is escaped."""
    return f"<{name}>{escape(str(content))}</{name}>"


def wrap(name: str, *children: str) -> str:
    """Write one element around written elements."""
    return f"<{name}>{''.join(children)}</{name}>"


def optional(name: str, content: str | int | None) -> str:
    """Write one element, or nothing for None and empty text."""
    return "" if content is None or content == "" else element(name, content)


def boolean(name: str, *, value: bool) -> str:
    """Write `true` or `false`."""
    return f"<{name}>{'true' if value else 'false'}</{name}>"


def document(name: str, *children: str, namespace: str = NAMESPACE) -> str:
    """Write a whole answer."""
    return f'{_PROLOGUE}<{name} xmlns="{namespace}">{"".join(children)}</{name}>'


class Reader:
    """One element of a request, addressed by child names without namespace."""

    def __init__(self, root: ET.Element) -> None:
        """Read from this element."""
        self._root = root

    @classmethod
    def parse(cls, body: bytes) -> "Reader":
        """Read a request body. Raises AwsError InvalidInput."""
        try:
            root = ET.fromstring(body)  # noqa: S314 — loopback test tool, its only clients are our own tests
        except ET.ParseError as error:
            raise invalid_input(f"Invalid XML ; {error}") from None
        for node in root.iter():
            node.tag = node.tag.rpartition("}")[2]
        return cls(root)

    def text(self, path: str, default: str = "") -> str:
        """Return the text below a path of child names."""
        found = self._root.find(path)
        return default if found is None else (found.text or "")

    def has(self, path: str) -> bool:
        """Whether there is such an element."""
        return self._root.find(path) is not None

    def child(self, path: str) -> "Reader | None":
        """Return the element at a path."""
        found = self._root.find(path)
        return None if found is None else Reader(found)

    def children(self, path: str) -> "list[Reader]":
        """Return all elements at a path."""
        return [Reader(found) for found in self._root.findall(path)]

    def content(self) -> str:
        """Return the element's own text."""
        return self._root.text or ""

    def fields(self) -> tuple[tuple[str, str], ...]:
        """Return names and texts of the direct children, in their order."""
        return tuple((child.tag, child.text or "") for child in self._root)
