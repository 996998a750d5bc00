"""What the cluster keeps on the disk, and how it goes."""

from pathlib import Path

import pytest

from e2e.cluster.images import remove
from e2e.cluster.layout import Layout
from e2e.cluster.programs import ClusterError


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    found = Layout(tmp_path / "cluster")
    for folder in (found.directory / "pki", found.storage / "podman"):
        folder.mkdir(parents=True)
    (tmp_path / "e2e").mkdir()
    return found


def test_the_disk_is_freed_of_the_cluster_alone(layout: Layout, tmp_path: Path) -> None:
    assert remove(layout) == [layout.directory, layout.storage]
    assert [path.name for path in tmp_path.iterdir()] == ["e2e"]
    assert remove(layout) == []


def test_nothing_is_removed_through_a_mount(layout: Layout, tmp_path: Path) -> None:
    table = tmp_path / "mounts"
    table.write_text(f"proc /proc proc rw 0 0\noverlay {layout.storage}/podman/merged overlay rw 0 0\n")

    with pytest.raises(ClusterError, match="is still mounted"):
        remove(layout, table)

    assert layout.directory.exists()
    assert layout.storage.exists()


def test_paths_that_must_be_short_are_short_however_deep_the_directory_lies(tmp_path: Path) -> None:
    deep = Layout(tmp_path.joinpath(*["a-folder-with-a-long-name"] * 8, "cluster"))
    assert len(str(deep.runtime / "podman")) <= 50
    assert len(str(deep.socket)) <= 107
    assert deep.runtime != Layout(tmp_path / "cluster").runtime
