from __future__ import annotations

import socket
from pathlib import Path

import pytest

from memfold.errors import UserError
from memfold.serve import loopback
from memfold.serve.loopback import Loopback
from memfold.serve.newest import Reading
from memfold.store.location import Location


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "10.0.0.7", "192.168.1.1", "example.com", "", "127.0.0.1 ", "fe80::1"]
)
def test_other_addresses_are_refused_with_the_reason(host: str) -> None:
    with pytest.raises(UserError, match="not a loopback address: whoever reaches the service reads every"):
        Loopback(host=host)


@pytest.mark.parametrize(
    ("host", "bound"),
    [("127.0.0.1", "127.0.0.1"), ("127.9.9.9", "127.9.9.9"), ("::1", "::1"), ("localhost", "127.0.0.1")],
)
def test_loopback_addresses_are_bound_as_given(host: str, bound: str) -> None:
    assert Loopback(host=host).host == bound


@pytest.mark.parametrize("port", [-1, 65536])
def test_impossible_ports_are_refused(port: int) -> None:
    with pytest.raises(UserError, match=r"serve\.port"):
        Loopback(port=port)


@pytest.mark.parametrize("seconds", [-1.0, 601.0, float("nan")])
def test_work_ahead_takes_no_impossible_time(seconds: float) -> None:
    with pytest.raises(UserError, match=r"serve\.ahead_s is .*: give 0 to 600 seconds"):
        Loopback(ahead_s=seconds)


def test_a_service_rehearses_as_it_is_told(reading: Reading, add, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia."])
    told: list[tuple[float, int]] = []
    monkeypatch.setattr(loopback, "rehearse", lambda store, ahead_s, most: told.append((ahead_s, most)))
    loopback._app(Loopback(ahead_s=3.5, ahead=7), reading)
    assert told == [(3.5, 7)]


def test_a_store_that_is_not_there_is_said_before_ray_starts(tmp_path: Path) -> None:
    with (
        pytest.raises(UserError, match="nothing is sealed"),
        Loopback(port=0).serve(Reading(Location(str(tmp_path)))),
    ):
        pass


def test_a_port_in_use_is_said_before_ray_starts(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia."])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(UserError, match=f"serve.port={port} of 127.0.0.1 is in use"),
            Loopback(port=port).serve(reading),
        ):
            pass


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9"])
def test_a_free_port_is_none_that_a_connection_may_get_while_ray_starts(host: str) -> None:
    ports = {loopback._free(host, 0) for _ in range(20)}
    assert len(ports) > 1
    assert all(20_000 <= port < 32_768 for port in ports)


def test_another_free_port_is_taken_where_one_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        used, unused = taken.getsockname()[1], free.getsockname()[1]
        free.close()
        monkeypatch.setattr(loopback.random, "sample", lambda ports, count: [used, unused])
        assert loopback._free("127.0.0.1", 0) == unused
        monkeypatch.setattr(loopback.random, "sample", lambda ports, count: [used])
        with pytest.raises(UserError, match=r"serve\.port=0 of 127\.0\.0\.1 is in use"):
            loopback._free("127.0.0.1", 0)


def test_an_address_where_nobody_listens_is_named_by_its_own_setting(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia."])
    with (
        pytest.raises(UserError, match=r"^serve\.address=127\.0\.0\.1:1: .* use serve\.address=local"),
        Loopback(address="127.0.0.1:1", port=0).serve(reading),
    ):
        pass
