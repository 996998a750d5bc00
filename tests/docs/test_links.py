import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(one for folder in ("docs", "charts", "examples") for one in (ROOT / folder).rglob("*.md"))]
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_files_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", page.read_text())

    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_page_of_the_menu_exists() -> None:
    menu = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]
    pages = re.findall(r"[\w/-]+\.md", yaml.safe_dump(menu))

    assert [page for page in pages if not (ROOT / "docs" / page).exists()] == []
