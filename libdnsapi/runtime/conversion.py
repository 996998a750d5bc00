"""The HTTPS client of Provider conversion webhooks (provider-contract page, Conversion).

Guarantees: the server's certificate is verified with the Provider's own bundle and must carry the Service's name,
wherever the address comes from; redirects are not followed; a call ends within its timeout; an answer that says Success
is kept under the call's key, so equal payloads of one Provider generation are converted once.
"""

import base64
import binascii
import ssl
from collections import OrderedDict
from collections.abc import Mapping

import aiohttp
import orjson

from libdnsapi.api.dns.conversion import ConversionAnswer, ConversionCall

ANSWER_LIMIT = 1 << 20
CACHED_ANSWERS = 20_000
"""More than one zone has claims: a pass over all of them finds again what the last one was told."""
CACHED_BYTES = 64 << 20
CACHED_BUNDLES = 64
_OK = 200


class HttpConversionClient:
    """Makes conversion calls. `addresses` maps `namespace/service` to `host:port` where cluster DNS is out of reach."""

    def __init__(self, addresses: Mapping[str, str] | None = None) -> None:
        """Open nothing yet; the session is made with the first call, inside the running loop."""
        self._addresses = dict(addresses or {})
        self._answers: OrderedDict[str, ConversionAnswer] = OrderedDict()
        self._kept_bytes = 0
        self._contexts: OrderedDict[str, ssl.SSLContext] = OrderedDict()
        self._session: aiohttp.ClientSession | None = None

    async def post(self, call: ConversionCall) -> ConversionAnswer:
        """Make the call, or return the answer that an equal one got. What goes wrong is in the answer."""
        known = self.known(call)
        if known is not None:
            return known
        answer = await self._answered(call)
        if _succeeded(call, answer):
            self._keep(call, answer)
        return answer

    def known(self, call: ConversionCall) -> ConversionAnswer | None:
        """Return the answer that an equal call got, where it is kept."""
        answer = self._answers.get(call.key)
        if answer is not None:
            self._answers.move_to_end(call.key)
        return answer

    def forget(self, call: ConversionCall) -> None:
        """Keep no answer to a call: what it says turned out to be of no use."""
        gone = self._answers.pop(call.key, None)
        self._kept_bytes -= len(gone.body) if gone is not None else 0

    def _keep(self, call: ConversionCall, answer: ConversionAnswer) -> None:
        """Keep an answer; those that were not asked for the longest make room for it."""
        self.forget(call)
        self._answers[call.key] = answer
        self._kept_bytes += len(answer.body)
        while len(self._answers) > CACHED_ANSWERS or self._kept_bytes > CACHED_BYTES:
            _, oldest = self._answers.popitem(last=False)
            self._kept_bytes -= len(oldest.body)

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _answered(self, call: ConversionCall) -> ConversionAnswer:
        try:
            return await self._exchange(call)
        except TimeoutError:
            return ConversionAnswer(failure=f"no answer within {call.timeout.total_seconds():g} s")
        except (ssl.SSLError, aiohttp.ClientSSLError):
            return ConversionAnswer(failure="the server's certificate is not verified by the Provider's caBundle")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            # The class says enough; the text may carry addresses and is for logs at most.
            return ConversionAnswer(failure=f"the connection failed ({type(error).__name__})")

    async def _exchange(self, call: ConversionCall) -> ConversionAnswer:
        address = self._addresses.get(f"{call.namespace}/{call.service}", f"{call.host}:{call.port}")
        timeout = aiohttp.ClientTimeout(total=call.timeout.total_seconds())
        async with self._opened().post(
            f"https://{address}{call.path}",
            data=orjson.dumps(call.body),
            headers={"Content-Type": "application/json", "Accept": "application/json"},
            ssl=self._context(call.ca_bundle),
            server_hostname=call.host,
            timeout=timeout,
            allow_redirects=False,
        ) as response:
            body = await _limited(response)
            return ConversionAnswer(response.status, body)

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(trust_env=False, cookie_jar=aiohttp.DummyCookieJar())
        return self._session

    def _context(self, ca_bundle: str) -> ssl.SSLContext:
        """Return the TLS context of a bundle; contexts are expensive and bundles few, so they are kept."""
        context = self._contexts.get(ca_bundle)
        if context is None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            context.load_verify_locations(cadata=_pem(ca_bundle))
            self._contexts[ca_bundle] = context
            while len(self._contexts) > CACHED_BUNDLES:
                self._contexts.popitem(last=False)
        return context


async def _limited(response: aiohttp.ClientResponse) -> bytes:
    """Read the body up to the limit; a longer one is cut, and so is no valid answer."""
    body = bytearray()
    async for chunk in response.content.iter_chunked(65536):
        body += chunk
        if len(body) > ANSWER_LIMIT:
            break
    return bytes(body[:ANSWER_LIMIT])


def _pem(ca_bundle: str) -> str:
    """Return the PEM text of a bundle; raises SSLError for anything else, as a bundle that verifies nothing."""
    try:
        return base64.b64decode(ca_bundle, validate=True).decode("ascii")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise ssl.SSLError("the caBundle is not PEM") from error


def _succeeded(call: ConversionCall, answer: ConversionAnswer) -> bool:
    """Whether the answer is worth keeping: a payload, given with success to this very request."""
    if answer.status != _OK:
        return False
    try:
        document = orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        return False
    response = document.get("response") if isinstance(document, dict) else None
    result = response.get("result") if isinstance(response, dict) else None
    if not isinstance(response, dict) or not isinstance(result, dict):
        return False
    given = response.get("uid") == call.key and isinstance(response.get("payload"), dict)
    return given and result.get("status") == "Success"
