from e2e.soak.disturbances import Disturbance
from e2e.soak.effects import Effects


def nothing() -> None:
    pass


def disturbance(name: str, *, seen: bool, kind: str = "") -> Disturbance:
    return Disturbance(name, 1.0, nothing, nothing, lambda: seen, kind)


def test_a_kind_that_never_had_an_effect_is_missing() -> None:
    effects = Effects()
    effects.begun(disturbance("crash", seen=True))
    effects.begun(disturbance("throttle", seen=False))
    effects.look()

    assert effects.missing() == ["throttle"]
    assert effects.seen == {"crash"}


def test_one_that_was_seen_speaks_for_its_kind() -> None:
    effects = Effects()
    effects.begun(disturbance("freeze of a", seen=False, kind="freeze"))
    effects.begun(disturbance("freeze of b", seen=True, kind="freeze"))
    effects.look()

    assert effects.missing() == []
