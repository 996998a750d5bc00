"""Errors of the emulated API, as the client sees them. Not: faults of the emulator itself."""


class AwsError(Exception):
    """An error answer of Route 53 or STS.

    `code` is the wire code, `status` the HTTP status. `receiver` marks errors that are the service's own (5xx).
    """

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        """Keep the three parts that go on the wire."""
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status

    @property
    def receiver(self) -> bool:
        """Whether the service, not the sender, is to blame."""
        return self.status >= 500


class InvalidChangeBatchError(Exception):
    """A refused change batch: the reasons, one message a finding (API reference, ChangeResourceRecordSets, Errors)."""

    def __init__(self, messages: list[str]) -> None:
        """Keep the messages in the order of the changes they belong to."""
        super().__init__("; ".join(messages))
        self.messages = messages


class SyntaxProblemError(ValueError):
    """A malformed name or value, in the words Route 53 uses for it.

    `str()` is `FATAL problem: <code> (<explanation>) encountered with '<value>'`.
    """

    def __init__(self, code: str, explanation: str, value: str) -> None:
        """Keep the code and the offending text."""
        super().__init__(f"FATAL problem: {code} ({explanation}) encountered with '{value}'")
        self.code = code
        self.value = value


def invalid_input(message: str) -> AwsError:
    """Return the error for a request that is malformed before any rule of the zone is looked at."""
    return AwsError("InvalidInput", message)


def no_such_hosted_zone(zone_id: str) -> AwsError:
    """Return the error for a hosted zone that does not exist."""
    return AwsError("NoSuchHostedZone", f"No hosted zone found with ID: {zone_id}", 404)


def access_denied(arn: str, action: str, resource: str, service: str = "route53") -> AwsError:
    """Return the error of an identity that lacks a permission."""
    message = (
        f"User: {arn} is not authorized to perform: {service}:{action} on resource: {resource} "
        f"because no identity-based policy allows the {service}:{action} action"
    )
    return AwsError("AccessDenied", message, 403)
