from benchmarks.etcd import BYTES, PAIRS, chunks


def test_a_transaction_holds_no_more_pairs_than_etcd_takes() -> None:
    sizes = [len(chunk) for chunk in chunks((str(n), b"x") for n in range(2 * PAIRS + 1))]
    assert sizes == [PAIRS, PAIRS, 1]


def test_a_transaction_holds_no_more_bytes_than_etcd_takes() -> None:
    value = b"x" * (BYTES // 2 - 1)
    sizes = [len(chunk) for chunk in chunks((str(n), value) for n in range(5))]
    assert sizes == [2, 2, 1]


def test_a_value_that_is_too_large_for_company_goes_alone() -> None:
    assert [len(chunk) for chunk in chunks([("a", b"x"), ("b", b"x" * BYTES), ("c", b"x")])] == [1, 1, 1]


def test_nothing_is_no_transaction() -> None:
    assert list(chunks([])) == []
