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
from pydantic import ValidationError
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
from libdnsapi.runtime.rest import RawObject

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

UNREADABLE = "cannot be read"
"""What is told in place of the domain of a ledger object that does not fit its model: look at it by hand."""

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


async def listed(client: Kubernetes, resource: ResourceType, namespace: str, *, metadata_only: bool) -> list[RawObject]:
    """Return all objects of a kind in a namespace (empty: in all); none where the kind is not installed."""
    found: list[RawObject] = []
    token = ""
    while True:
        try:
            page = await client.list_page(
                resource, namespace=namespace, continue_token=token, metadata_only=metadata_only
            )
        except NotFoundError:
            return []
        found.extend(page.items)
        token = page.continue_token
        if not token:
            return found


def parsed(model: type[T], found: Iterable[RawObject]) -> tuple[list[T], list[ObjectKey]]:
    """Return the objects that fit their model, and the keys of the others."""
    objects, unreadable = list[T](), list[ObjectKey]()
    for each in found:
        try:
            objects.append(model.model_validate_json(each.raw))
        except ValidationError:
            unreadable.append(each.key)
    return objects, unreadable


async def survey(client: Kubernetes, namespace: str) -> tuple[list[Held], list[Remainder]]:
    """Return what is held in a namespace, in the order of release, and what stays at the providers."""
    held: list[Held] = []
    for resource in RELEASED:
        claims, _ = parsed(PartialObject, await listed(client, resource, namespace, metadata_only=True))
        held.extend(held_objects(resource, claims))
    try:
        units, slices = await _ledgers(client, "")
    except ForbiddenError:  # who may see one namespace alone is told of that one
        units, slices = await _ledgers(client, namespace)
    zones, no_units = parsed(ZoneUnit, units)
    pieces, no_slices = parsed(ZoneUnitSlice, slices)
    unread = [Remainder(key, UNREADABLE, {}, 0) for key in (*no_units, *no_slices) if namespace in ("", key.namespace)]
    return held, [*remainders(zones, pieces, namespace), *unread]


async def _ledgers(client: Kubernetes, namespace: str) -> tuple[list[RawObject], list[RawObject]]:
    units = await listed(client, ZONE_UNITS, namespace, metadata_only=False)
    return units, await listed(client, ZONE_UNIT_SLICES, namespace, metadata_only=False)


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
        Console(markup=False, stderr=True).print(f"error: {describe(error)}", style="red", soft_wrap=True)
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
        application(args=list(arguments), prog_name="python -m core_controller release")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0
