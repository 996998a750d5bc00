"""What the documentation tells people to type, and the manifests that it shows; tests run both."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from e2e.kube import Document, load_documents

_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_SHELL = frozenset({"", "sh", "bash", "console"})
_INDENTED = 4
_PROGRAM = re.compile(r"(\w+=\S+ )?(make|kubectl|helm|python -m|docker|kind) \S")
_COMMENT = re.compile(r"\s{2,}# .*$")


def commands(page: Path) -> list[str]:
    """Return the command lines of a page's code blocks in their order, continued lines joined, comments left out.

    In a block with `$ ` prompts only those lines are commands, what stands below them is output.
    """
    found: list[str] = []
    for block in _blocks(page.read_text()):
        prompted = [line[2:] for line in block if line.startswith("$ ")]
        found += prompted or _joined(block)
    return [_COMMENT.sub("", command).strip() for command in found if not command.startswith("#")]


def inline(page: Path) -> list[str]:
    """Return the commands that stand in a page's sentences, as `make`, `kubectl`, `helm` and `python -m` ones."""
    text = _FENCE.sub("", page.read_text())
    found = (" ".join(code.split()) for code in re.findall(r"`([^`]+)`", text))
    return [code for code in found if _PROGRAM.match(code)]


def manifests(page: Path) -> list[Document]:
    """Return the Kubernetes objects of a page's YAML blocks; values files and fragments are left out."""
    texts = [fence["text"] for fence in _FENCE.finditer(page.read_text()) if fence["language"] == "yaml"]
    documents = [one for text in texts for one in load_documents(text)]
    return [one for one in documents if {"apiVersion", "kind"} <= one.keys()]


def words(command: str) -> list[str]:
    """Split a command as a shell does; variables in front of it are words too."""
    return shlex.split(command)


def _blocks(text: str) -> Iterator[list[str]]:
    """Yield the lines of each block of code that is no other language's, without their indentation."""
    pieces: list[tuple[int, list[str]]] = [
        (fence.start(), _dedented(fence["text"].splitlines(), len(fence["indent"])))
        for fence in _FENCE.finditer(text)
        if fence["language"] in _SHELL
    ]
    plain = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text)
    offset = 0
    block: list[str] = []
    for line in [*plain.splitlines(), ""]:
        if len(line) - len(line.lstrip()) >= _INDENTED:
            block.append(line.strip())
        elif block:
            pieces.append((offset, block))
            block = []
        offset += len(line) + 1
    return iter([lines for _, lines in sorted(pieces, key=lambda piece: piece[0])])


def _dedented(lines: list[str], indent: int) -> list[str]:
    return [line[indent:] for line in lines if line.strip()]


def _joined(lines: list[str]) -> list[str]:
    """Join lines that end in a backslash with the next one."""
    return re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()
