"""Splits JSON that is nested deeper than parsers go, without recursion: slow, and seldom needed.

The API server stores what is nested a thousand levels deep and more, such as the `options` of a RecordSet. One such
object must not keep the others of its list from being read.
"""

import re
from collections.abc import Iterator

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"|[][{},]', re.DOTALL)
_NESTING = re.compile(rb'"(?:[^"\\]|\\.)*+"|[][{}]', re.DOTALL)
_DEEPER = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_COMMA = ord(",")


def members(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and the value of each member of a JSON object, both as they are written.

    Of the text nothing is checked but that it is an object that ends; raises ValueError where it is not.
    """
    for part in _parts(body, b"{"):
        name = _TOKEN.match(part)
        rest = part[name.end() :].lstrip() if name is not None else b""
        if name is None or not rest.startswith(b":"):
            raise ValueError("not a member of a JSON object")
        yield name.group(), rest[1:].strip()


def elements(body: bytes) -> Iterator[bytes]:
    """Yield the elements of a JSON array as they are written; raises ValueError where it is no array that ends."""
    return _parts(body, b"[")


def _parts(body: bytes, bracket: bytes) -> Iterator[bytes]:
    """Yield what stands between the commas of the outermost level."""
    text = body.strip()
    if not text.startswith(bracket):
        raise ValueError("not the JSON that was expected")
    depth, start, at = 0, 1, 0
    while (token := (_TOKEN if depth == 1 else _NESTING).search(text, at)) is not None:
        sign, at = text[token.start()], token.end()
        depth += _DEEPER.get(sign, 0)
        if depth == 0 or (depth == 1 and sign == _COMMA):
            part, start = text[start : token.start()].strip(), at
            if part:
                yield part
        if depth == 0:
            return
    raise ValueError("JSON that does not end")
