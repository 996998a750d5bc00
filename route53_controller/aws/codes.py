"""The one table from AWS error codes to outcomes, and the sanitiser of what AWS says. Pure.

Sources: Amazon Route 53 API Reference (Errors of each action, Common Errors), AWS STS API Reference (Common
Errors), both as botocore shows them in `ClientError.response`.
"""

import re
from collections.abc import Collection, Container, Iterable, Mapping
from http import HTTPStatus

from route53_controller.aws.errors import AwsError, AwsFailure

MESSAGE_LIMIT = 512
THROTTLED_CODES = (
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestThrottled",
    "RequestThrottledException",
    "RequestLimitExceeded",
    "TooManyRequestsException",
    "SlowDown",
    "429",
)
FORBIDDEN_CODES = ("AccessDenied", "AccessDeniedException", "NotAuthorized", "UnauthorizedOperation")
"""Who asks is known, and may not do what was asked for."""
DENIED_CODES = (
    *FORBIDDEN_CODES,
    "AuthFailure",
    "ExpiredToken",
    "ExpiredTokenException",
    "IncompleteSignature",
    "InvalidAccessKeyId",
    "InvalidClientTokenId",
    "InvalidSignatureException",
    "MissingAuthenticationToken",
    "MissingAuthenticationTokenException",
    "OptInRequired",
    "RequestExpired",
    "RequestTimeTooSkewed",
    "SignatureDoesNotMatch",
    "UnrecognizedClientException",
    "401",
    "403",
)
UNAVAILABLE_CODES = (
    "InternalError",
    "InternalFailure",
    "InternalServerError",
    "RequestTimeout",
    "RequestTimeoutException",
    "ServiceFailure",
    "ServiceUnavailable",
    "Unavailable",
    "500",
    "502",
    "503",
    "504",
)
_TABLE: tuple[tuple[AwsFailure, str, tuple[str, ...]], ...] = (
    (AwsFailure.THROTTLED, "AWS asks for fewer requests", THROTTLED_CODES),
    (
        AwsFailure.PRIOR_REQUEST_NOT_COMPLETE,
        "Route 53 still works on an earlier request for this hosted zone",
        ("PriorRequestNotComplete",),
    ),
    (AwsFailure.ACCESS_DENIED, "", DENIED_CODES),
    (
        AwsFailure.NO_SUCH_HOSTED_ZONE,
        "the hosted zone does not exist in this account",
        ("NoSuchHostedZone", "HostedZoneNotFound"),
    ),
    (AwsFailure.NO_SUCH_CHANGE, "Route 53 no longer knows the change", ("NoSuchChange",)),
    (
        AwsFailure.HOSTED_ZONE_ALREADY_EXISTS,
        "a hosted zone was already created with this caller reference",
        ("HostedZoneAlreadyExists",),
    ),
    (
        AwsFailure.HOSTED_ZONE_NOT_EMPTY,
        "the hosted zone still holds record sets that are not managed here",
        ("HostedZoneNotEmpty",),
    ),
    (AwsFailure.INVALID_CHANGE_BATCH, "", ("InvalidChangeBatch",)),
    (
        AwsFailure.LIMIT_EXCEEDED,
        "a Route 53 quota is used up",
        ("TooManyHostedZones", "LimitsExceeded", "LimitExceeded", "DelegationSetNotAvailable"),
    ),
    (
        AwsFailure.UNAVAILABLE,
        "AWS had an internal error",
        UNAVAILABLE_CODES,
    ),
    (
        AwsFailure.CREDENTIALS_UNAVAILABLE,
        "the web identity token was not accepted",
        ("IDPRejectedClaim", "InvalidIdentityToken", "IDPCommunicationError"),
    ),
)
_CODES = {code: (failure, message) for failure, message, codes in _TABLE for code in codes}

_DENIED_MESSAGES = {
    "ExpiredToken": "the credentials have expired",
    "ExpiredTokenException": "the credentials have expired",
    "InvalidAccessKeyId": "the access key is not known to AWS",
    "InvalidClientTokenId": "the access key is not known to AWS",
    "UnrecognizedClientException": "the access key is not known to AWS",
    "SignatureDoesNotMatch": "the request's signature was refused: wrong secret key, or a clock that is off",
    "InvalidSignatureException": "the request's signature was refused: wrong secret key, or a clock that is off",
    "RequestExpired": "the request's time was refused: check the clock of the node",
    "RequestTimeTooSkewed": "the request's time was refused: check the clock of the node",
    "OptInRequired": "the account is not signed up for this service",
}
_ACTION = re.compile(r"\b(?:route53|sts|iam):[A-Z][A-Za-z]+")

_WORD = re.compile(r"(?<![^\s'\"\[(])[^\s'\"\[(),\]]+(?=[\s'\",\])]|$)")
"""What may be a whole DNS name."""
_SECRETS = (
    (re.compile(r"arn:aws[a-z-]*:[^\s\"'<>,\])]*"), "[arn]"),
    (re.compile(r"\b(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|APKA|AROA|ASCA)[A-Z0-9]{12,}\b"), "[key]"),
    (re.compile(r"(?i)\(?\brequest ?id:? ?[^\s)]*\)?"), "[request]"),
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE), "[id]"),
    (re.compile(r"(?<![0-9A-Za-z])[0-9]{12}(?![0-9A-Za-z])"), "[account]"),
)


