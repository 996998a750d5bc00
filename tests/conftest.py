"""What holds for all tests: examples that hypothesis makes up are the same everywhere, and may take their time.

`pytest --hypothesis-profile=search` looks for new ones instead, as many as ten times more.
"""

from hypothesis import HealthCheck, settings

_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
"""Nothing here measures time: a machine may be slow, or do other things meanwhile."""

settings.register_profile("same", _PATIENT, derandomize=True, database=None)
settings.register_profile("search", _PATIENT, max_examples=1000)
settings.load_profile("same")
