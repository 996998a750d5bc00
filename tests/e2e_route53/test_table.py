import zlib

from e2e.route53.model import RecordSet
from e2e.route53.names import order
from e2e.route53.table import RecordTable


def put(table: RecordTable, *records: RecordSet) -> None:
    for record in records:
        table.replace(record.name, {**table.at(record.name), record.identity: record})


def record(name: str, type_: str = "A", identifier: str = "") -> RecordSet:
    return RecordSet(name, type_, 60, ("x",), set_identifier=identifier)


def test_ten_thousand_records_list_in_order_from_anywhere() -> None:
    names = [f"h{index}.g{index % 97}.example.com." for index in range(10_000)]
    names.sort(key=lambda name: zlib.crc32(name.encode()))
    table = RecordTable()
    put(table, *map(record, names))
    listed = [found.name for found in table.since()]
    assert listed == sorted(names, key=order)
    assert len(table) == 10_000
    assert [found.name for found in table.since(listed[5000], "A")] == listed[5000:]


def test_types_and_set_identifiers_sort_inside_a_name() -> None:
    table = RecordTable()
    put(table, record("a.com.", "TXT"), record("a.com.", "A", "b"), record("a.com.", "A", "a"), record("a.com.", "NS"))
    assert [found.identity for found in table.since()] == [("A", "a"), ("A", "b"), ("NS", ""), ("TXT", "")]
    assert next(table.since("a.com.", "A", "b")).identity == ("A", "b")


def test_a_start_between_names_begins_at_the_next_one() -> None:
    table = RecordTable()
    put(table, record("a.com."), record("c.com."))
    assert [found.name for found in table.since("b.com.", "TXT")] == ["c.com."]


def test_a_name_is_covered_while_something_is_at_or_below_it() -> None:
    table = RecordTable()
    put(table, record("x.y.com."))
    assert table.covers("y.com.")
    table.replace("x.y.com.", {})
    assert not table.covers("y.com.")
    assert len(table) == 0
