"""`python -m core_controller release`: let go of a namespace's objects, after saying what stays at the provider.

For the day when controllers are uninstalled, or a ledger can no longer be served: removing our finalizers lets the
objects be deleted, and nothing at the provider is touched (beyond-the-seeds 11).
"""

import asyncio
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, RecordSetItemStatus, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey, PartialObject, ResourceType
from libdnsapi.api.names import (
    RECORDSET_FINALIZER,
    ROUTE53_IN_USE_FINALIZER,
    ROUTE53_ZONEUNIT_FINALIZER,
    ZONE_FINALIZER,
    ZONEUNIT_FINALIZER,
)
from libdnsapi.api.printable import printable
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES
from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.connection import connect
from libdnsapi.runtime.errors import DnsapiError, ForbiddenError, NotFoundError, describe
from libdnsapi.runtime.kubernetes import Kubernetes

OURS = frozenset(
    {
        ZONE_FINALIZER,
        RECORDSET_FINALIZER,
        ZONEUNIT_FINALIZER,
        ROUTE53_ZONEUNIT_FINALIZER,
        ROUTE53_IN_USE_FINALIZER,
    }
)
RELEASED: tuple[ResourceType, ...] = (
    RECORD_SETS,
    ZONES,
    ZONE_UNIT_SLICES,
    ZONE_UNITS,
    ZONE_CLASSES,
    ROUTE53_IDENTITIES,
)
"""In the order of release: claims first, so that no controller that still runs puts them into a ledger again."""

T = TypeVar("T", bound=KubernetesObject)


@dataclass(frozen=True, slots=True)
class Remainder:
    """What a unit leaves at its provider."""

    unit: ObjectKey
    domain: str
    data: JsonObject
    record_sets: int


@dataclass(frozen=True, slots=True)
class Held:
    """An object with finalizers of ours."""

    resource: ResourceType
    key: ObjectKey
    resource_version: str
    others: tuple[str, ...]
    """The finalizers that stay, because they are not ours."""


def held_objects(resource: ResourceType, objects: Iterable[KubernetesObject]) -> list[Held]:
    """Return those objects that we hold, by key."""
    return [
        Held(
            resource,
            found.key,
            found.metadata.resource_version,
            tuple(name for name in found.metadata.finalizers if name not in OURS),
        )
        for found in sorted(objects, key=lambda found: found.key)
        if OURS & set(found.metadata.finalizers)
    ]


def remainders(units: Sequence[ZoneUnit], slices: Sequence[ZoneUnitSlice], namespace: str) -> list[Remainder]:
    """Return what a namespace (empty: all) leaves at the providers: zones with public data, and how many record sets.

    A unit of another namespace is in it with the record sets that this one's claims have there.
    """
    found = []
    for unit in sorted(units, key=lambda unit: unit.key):
        pieces = [unit.status.record_sets, *(s.status.record_sets for s in slices if s.unit_key == unit.key)]
        output = unit.status.zone.provider if unit.status.zone is not None else None
        data = (output.data if output is not None else None) or {}
        own = namespace in ("", unit.key.namespace)
        programmed = [status for piece in pieces for status in piece if _is_programmed(status)]
        count = sum(own or status.record_set_namespace == namespace for status in programmed)
        if own or count:
            found.append(Remainder(unit.key, unit.spec.zone.domain_name, data, count))
    return found


def _is_programmed(status: RecordSetItemStatus) -> bool:
    return status.provider is not None and bool(status.provider.state) and not status.deletion_completed


async def release(client: Kubernetes, held: Sequence[Held]) -> int:
    """Remove our finalizers and return how many objects were released; raises ConflictError where one has changed."""
    released = 0
    for each in held:
        patch: JsonObject = {
            "metadata": {"resourceVersion": each.resource_version, "finalizers": list(each.others) or None}
        }
        try:
            await client.merge_patch(each.resource, each.key, patch)
        except NotFoundError:
            continue
        released += 1
    return released


