"""What each condition reason means and what a person does about it; `docs/reference/conditions.md` is made of it.

A reason without an entry fails the generator.
"""

from typing import NamedTuple

from libdnsapi.api.reasons import Reason


class Advice(NamedTuple):
    """For people: what happened, and what to do."""

    meaning: str
    action: str


NOTHING = "Nothing."
_R = Reason

NOBODY = "nobody"
AUTHOR = "author"
ZONE_OWNER = "owner of the Zone"
CLASS_OWNER = "owner of the class"
OPERATOR = "operator"
WHO = {
    NOBODY: "All is well, or it passes by itself.",
    AUTHOR: "Whoever wrote the object that has the condition: of a RecordSet most often an application team.",
    ZONE_OWNER: "Whoever wrote the Zone: who may publish in it, and what becomes of many deletions.",
    CLASS_OWNER: "Whoever wrote ZoneClass and identity: AWS accounts, their permissions, who may have Zones.",
    OPERATOR: "Whoever runs the controllers and the cluster.",
}
"""Those who can mend something, and what is theirs."""

ADVICE: dict[Reason, Advice] = {
    _R.ACCEPTED: Advice("References, policies and payloads are valid.", NOTHING),
    _R.PROGRAMMED: Advice("What was last observed at the provider is what is wanted; nothing is pending.", NOTHING),
    _R.READY: Advice("The last live credential check succeeded.", NOTHING),
    _R.RECONCILING: Advice("The present generation has not been decided yet.", "Wait; seconds are usual."),
    _R.RECONCILE_ERROR: Advice(
        "A fault inside the controller; it tries again with back-off.",
        "If it stays, look for the object's name in the controller's log and report it.",
    ),
    _R.INVALID_ZONE_CLASS_REF: Advice(
        "`zoneClassRef` holds no legal object name.", "Recreate the Zone with a legal name; the field is immutable."
    ),
    _R.INVALID_ZONE_REF: Advice(
        "`zoneRef` holds no legal object name.", "Recreate the RecordSet with a legal name; the field is immutable."
    ),
    _R.NOT_ALLOWED_BY_ZONE_CLASS: Advice(
        "The Zone's namespace or domain is outside the class's `allowedZones`.",
        "Use another class, or ask the class's owner to widen `allowedZones`.",
    ),
    _R.NOT_ALLOWED_BY_ZONE: Advice(
        "No rule of the Zone's `allowedRecordSets` admits this namespace, name and type. Of a RecordSet that is being "
        "deleted: the Zone does not let it leave its record set behind (`deletion-policy: Retain`).",
        "Ask the Zone's owner for a rule, or move the RecordSet into the Zone's namespace. What was published stays. "
        "While it is being deleted: remove the annotation, or ask for `allow-retain`.",
    ),
    _R.ZONE_CLASS_NOT_ACCEPTED: Advice(
        "The class itself is not accepted.", "Read the Accepted condition of the ZoneClass."
    ),
    _R.ZONE_NOT_ACCEPTED: Advice("The Zone itself is not accepted.", "Read the Accepted condition of the Zone."),
    _R.INVALID_IDENTITY_REF: Advice(
        "The class's identity is rejected, its name is malformed, or it is of another account than the hosted zone.",
        "Read the Accepted condition of the identity that `ZoneClass.spec.identityRef` names; the Zone's message tells "
        "which it is.",
    ),
    _R.INVALID_PROVIDER: Advice(
        "The Provider or its version does not exist, is not served, is another controller's, or does not support this"
        " kind or record type.",
        "Correct `spec.provider` in a new object, or install the Provider version.",
    ),
    _R.INVALID_PARAMETERS: Advice(
        "`parameters` do not fit the Provider version's schema or rules.",
        "Correct the field that the message names; the Provider object describes every field.",
    ),
    _R.PROVIDER_MISMATCH: Advice(
        "`spec.provider` names another Provider than the class does.",
        "Recreate the object with the class's provider; the field is immutable.",
    ),
    _R.INVALID_PROVIDER_PAYLOAD: Advice(
        "`options` or `adoption` do not fit the Provider version's schema or rules.",
        "Correct the field that the message names.",
    ),
    _R.PROVIDER_CONVERSION_FAILED: Advice(
        "The payload cannot be converted to the Provider's storage version.",
        "Correct the payload, write it for the storage version, or mend the Provider's conversion.",
    ),
    _R.PROVIDER_CONVERSION_UNAVAILABLE: Advice(
        "The Provider's conversion webhook does not answer; it is asked again. The last accepted state stays.",
        "Check the conversion webhook's Service, certificate and `caBundle`.",
    ),
    _R.PROVIDER_STORAGE_VERSION_NOT_RESOLVED: Advice(
        "The Provider, the version or its storage version is not there.",
        "Install the Provider, or repair its versions.",
    ),
    _R.INVALID_ADOPTION: Advice("The provider controller cannot use the stored adoption.", "Correct `spec.adoption`."),
    _R.MANAGED_RESOURCE_MISMATCH: Advice(
        "`spec.adoption` points elsewhere than to what is managed already; nothing is called at the provider.",
        "Set it back, or delete the object (the class may say Retain) and create a new one.",
    ),
    _R.DENIED_BY_POLICY: Advice(
        "A policy of the class, the provider or the platform forbids it.",
        "The message says which; change the object or ask who owns the policy.",
    ),
    _R.RECORD_SET_CONFLICT: Advice(
        "Another RecordSet holds this name and type, or a CNAME excludes other types at one name.",
        "Choose another name, or let the owner that the message names go first.",
    ),
    _R.ZONE_NOT_RESOLVED: Advice("The Zone does not exist yet.", "Create it, or correct `zoneRef` in a new object."),
    _R.ZONE_CLASS_NOT_RESOLVED: Advice(
        "The ZoneClass does not exist yet.", "Create it, or correct `zoneClassRef` in a new object."
    ),
    _R.IDENTITY_NOT_RESOLVED: Advice(
        "The identity does not exist yet, or nobody decided about it yet.",
        "Create the identity; if it exists, check that its controller runs.",
    ),
    _R.OWNER_STATE_NOT_RESOLVED: Advice(
        "The ledger holds the name for a claim that is not there: not restored yet, or torn out without its finalizer.",
        "Apply the claims that belong to the ledger. If one is gone for good, create it again and delete it.",
    ),
    _R.PROVIDER_CHANGE_PENDING: Advice(
        "The provider took a change and is completing it, or the Zone is paused.",
        "Wait; at Route 53 usually under a minute. If the message says paused, remove the annotation.",
    ),
    _R.PROVIDER_CHANGE_DEFERRED: Advice(
        "The change is next in line, or held: by the guard against mass deletion or by a pause.",
        "Wait, or do what the message of the Zone says (confirm the deletions, remove the pause).",
    ),
    _R.PROVIDER_IDENTITY_NOT_READY: Advice(
        "The identity's credentials do not work at the moment.", "Read the Ready condition of the identity."
    ),
    _R.EXTERNAL_RESOURCE_NOT_FOUND: Advice(
        "What is to be adopted, or was managed, is not at the provider.",
        "Correct `spec.adoption`, or use `whenMissing: Create`; for a vanished zone follow the message.",
    ),
    _R.EXTERNAL_RESOURCE_MISMATCH: Advice(
        "What is to be adopted differs from what is wanted.", "Make both equal on one side, then change the other."
    ),
    _R.PROVIDER_CONFLICT: Advice(
        "Something that is not ours is in the way at the provider; it is never overwritten.",
        "Remove it at the provider, or take it over with `spec.adoption`.",
    ),
    _R.PROVIDER_ACCESS_DENIED: Advice(
        "The provider refused the call for lack of permission.",
        "Grant the identity the permission that the message names.",
    ),
    _R.PROVIDER_INVALID_REQUEST: Advice(
        "The provider refused this very change; others go on.", "Correct the value that the message names."
    ),
    _R.PROVIDER_UNAVAILABLE: Advice(
        "The provider does not answer or limits the rate; it is tried again.", "Wait; if it stays, check the network."
    ),
    _R.INVALID_REGION: Advice("`region` is no usable AWS region.", "Correct `spec.region`."),
    _R.INVALID_CREDENTIAL_SOURCE: Advice(
        "`credentials` names no usable source.", "Set exactly one of `runtime` and `secretRef`."
    ),
    _R.INVALID_ASSUME_ROLE_CHAIN: Advice(
        "A step of the chain is malformed.", "Correct the step that the message names."
    ),
    _R.CREDENTIAL_UNAVAILABLE: Advice(
        "There are no base credentials: no Secret, no key in it, or nothing in the controller's environment.",
        "Create the Secret in a namespace that the controller may read, or give its service account a role.",
    ),
    _R.ASSUME_ROLE_FAILED: Advice(
        "A step of the chain failed; the message names its index.",
        "Check that role's trust policy, the external id and the step before it.",
    ),
    _R.ACCOUNT_MISMATCH: Advice(
        "The credentials belong to another account than `spec.accountID`.",
        "Correct the account id or the credentials; nothing was written to the other account.",
    ),
}

