"""ChangeTagsForResource, ListTagsForResource, ListTagsForResources: for hosted zones."""

from typing import Final

from e2e.route53.call import Call, Operation, Reply
from e2e.route53.errors import AwsError, invalid_input
from e2e.route53.xml import Reader, document, element, wrap
from e2e.route53.zone import HostedZone

MAX_PER_CALL: Final = 10
MAX_PER_ZONE: Final = 50
MAX_RESOURCES: Final = 10


def change(call: Call) -> Reply:
    """Add and remove tags, at most ten each."""
    zone, request = _zone(call, call.path["id"]), Reader.parse(call.body)
    added = {tag.text("Key"): tag.text("Value") for tag in request.children("AddTags/Tag")}
    removed = [key.content() for key in request.children("RemoveTagKeys/Key")]
    if not (added or removed) or len(added) > MAX_PER_CALL or len(removed) > MAX_PER_CALL:
        raise invalid_input(f"From 1 to {MAX_PER_CALL} tags can be added, and as many removed, in one request")
    for key, value in added.items():
        _check(key, value)
    tags = {key: value for key, value in (zone.tags | added).items() if key not in removed}
    if len(tags) > MAX_PER_ZONE:
        raise AwsError("InvalidInput", f"A resource can have at most {MAX_PER_ZONE} tags")
    zone.tags = tags
    return Reply(document("ChangeTagsForResourceResponse"))


def _check(key: str, value: str) -> None:
    if not 1 <= len(key) <= 128 or len(value) > 256 or key.lower().startswith("aws:"):
        raise invalid_input(f"The tag with key '{key}' is not valid")


def _zone(call: Call, resource_id: str) -> HostedZone:
    if call.path["type"] != "hostedzone":
        raise invalid_input("Only hosted zones have tags here")
    return call.state.zone(resource_id, call.caller.account_id)


def list_one(call: Call) -> Reply:
    """List the tags of one zone."""
    zone = _zone(call, call.path["id"])
    return Reply(document("ListTagsForResourceResponse", _tag_set(zone)))


def list_many(call: Call) -> Reply:
    """List the tags of up to ten zones."""
    ids = [found.content() for found in Reader.parse(call.body).children("ResourceIds/ResourceId")]
    if not 1 <= len(ids) <= MAX_RESOURCES:
        raise invalid_input(f"From 1 to {MAX_RESOURCES} resource ids can be given")
    sets = (_tag_set(_zone(call, resource_id)) for resource_id in ids)
    return Reply(document("ListTagsForResourcesResponse", wrap("ResourceTagSets", *sets)))


def _tag_set(zone: HostedZone) -> str:
    tags = (wrap("Tag", element("Key", key), element("Value", value)) for key, value in zone.tags.items())
    return wrap(
        "ResourceTagSet",
        element("ResourceType", "hostedzone"),
        element("ResourceId", zone.id),
        wrap("Tags", *tags),
    )


OPERATIONS: Final = (
    Operation("ChangeTagsForResource", "POST", "/2013-04-01/tags/{type}/{id}", change),
    Operation("ListTagsForResource", "GET", "/2013-04-01/tags/{type}/{id}", list_one),
    Operation("ListTagsForResources", "POST", "/2013-04-01/tags/{type}", list_many),
)
