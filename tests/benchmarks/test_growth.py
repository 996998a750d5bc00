import pytest

from benchmarks.growth import exponent

SIZES = (100.0, 1000.0, 10000.0)


@pytest.mark.parametrize(
    ("figures", "wanted"),
    [
        ((7.0, 7.0, 7.0), 0.0),
        ((1.0, 10.0, 100.0), 1.0),
        ((3.0, 300.0, 30000.0), 2.0),
        ((100.0, 10.0, 1.0), -1.0),
        ((1.0, 10**0.5, 10.0), 0.5),
    ],
)
def test_the_exponent_is_that_of_the_power_law_that_made_the_figures(figures: tuple[float, ...], wanted: float) -> None:
    assert exponent(zip(SIZES, figures, strict=True)) == pytest.approx(wanted)


def test_a_single_slow_run_is_averaged_out() -> None:
    assert exponent([(100, 1), (100, 1), (100, 8), (10000, 1), (10000, 1), (10000, 8)]) == pytest.approx(0.0)


@pytest.mark.parametrize("points", [[], [(100.0, 1.0)], [(100.0, 1.0), (100.0, 2.0)]])
def test_growth_needs_two_sizes(points: list[tuple[float, float]]) -> None:
    with pytest.raises(ValueError, match="at least two sizes"):
        exponent(points)


@pytest.mark.parametrize("figure", [0.0, -1.0])
def test_a_figure_without_a_logarithm_is_refused(figure: float) -> None:
    with pytest.raises(ValueError, match="domain"):
        exponent([(10.0, figure), (100.0, 1.0)])
