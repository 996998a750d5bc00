from pathlib import Path

import pytest

from e2e.pages import commands, inline, manifests

PAGE = """# Page

Run `make check`, or `KEEP=1 make
demo`; `kubectl` alone is a word, and `spec.name` is none.

    make demo     # from nothing
    helm install one charts/one \\
      --set a=b

1. In a list:

       kubectl get pods

    $ kubectl get rset
    NAME   ZONE

```yaml
apiVersion: v1
kind: Namespace
metadata: {name: team-a}
```

```yaml
global: {image: {}}
```

```sh
make last
```
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.md"
    file.write_text(PAGE)
    return file


def test_commands_come_in_order_with_their_continued_lines_and_without_comments_and_output(page: Path) -> None:
    assert commands(page) == [
        "make demo",
        "helm install one charts/one --set a=b",
        "kubectl get pods",
        "kubectl get rset",
        "make last",
    ]


def test_commands_in_sentences_are_found_even_where_a_line_ends(page: Path) -> None:
    assert inline(page) == ["make check", "KEEP=1 make demo"]


def test_manifests_are_the_kubernetes_objects_alone(page: Path) -> None:
    assert [one["kind"] for one in manifests(page)] == ["Namespace"]
