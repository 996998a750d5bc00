"""Connections through the relay pass, are cut, refused, or held back until it is open again."""

import socket
import threading
from collections.abc import Iterator

import pytest

from e2e.polling import eventually
from e2e.toolchain.relay import Passage, Relay


@pytest.fixture
def relay() -> Iterator[Relay]:
    """A relay to a server that sends back what it gets."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=echo, args=(server,), daemon=True).start()
        with Relay("127.0.0.1", server.getsockname()[1]) as relay:
            yield relay


def echo(server: socket.socket) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        threading.Thread(target=answer, args=(connection,), daemon=True).start()


def answer(connection: socket.socket) -> None:
    with connection:
        while data := connection.recv(100):
            connection.sendall(data)


def connect(relay: Relay) -> socket.socket:
    return socket.create_connection(("127.0.0.1", relay.port), timeout=10)


def said(connection: socket.socket, text: bytes) -> bytes:
    connection.sendall(text)
    return connection.recv(100)


def test_what_is_open_passes_both_ways(relay: Relay) -> None:
    with connect(relay) as connection:
        assert said(connection, b"hello") == b"hello"


def test_a_cut_ends_what_stands_and_lets_new_ones_through(relay: Relay) -> None:
    with connect(relay) as connection:
        assert said(connection, b"hello") == b"hello"
        assert relay.cut() == 1
        assert connection.recv(100) == b""
    with connect(relay) as connection:
        assert said(connection, b"again") == b"again"


def test_what_is_refused_is_closed_at_once(relay: Relay) -> None:
    relay.turn(Passage.REFUSED)
    with connect(relay) as connection:
        assert connection.recv(100) == b""
    relay.turn(Passage.OPEN)
    with connect(relay) as connection:
        assert said(connection, b"again") == b"again"


def test_what_is_held_arrives_when_it_is_open_again(relay: Relay) -> None:
    with connect(relay) as connection:
        assert said(connection, b"hello") == b"hello"
        relay.turn(Passage.HELD)
        connection.sendall(b"late")
        eventually(lambda: relay.held, lambda held: held == 1)
        connection.settimeout(0.05)
        with pytest.raises(TimeoutError):
            connection.recv(100)
        connection.settimeout(10)
        relay.turn(Passage.OPEN)
        assert connection.recv(100) == b"late"


def test_a_server_that_is_down_closes_connections() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with Relay("127.0.0.1", port) as relay, connect(relay) as connection:
        assert connection.recv(100) == b""
