"""Texts that people read on terminals and in logs: what users wrote stands in them and must not act there."""


def printable(text: str) -> str:
    r"""Return the text with every unprintable character written as an escape such as \x1b or \u202e.

    Control characters can move a terminal's cursor and make up lines of a log; bidirectional marks (Unicode TR 36)
    show a name other than it is. Spaces stay, line breaks do not.
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escaped(character) for character in text)


def _escaped(character: str) -> str:
    return ascii(character)[1:-1]
