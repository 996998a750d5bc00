"""A service's command line: options, else environment variables, else defaults, become its settings.

What is wrong is told in one line for each option, without the values, which may be secret; help is written in the words
in which options are typed, not in those of Python.
"""

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar, get_origin

from pydantic import ValidationError
from pydantic_settings import BaseSettings, CliSettingsSource, SettingsError

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

S = TypeVar("S", bound=BaseSettings)
A = TypeVar("A", bound=argparse.Action)

USAGE_ERROR = 2
_KINDS: Mapping[str, str] = {
    "str": "TEXT",
    "int": "NUMBER",
    "float": "NUMBER",
    "timedelta": "DURATION",
    "{Path,None}": "FILE",
    "tuple[str,...]": "A,B,...",
    "dict[str,str]": "NAME=VALUE",
}
"""How kinds of values are called in the help, by how they are called in Python."""
_FIELD = re.compile(r'(?:field|encountered for) "?([a-z][a-z0-9_]+)')
"""How the library names what it cannot take apart; the rest of what it says is about Python."""
_UNITS = (("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1))


def run_with(settings: type[S], arguments: Sequence[str], run: Callable[[S], int]) -> int:
    """Read the settings and return the exit status of `run`, or 2 after telling on stderr what cannot be read.

    Options that are not known end the process with a usage message, as `--help` does.
    """
    parser = _Parser(settings)
    try:
        options = CliSettingsSource[S](settings, root_parser=parser)
        read = settings(_cli_settings_source=options(args=list(arguments)))
    except (ValidationError, SettingsError) as error:
        sys.stderr.writelines(f"{parser.prog}: {line}\n" for line in _problems(settings, error))
        return USAGE_ERROR
    return run(read)


def duration_text(duration: timedelta) -> str:
    """Write a duration as it is typed: `1m30s`, `100ms`, `0s`."""
    left = round(duration.total_seconds() * 1000)
    parts = []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"


class _Parser(argparse.ArgumentParser):
    """Explains each option for people."""

    def __init__(self, settings: type[BaseSettings]) -> None:
        self._fields: Mapping[str, FieldInfo] = settings.model_fields
        prefix = settings.model_config.get("env_prefix") or ""
        super().__init__(
            prog=settings.model_config.get("cli_prog_name"),
            usage="%(prog)s [OPTION ...]",
            description=settings.__doc__,
            epilog=f"Without an option its environment variable counts: --log-level is {prefix}LOG_LEVEL, and so on; "
            "--kubeconfig is KUBECONFIG.",
            allow_abbrev=False,
        )

    def _add_action(self, action: A) -> A:
        """Take in an option, its kind and default in people's words."""
        field = self._fields.get(action.dest)
        if field is not None:
            default = _default_text(field.default)
            action.help = f"{field.description} (default: {default})" if default else field.description
            action.help = (action.help or "").replace("%", "%%")
        if isinstance(action.metavar, str):
            action.metavar = _KINDS.get(action.metavar, action.metavar)
        return super()._add_action(action)


def _default_text(default: object) -> str:
    """Write a default as it is typed, nothing for none."""
    match default:
        case bool():
            return "on" if default else "off"
        case timedelta():
            return duration_text(default)
        case tuple():
            return ",".join(map(str, default))
        case str() | int() | float():
            return str(default)
        case _:
            return ""


def _problems(settings: type[BaseSettings], error: ValidationError | SettingsError) -> Sequence[str]:
    if isinstance(error, SettingsError):
        named = _FIELD.search(str(error))
        return (_not_taken_apart(settings, "" if named is None else named[1]),)
    found = [(".".join(map(str, problem["loc"])), problem["msg"]) for problem in error.errors()]
    lines = [(name.replace("_", "-"), text.removeprefix("Value error, ")) for name, text in found]
    return [f"--{name}: {text}" if name else text for name, text in lines]


def _not_taken_apart(settings: type[BaseSettings], name: str) -> str:
    """Say how the value of a field is written that has parts."""
    field = settings.model_fields.get(name)
    if field is None:
        return "a list or map among the options or environment variables cannot be taken apart"
    is_list = get_origin(field.annotation) is tuple
    form = 'A,B,... or ["A", "B"]' if is_list else 'NAME=VALUE, in an environment variable {"NAME": "VALUE"}'
    return f"--{name.replace('_', '-')}: must be {form}"