async def listed(client: Kubernetes, resource: ResourceType, model: type[T], namespace: str) -> list[T]:
    """Return all objects of a kind in a namespace (empty: in all); none where the kind is not installed."""
    found: list[T] = []
    token = ""
    while True:
        try:
            page = await client.list_page(resource, namespace=namespace, continue_token=token)
        except NotFoundError:
            return []
        found.extend(model.model_validate_json(item.raw) for item in page.items)
        token = page.continue_token
        if not token:
            return found


async def survey(client: Kubernetes, namespace: str) -> tuple[list[Held], list[Remainder]]:
    """Return what is held in a namespace, in the order of release, and what stays at the providers."""
    held: list[Held] = []
    for resource in RELEASED:
        held.extend(held_objects(resource, await listed(client, resource, PartialObject, namespace)))
    try:
        units = await listed(client, ZONE_UNITS, ZoneUnit, "")
        slices = await listed(client, ZONE_UNIT_SLICES, ZoneUnitSlice, "")
    except ForbiddenError:  # who may see one namespace alone is told of that one
        units = await listed(client, ZONE_UNITS, ZoneUnit, namespace)
        slices = await listed(client, ZONE_UNIT_SLICES, ZoneUnitSlice, namespace)
    return held, remainders(units, slices, namespace)


def command(
    namespace: Annotated[str, typer.Option(help="The namespace to release.")] = "",
    all_namespaces: Annotated[bool, typer.Option(help="Release every namespace.")] = False,
    yes: Annotated[bool, typer.Option(help="Do not ask before releasing.")] = False,
    kubeconfig: Annotated[
        str, typer.Option(envvar="KUBECONFIG", help="Path of a kubeconfig file; without one, as kubectl.")
    ] = "",
) -> None:
    """Remove the finalizers of dnsapi from all its objects in a namespace, when no controller runs.

    Nothing at the DNS provider is touched: zones and records stay there, and nobody owns them any more.
    """
    if bool(namespace) == all_namespaces:
        raise typer.BadParameter("give either --namespace or --all-namespaces")
    console = Console(markup=False)  # what stands in brackets in a message is no style
    try:
        path = kubeconfig or usual_kubeconfig(Path.home(), os.environ)
        raise typer.Exit(asyncio.run(_run(console, namespace, path, ask=not yes)))
    except DnsapiError as error:
        console.print(f"error: {describe(error)}", style="red")
        raise typer.Exit(1) from error


def usual_kubeconfig(home: Path, environment: Mapping[str, str]) -> str:
    """Return where kubectl looks without being told; "" in a pod, which has a service account, or without that file."""
    path = home / ".kube" / "config"
    return str(path) if "KUBERNETES_SERVICE_HOST" not in environment and path.is_file() else ""


async def _run(console: Console, namespace: str, kubeconfig: str, *, ask: bool) -> int:
    connection = await connect(kubeconfig)
    console.print(f"Cluster: {connection.endpoint.url}")
    client = KubernetesClient(connection, field_manager="dnsapi-release")
    try:
        held, left = await survey(client, namespace)
        console.print(table_of(left))
        if not held:
            console.print("Nothing is held by dnsapi here.")
            return 0
        if ask and not typer.confirm(f"Remove our finalizers from {len(held)} objects?"):
            return 2
        console.print(f"Released {await release(client, held)} objects.")
        return 0
    finally:
        await client.close()


def table_of(left: Sequence[Remainder]) -> Table:
    """Return what stays as a table that shortens nothing."""
    table = Table(title="What stays at the provider", title_justify="left")
    for title in ("ZONE", "DOMAIN", "AT THE PROVIDER", "RECORD SETS"):
        table.add_column(title, overflow="fold")  # in a narrow window too, nobody can look after a shortened id
    for each in left:
        data = ", ".join(f"{name}={value}" for name, value in each.data.items())
        cells = (str(each.unit), each.domain, data or "nothing known", str(each.record_sets))
        table.add_row(*(Text(printable(cell)) for cell in cells))
    return table


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status: 0 done, 1 failed, 2 refused or misused."""
    application = typer.Typer(add_completion=False)
    application.command()(command)
    try:
        application(args=list(arguments), prog_name="core_controller release")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0
