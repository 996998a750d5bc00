"""Certificates of our own making."""

import ssl
from datetime import timedelta

from cryptography import x509

from tests.fakes.clock import START
from webhook.tls.authority import AUTHORITY_LIFE, LEAF_LIFE, bundle, names_of, new_authority, new_leaf
from webhook.tls.pair import install, server_context

NAMES = ("dnsapi-webhook.dns-system.svc", "127.0.0.1")


def test_a_leaf_is_signed_by_its_authority_for_its_names() -> None:
    authority = new_authority(START)
    pair = new_leaf(authority, NAMES, START)
    issuer, leaf = (x509.load_pem_x509_certificate(pem) for pem in (authority.certificate, pair.certificate))
    leaf.verify_directly_issued_by(issuer)
    assert names_of(pair.certificate) == set(NAMES)
    assert (authority.expires - START, pair.expires - START) == (AUTHORITY_LIFE, LEAF_LIFE)


def test_a_pair_can_be_installed_in_a_server_context() -> None:
    install(server_context(), new_leaf(new_authority(START), NAMES, START))


def test_the_key_is_in_no_text() -> None:
    pair = new_leaf(new_authority(START), NAMES, START)
    assert "PRIVATE" not in repr(pair)
    assert "PRIVATE" not in repr(new_authority(START))


def test_a_bundle_keeps_the_previous_authority_until_it_expires() -> None:
    old, new = new_authority(START), new_authority(START + timedelta(days=700))
    assert bundle(new.certificate, old.certificate, START + timedelta(days=700)) == new.certificate + old.certificate
    assert bundle(new.certificate, old.certificate, START + timedelta(days=731)) == new.certificate
    assert bundle(new.certificate, new.certificate + old.certificate, START) == new.certificate + old.certificate
    assert bundle(new.certificate, b"", START) == new.certificate


def test_clients_that_trust_the_bundle_accept_the_authority() -> None:
    authority = new_authority(START)
    context = ssl.create_default_context(cadata=authority.certificate.decode())
    assert len(context.get_ca_certs()) == 1