CUT = "Message was too long, it was truncated."
"""What Route 53 says before the reasons that it has room for."""


def sanitised(text: str, own_names: Iterable[str] = ()) -> str:
    """Return AWS's words without ARNs, account ids, keys and request ids, at most 512 characters."""
    return masked(text, own_names)[:MESSAGE_LIMIT]


def masked(text: str, own_names: Iterable[str] = ()) -> str:
    """Return AWS's words, however long they are, without ARNs, account ids, keys and request ids.

    DNS names that the call itself sent are its owner's and stay as they are, however like an id a label of theirs
    looks, so that they can be recognised. A name of one label does not: it could be tried for an account's id.
    """
    return _masked(text, _own(own_names))


def _own(names: Iterable[str]) -> frozenset[str]:
    """Return the names that stay: once an answer, since it may have a thousand reasons, and the call as many names."""
    return frozenset(bare for name in names if "." in (bare := _bare(name)))


def _masked(text: str, own: Container[str]) -> str:
    clean, done = "", 0
    for word in _WORD.finditer(text):
        if _bare(word[0]) in own and _without_secrets(word[0]) != word[0]:
            clean, done = clean + _without_secrets(text[done : word.start()]) + word[0], word.end()
    return (clean + _without_secrets(text[done:])).strip()


def _bare(name: str) -> str:
    return name.removesuffix(".").lower()


def error_from_response(response: Mapping[str, object], operation: str, own_names: Collection[str] = ()) -> AwsError:
    """Translate what botocore made of an error answer; `own_names` are the DNS names that the call sent.

    `response` is `ClientError.response`. Of InvalidChangeBatch two forms exist: the usual one with all reasons in
    one bracketed message, and the API reference's own with an empty code and the reasons under `Messages`.
    """
    error = response.get("Error")
    details: Mapping[str, object] = error if isinstance(error, dict) else {}
    code, text = str(details.get("Code") or ""), str(details.get("Message") or "")
    listed = listed_messages(response.get("Messages"), own_names)
    if code == "InvalidChangeBatch" or (not code and "Messages" in response):
        return _invalid_change_batch(listed or split_messages(text, own_names))
    failure, message = _CODES.get(code, (_unknown_failure(response), ""))
    if failure is AwsFailure.HOSTED_ZONE_NOT_EMPTY and "Key Signing Key" in text:
        message = "the hosted zone still has DNSSEC key signing keys"
    if failure is AwsFailure.ACCESS_DENIED:
        message = _denied_message(code, text, operation)
    elif not message:
        message = sanitised(text, own_names) or f"{operation} was refused"
    return AwsError(failure, message, code)


def listed_messages(messages: object, own_names: Collection[str] = ()) -> tuple[str, ...]:
    """Return the texts under an answer's `Messages`, whichever of botocore's shapes they have."""
    own = _own(own_names)
    return tuple(_masked(text, own) for text in _texts(messages))


def _texts(messages: object) -> Iterable[str]:
    match messages:
        case str():
            return (messages,) if messages.strip() else ()
        case list() | tuple():
            return (text for message in messages for text in _texts(message))
        case dict():
            return _texts(messages.get("Message"))
        case _:
            return ()


def split_messages(text: str, own_names: Collection[str] = ()) -> tuple[str, ...]:
    """Split `[first reason, second reason]` into its masked reasons.

    A comma separates only outside of brackets and quotes and before a capital letter that does not begin the record
    set's `SetIdentifier`; a doubtful text stays whole. Of a long one AWS cuts the end off and says so; the last reason
    goes then, for it may lack what it says, unless it is the only one.
    """
    body = text.strip()
    is_cut = body.startswith(CUT)
    if is_cut:
        body = body.removeprefix(CUT).lstrip().removeprefix("[")
    elif body.startswith("[") and body.endswith("]"):
        body = body[1:-1]
    own = _own(own_names)
    pieces, start = [], 0
    for found in re.finditer(r", (?!SetIdentifier )(?=[A-Z])", body):
        if _balanced(body[start : found.start()]):
            pieces.append(body[start : found.start()])
            start = found.end()
    if not (is_cut and pieces):
        pieces.append(body[start:])
    return tuple(clean for piece in pieces if (clean := _masked(piece, own)))


def _invalid_change_batch(messages: tuple[str, ...]) -> AwsError:
    first = messages[0][:MESSAGE_LIMIT] if messages else "Route 53 gave no reason"
    return AwsError(AwsFailure.INVALID_CHANGE_BATCH, first, "InvalidChangeBatch", messages)


def _unknown_failure(response: Mapping[str, object]) -> AwsFailure:
    metadata = response.get("ResponseMetadata")
    status = metadata.get("HTTPStatusCode") if isinstance(metadata, dict) else None
    if isinstance(status, int) and status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return AwsFailure.UNAVAILABLE
    return AwsFailure.INVALID_REQUEST


def _denied_message(code: str, text: str, operation: str) -> str:
    if code in _DENIED_MESSAGES:
        return _DENIED_MESSAGES[code]
    action = _ACTION.search(text)
    return f"AWS denied {action.group() if action else operation}"


def _without_secrets(text: str) -> str:
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


def _balanced(text: str) -> bool:
    return text.count("[") == text.count("]") and text.count("'") % 2 == 0
