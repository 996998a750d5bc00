"""From botocore's exceptions to AwsError: the door that no raw SDK error passes."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from socket import gaierror

import aiohttp
from botocore import exceptions as sdk
from botocore.parsers import ResponseParserError

from route53_controller.aws.codes import error_from_response
from route53_controller.aws.errors import AwsError, AwsFailure

_NO_CREDENTIALS = (
    sdk.NoCredentialsError,
    sdk.PartialCredentialsError,
    sdk.CredentialRetrievalError,
    sdk.MetadataRetrievalError,
    sdk.ProfileNotFound,
    sdk.InvalidConfigError,
    sdk.TokenRetrievalError,
)
_NOT_SENT = (sdk.ConnectTimeoutError, sdk.ProxyConnectionError, sdk.SSLError)
_NO_CONNECTION = (aiohttp.ClientConnectorError, gaierror)
_NO_REGION = (sdk.NoRegionError, sdk.InvalidRegionError, sdk.UnknownRegionError)


@contextmanager
def translated(operation: str, own_names: Collection[str] = ()) -> Iterator[None]:
    """Turn whatever the SDK raises, and a malformed answer, into an AwsError; an AwsError passes as it is.

    What is not known to have failed before it was sent has an unknown outcome. `own_names` are the DNS names that the
    call sends.
    """
    try:
        yield
    except AwsError:
        raise
    except sdk.ClientError as error:
        raise error_from_response(error.response, operation, own_names) from None
    except sdk.BotoCoreError as error:
        raise _from_sdk(error, operation) from None
    except TimeoutError:
        raise AwsError(AwsFailure.UNKNOWN_OUTCOME, f"{operation} got no answer in time") from None
    except (OSError, ResponseParserError):
        raise AwsError(AwsFailure.UNKNOWN_OUTCOME, f"the answer to {operation} did not arrive whole") from None
    except (KeyError, TypeError, ValueError):
        raise AwsError(AwsFailure.UNKNOWN_OUTCOME, f"{operation} got an answer that makes no sense") from None


def _from_sdk(error: Exception, operation: str) -> AwsError:
    match error:
        case sdk.ParamValidationError():
            return AwsError(AwsFailure.INVALID_REQUEST, f"{operation} had invalid parameters")
        case _ if isinstance(error, _NO_CREDENTIALS):
            return AwsError(AwsFailure.CREDENTIALS_UNAVAILABLE, "no AWS credentials could be found")
        case _ if _was_not_sent(error):
            return AwsError(AwsFailure.UNAVAILABLE, f"AWS could not be reached for {operation}")
        case _ if isinstance(error, _NO_REGION):
            return AwsError(AwsFailure.INVALID_REQUEST, "the region is not known to AWS", "InvalidRegion")
        case _:
            return AwsError(AwsFailure.UNKNOWN_OUTCOME, f"the connection broke during {operation}")


def _was_not_sent(error: Exception) -> bool:
    """Whether no connection came about; the SDK calls a connection that was reset in use by the same name."""
    if isinstance(error, sdk.EndpointConnectionError):
        return isinstance(error.kwargs.get("error"), _NO_CONNECTION)
    return isinstance(error, _NOT_SENT)
