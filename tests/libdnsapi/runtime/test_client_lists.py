"""How the client reads lists, however large one page of them is."""

import asyncio
import json

from libdnsapi.runtime.client import read_page
from libdnsapi.runtime.clock import BATCH


async def test_reading_a_list_that_is_one_page_lets_other_tasks_have_their_turn() -> None:
    items = [{"metadata": {"name": f"w{number}", "resourceVersion": "1"}} for number in range(3 * BATCH)]
    body = json.dumps({"metadata": {"resourceVersion": "7"}, "items": items}).encode()
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    beside = asyncio.create_task(others())
    page = await read_page(body)
    beside.cancel()
    assert len(page.items) == 3 * BATCH
    assert turns >= 1
