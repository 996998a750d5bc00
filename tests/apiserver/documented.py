"""Which commands of the documentation an API server without nodes can run: those of helm and kubectl on the charts."""

from e2e.pages import words

_NEEDS_PODS = {"helm": ("test",), "kubectl": ("wait", "get", "describe", "edit", "annotate")}
_PLACEHOLDERS = frozenset({"NAME", "ZONE", "NAMESPACE", "IMAGE"})


def runs_on_an_api_server(command: str) -> bool:
    """Whether it installs, upgrades, applies files of the repository or deletes, and asks for nothing that pods do."""
    program, *rest = words(command)
    if program == "python":
        return rest[:3] == ["-m", "core_controller", "release"] and not _PLACEHOLDERS & set(rest)
    if any("uninstall.release" in word for word in rest):  # a Job, whose end helm waits for
        return False
    if program not in _NEEDS_PODS or _PLACEHOLDERS & set(rest) or rest[0] in _NEEDS_PODS[program]:
        return False
    return program == "helm" or rest[0] == "delete" or any(word.startswith("charts/") for word in rest)
