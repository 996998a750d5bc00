"""Health checks, as far as record sets refer to them: create, read, delete; they always report success."""

from typing import Final

from e2e.route53.call import Call, Operation, Reply
from e2e.route53.errors import AwsError
from e2e.route53.health_checks import HealthCheck
from e2e.route53.state import new_id
from e2e.route53.xml import Reader, document, element, wrap


def create(call: Call) -> Reply:
    """Create a health check."""
    request = Reader.parse(call.body)
    config = request.child("HealthCheckConfig")
    check = HealthCheck(
        id=new_id("H"),
        account_id=call.caller.account_id,
        caller_reference=request.text("CallerReference"),
        config=config.fields() if config else (),
    )
    call.state.health_checks[check.id] = check
    location = {"Location": f"https://route53.amazonaws.com/2013-04-01/healthcheck/{check.id}"}
    return Reply(document("CreateHealthCheckResponse", _render(check)), 201, location)


def get(call: Call) -> Reply:
    """Return a health check."""
    return Reply(document("GetHealthCheckResponse", _render(_found(call))))


def status(call: Call) -> Reply:
    """Return one observation, which is a success."""
    _found(call)
    report = wrap("StatusReport", element("Status", "Success: HTTP Status Code 200, OK"))
    observation = wrap("HealthCheckObservation", element("Region", "us-east-1"), report)
    return Reply(document("GetHealthCheckStatusResponse", wrap("HealthCheckObservations", observation)))


def delete(call: Call) -> Reply:
    """Delete a health check."""
    del call.state.health_checks[_found(call).id]
    return Reply(document("DeleteHealthCheckResponse"))


def _found(call: Call) -> HealthCheck:
    check = call.state.health_checks.get(call.path["check"])
    if check is None or check.account_id != call.caller.account_id:
        raise AwsError("NoSuchHealthCheck", f"No health check exists with the specified ID {call.path['check']}", 404)
    return check


def _render(check: HealthCheck) -> str:
    return wrap(
        "HealthCheck",
        element("Id", check.id),
        element("CallerReference", check.caller_reference),
        wrap("HealthCheckConfig", *(element(name, text) for name, text in check.config)),
        element("HealthCheckVersion", 1),
    )


OPERATIONS: Final = (
    Operation("CreateHealthCheck", "POST", "/2013-04-01/healthcheck", create),
    Operation("GetHealthCheckStatus", "GET", "/2013-04-01/healthcheck/{check}/status", status),
    Operation("GetHealthCheck", "GET", "/2013-04-01/healthcheck/{check}", get),
    Operation("DeleteHealthCheck", "DELETE", "/2013-04-01/healthcheck/{check}", delete),
)