ACTORS: dict[Reason, str] = {
    _R.ACCEPTED: NOBODY,
    _R.PROGRAMMED: NOBODY,
    _R.READY: NOBODY,
    _R.RECONCILING: NOBODY,
    _R.RECONCILE_ERROR: OPERATOR,
    _R.INVALID_ZONE_CLASS_REF: AUTHOR,
    _R.INVALID_ZONE_REF: AUTHOR,
    _R.NOT_ALLOWED_BY_ZONE_CLASS: CLASS_OWNER,
    _R.NOT_ALLOWED_BY_ZONE: ZONE_OWNER,
    _R.ZONE_CLASS_NOT_ACCEPTED: CLASS_OWNER,
    _R.ZONE_NOT_ACCEPTED: ZONE_OWNER,
    _R.INVALID_IDENTITY_REF: CLASS_OWNER,
    _R.INVALID_PROVIDER: AUTHOR,
    _R.INVALID_PARAMETERS: CLASS_OWNER,
    _R.PROVIDER_MISMATCH: AUTHOR,
    _R.INVALID_PROVIDER_PAYLOAD: AUTHOR,
    _R.PROVIDER_CONVERSION_FAILED: AUTHOR,
    _R.PROVIDER_CONVERSION_UNAVAILABLE: OPERATOR,
    _R.PROVIDER_STORAGE_VERSION_NOT_RESOLVED: OPERATOR,
    _R.INVALID_ADOPTION: AUTHOR,
    _R.MANAGED_RESOURCE_MISMATCH: AUTHOR,
    _R.DENIED_BY_POLICY: AUTHOR,
    _R.RECORD_SET_CONFLICT: AUTHOR,
    _R.ZONE_NOT_RESOLVED: ZONE_OWNER,
    _R.ZONE_CLASS_NOT_RESOLVED: CLASS_OWNER,
    _R.IDENTITY_NOT_RESOLVED: CLASS_OWNER,
    _R.OWNER_STATE_NOT_RESOLVED: OPERATOR,
    _R.PROVIDER_CHANGE_PENDING: NOBODY,
    _R.PROVIDER_CHANGE_DEFERRED: ZONE_OWNER,
    _R.PROVIDER_IDENTITY_NOT_READY: CLASS_OWNER,
    _R.EXTERNAL_RESOURCE_NOT_FOUND: AUTHOR,
    _R.EXTERNAL_RESOURCE_MISMATCH: AUTHOR,
    _R.PROVIDER_CONFLICT: AUTHOR,
    _R.PROVIDER_ACCESS_DENIED: CLASS_OWNER,
    _R.PROVIDER_INVALID_REQUEST: AUTHOR,
    _R.PROVIDER_UNAVAILABLE: OPERATOR,
    _R.INVALID_REGION: CLASS_OWNER,
    _R.INVALID_CREDENTIAL_SOURCE: CLASS_OWNER,
    _R.INVALID_ASSUME_ROLE_CHAIN: CLASS_OWNER,
    _R.CREDENTIAL_UNAVAILABLE: CLASS_OWNER,
    _R.ASSUME_ROLE_FAILED: CLASS_OWNER,
    _R.ACCOUNT_MISMATCH: CLASS_OWNER,
}
"""Who can mend it: the first to act, where it may be several."""
