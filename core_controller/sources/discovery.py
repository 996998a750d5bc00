"""Follows which kinds the cluster serves and has the watches follow."""

import asyncio
from collections.abc import Callable
from typing import Any

from core_controller.sources.installed import CustomResourceDefinition, KindTable, kind_table
from core_controller.sources.watches import Watch
from libdnsapi.runtime.informer import Informer


class Discovery:
    """The runnable that turns changes of CustomResourceDefinitions into watches that start and stop."""

    def __init__(
        self,
        definitions: Informer[CustomResourceDefinition],
        watches: list[Watch[Any]],
        changed: Callable[[KindTable], None],
    ) -> None:
        """Keep the parts; `changed` hears of every new table."""
        self.table = KindTable()
        self._definitions = definitions
        self._watches = watches
        self._changed = changed
        self._news = asyncio.Event()
        definitions.add_listener(lambda _: self._news.set())

    @property
    def done(self) -> bool:
        """Whether the watches follow a complete list of what is served."""
        return self._definitions.synced.is_set() and not self._news.is_set()

    async def run(self) -> None:
        """Follow until cancelled."""
        await self._definitions.synced.wait()
        self._news.set()
        while True:
            await self._news.wait()
            self._refresh()
            self._news.clear()

    def _refresh(self) -> None:
        store = self._definitions.store
        keys = store.keys()
        table = kind_table(one for key in keys if (one := store.get(key)) is not None)
        for watch in self._watches:
            watch.follow(table)
        if table != self.table:
            self.table = table
            self._changed(table)
