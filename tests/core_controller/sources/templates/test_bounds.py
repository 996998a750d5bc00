"""No template, however it is written, takes long or grows large; and nothing but TemplateError comes out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core_controller.sources.templates import LimitError, ParseError, TemplateError, parse
from core_controller.sources.templates.values import MAX_OUTPUT
from tests.yardstick import least_seconds

DATA = {"a": ["x" * 100] * 200, "s": "y" * 60_000, "n": 7, "m": {"k": {"k": {"k": "v"}}}, "null": None}
PIECES = st.sampled_from(
    [
        *(
            "{{",
            "}}",
            "{{- ",
            " -}}",
            " ",
            "|",
            "(",
            ")",
            ",",
            ":=",
            "=",
            ".",
            "$",
            "$x",
            '"a"',
            "`b`",
            "'c'",
            "1",
            "-2.5",
        ),
        *(".a", ".s", ".n", ".m.k", ".null", "{{end}}", "{{else}}", "{{if .a}}", "{{range .a}}", "{{with .s}}"),
        *("{{range 999}}", "{{break}}", "{{continue}}", "{{ $x := .s }}", "{{ $x = print $x $x }}", "{{ .s }}"),
        *("printf", "print", "len", "index", "replace", "eq", "lt", "and", "or", "not", "fromJson", "toLower", "text"),
        *('"%999999999d"', '"%*d"', '"%s%s%s%s"', "slice", "nil", "true", "/* c */", "\n", "é"),
    ]
)

TOO_MUCH = [
    "{{ range .a }}{{ range $.a }}{{ range $.a }}x{{ end }}{{ end }}{{ end }}",
    "{{ range 1000000000 }}{{ end }}",
    '{{ printf "%1000000d" 1 }}',
    '{{ printf "%.1000000f" 1.5 }}',
    '{{ printf "%*d" 1000000 1 }}',
    '{{ replace "y" "zzzz" .s }}',
    "{{ print .s .s }}",
    "{{ .s }}{{ .s }}",
    "{{ $x := .s }}{{ range 20 }}{{ $x = print $x $x }}{{ end }}",
    "{{ range 200 }}{{ toLower $.s }}{{ end }}",
    "{{ range .a }}{{ $.a }}{{ end }}",
    '{{ $x := "ab" }}{{ range 64 }}{{ $x = replace "a" "aa" $x }}{{ end }}',
]


@pytest.mark.parametrize("source", TOO_MUCH)
@pytest.mark.spec("TF-BE-027")
def test_too_much_work_or_too_large_a_value_ends_in_a_limit_error(source: str) -> None:
    with pytest.raises(LimitError):
        parse(source).render(DATA)


@pytest.mark.parametrize("source", TOO_MUCH)
@pytest.mark.spec("TF-BE-027")
def test_the_bounds_are_reached_within_fifty_milliseconds(source: str) -> None:
    """Processor time, by the pace of the machine."""
    template = parse(source)

    def reach() -> None:
        with pytest.raises(LimitError):
            template.render(DATA)

    assert least_seconds(reach, 0.05) < 0.05


@pytest.mark.parametrize("source", ["(" * 5000, "{{" + "(" * 200 + "1" + ")" * 200 + "}}", "{{if 1}}" * 100])
@pytest.mark.spec("TF-BE-028")
def test_deep_nesting_is_refused(source: str) -> None:
    with pytest.raises(ParseError):
        parse(source if "{{" in source else "{{" + source)


@pytest.mark.spec("TF-BE-028")
def test_a_long_template_is_refused() -> None:
    with pytest.raises(ParseError):
        parse("x" * 20_000)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join))
@pytest.mark.spec("TF-BE-028")
def test_any_text_gives_a_bounded_output_or_a_template_error(source: str) -> None:
    try:
        output = parse(source).render(DATA)
    except TemplateError:
        return
    assert len(output.encode()) <= MAX_OUTPUT


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60).map(lambda text: "{{" + text + "}}"))
@pytest.mark.spec("TF-BE-028")
def test_any_action_gives_a_bounded_output_or_a_template_error(source: str) -> None:
    try:
        output = parse(source).render(DATA)
    except TemplateError:
        return
    assert len(output.encode()) <= MAX_OUTPUT
