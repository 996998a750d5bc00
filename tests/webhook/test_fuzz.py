"""Nothing that anybody sends makes the webhook fail or busy: very many strange requests.

Takes several seconds by its nature; the same with fewer requests stands in test_bounds.py.
"""

import os

from tests.webhook.storms import storm

REQUESTS = int(os.environ.get("DNSAPI_FUZZ_REQUESTS", "20000"))
"""How many requests are made up; the environment may ask for more."""


async def test_very_many_strange_requests_get_a_clear_answer_each() -> None:
    await storm(seed=20261129, requests=REQUESTS)
