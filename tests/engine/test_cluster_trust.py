"""A cluster whose other end is not what it should be: peers, certificates, results."""

from __future__ import annotations

import os
import pickle
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.common.errors import EngineError
from tests.engine.command_runner import Cli

distributed = pytest.importorskip("distributed")

from engine.cluster import dask_cluster  # noqa: E402
from engine.cluster.dask_cluster import CERTIFICATES, danger_of  # noqa: E402
from engine.cluster.worker import Done, Parcel  # noqa: E402
from engine.compiled.cache import kernel_folder  # noqa: E402


class Harm:
    """What calls a function when it is unpickled."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self.call = function, arguments

    def __reduce__(self) -> tuple[Any, ...]:
        """Say what to call."""
        return self.call


def sent(content: object) -> Parcel:
    """A parcel as it arrives."""
    parcel = pickle.loads(pickle.dumps(Parcel(content)))
    assert isinstance(parcel, Parcel)
    return parcel


def test_results_are_data_and_call_nothing(tmp_path: Path) -> None:
    target = tmp_path / "harm"
    from engine.common.files import write_whole

    for harm in (
        Harm(os.mkdir, str(target)),
        Harm(write_whole, str(target), b""),
        Harm(eval, "1"),
        Harm(Path.touch, target),
    ):
        with pytest.raises(pickle.UnpicklingError, match="is no type of data"):
            sent(([harm], None)).data()
        with pytest.raises(EngineError, match=r"^worker tcp://x:1 answers what no worker of Parse Explorer does"):
            dask_cluster._opened(Done("tcp://x:1", sent(([harm], None)), 0.1), 1)
    assert not target.exists()


@pytest.mark.parametrize(
    "content",
    [None, [], ([], None), ("ab", None), ([1, 2], None), ([1], "no"), ([], ValueError()), ([1], EngineError())],
)
def test_results_of_another_shape_are_refused(content: object) -> None:
    with pytest.raises(EngineError, match="answers what no worker"):
        dask_cluster._opened(Done("tcp://x:1", sent(content), 0.1), 1)


def test_results_arrive_as_they_were() -> None:
    arrays: list[Any] = [np.arange(3), np.float64(0.5), np.zeros((0, 2), np.int32)]
    values = ["tree", {"a": (1, {2})}, Path("a"), b"", None, 1.5]
    found, problem = dask_cluster._opened(Done("w", sent(([arrays, values], None)), 0.1), 2)
    assert problem is None and found[1] == values
    assert all(
        np.array_equal(one, other) and one.dtype == other.dtype for one, other in zip(found[0], arrays, strict=True)
    )
    found, problem = dask_cluster._opened(Done("w", sent(([], EngineError("it is bad"))), 0.1), 1)
    assert not found and str(problem) == "it is bad"


@contextmanager
def peer(answer: bytes | None) -> Iterator[str]:
    """Somebody who takes connections and says one thing, or nothing; their address."""
    taken: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def take() -> None:
            while True:
                try:
                    taken.append(server.accept()[0])
                except OSError:
                    return
                if answer is not None:
                    taken[-1].sendall(answer)

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        for one in taken:
            one.close()
        server.shutdown(socket.SHUT_RDWR)
    thread.join()


@pytest.mark.robust
@pytest.mark.parametrize(
    "answer", [None, b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 4096, b"\xff" * 64, b"SSH-2.0-OpenSSH_9.2\r\n"]
)
def test_a_wrong_peer_is_one_sentence(
    cli: Cli, classroom_model: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes | None
) -> None:
    monkeypatch.setattr(dask_cluster, "CONNECT_SECONDS", 1.0)
    monkeypatch.setattr(dask_cluster, "CLOSE_SECONDS", 1.0)
    with peer(answer) as place:
        began = time.monotonic()
        ran = cli("parse", "--model", classroom_model, "--cluster", f"tcp://{place}", stdin="Mary/NNP left/VBD\n")
        assert time.monotonic() - began < 20
    assert ran.status == 2 and not ran.out
    assert "no scheduler at tcp" in ran.err or "what is there is none" in ran.err
    assert len(ran.lines) == 0 and ran.err.count("\n") == 1


def certificates(folder: Path, name: str, authority: Path | None = None) -> Path:
    """A folder of certificates, signed by an authority of its own or by that of another folder."""
    made = folder / name
    made.mkdir()
    ca, cert, key = (made / one for one in CERTIFICATES)
    ca_key = made / "ca.key"

    def openssl(*arguments: object) -> None:
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    if authority is None:
        openssl("req", "-x509", *new, "-keyout", ca_key, "-out", ca, "-subj", "/CN=the cluster's", "-days", 2)
    else:
        shutil.copy(authority / ca.name, ca)
        shutil.copy(authority / ca_key.name, ca_key)
    request = made / "request.pem"
    openssl("req", *new, "-keyout", key, "-out", request, "-subj", f"/CN={name}")
    openssl("x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-CAcreateserial", "-out", cert, "-days", 2)
    return made


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl, which makes certificates, is not installed")
def test_certificates_that_cannot_be_used_are_one_sentence(
    cli: Cli, classroom_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = certificates(tmp_path, "good")
    empty = tmp_path / "empty"
    empty.mkdir()
    shuffled = tmp_path / "shuffled"
    shutil.copytree(good, shuffled)
    shutil.copy(good / "ca.key", shuffled / "key.pem")
    damaged = tmp_path / "damaged"
    shutil.copytree(good, damaged)
    (damaged / "ca.pem").write_text("no certificate")
    locked = tmp_path / "locked"
    shutil.copytree(good, locked)
    command = [
        "openssl",
        "pkcs8",
        "-topk8",
        "-in",
        good / "key.pem",
        "-out",
        locked / "key.pem",
        "-passout",
        "pass:abcd",
    ]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    for address, folder, said in (
        ("tls://127.0.0.1:1", empty, "there is no such file; it takes a folder with ca.pem, cert.pem and key.pem"),
        ("tcp://127.0.0.1:1", good, "uses none; write tls:// in place of tcp://"),
        ("tls://127.0.0.1:1", shuffled, "values mismatch"),
        ("tls://127.0.0.1:1", damaged, "these cannot be used ("),
        ("tls://127.0.0.1:1", locked, "these cannot be used ("),
    ):
        options = ("--cluster", address, "--cluster-certificates", folder)
        ran = cli("parse", "--model", classroom_model, *options, stdin="Mary/NNP left/VBD\n")
        assert ran.status == 2 and said.lower() in ran.err.lower() and ran.err.count("\n") == 1
    ran = cli("parse", "--model", classroom_model, "--cluster-certificates", good, stdin="Mary/NNP left/VBD\n")
    assert ran.status == 2 and "goes with --cluster" in ran.err


@pytest.mark.robust
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl, which makes certificates, is not installed")
def test_a_cluster_with_certificates_gives_the_same_and_speaks_with_nobody_else(
    cli: Cli, classroom_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed.security import Security

    machine = certificates(tmp_path, "machine")
    client = certificates(tmp_path, "client", machine)
    stranger = certificates(tmp_path, "stranger")
    ca, cert, key = (str(machine / name) for name in CERTIFICATES)
    security = Security(
        tls_ca_file=ca,
        require_encryption=True,
        **{
            f"tls_{role}_{what}": file
            for role in ("scheduler", "worker", "client")
            for what, file in (("cert", cert), ("key", key))
        },
    )
    store = tmp_path / "store"
    store.mkdir()
    (store / kernel_folder().name).symlink_to(kernel_folder())
    lines = "Mary/NNP saw/VBD the/DT man/NN with/IN the/DT telescope/NN ./.\n" * 5
    one = cli("parse", "--model", classroom_model, stdin=lines)
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        dashboard_address=None,
        env={"PARSE_ENGINE_CACHE": str(store)},
        protocol="tls://",
        security=security,
    ) as cluster:
        address = str(cluster.scheduler_address)
        assert address.startswith("tls://")
        parse = ("parse", "--model", classroom_model, "--cluster")
        assert cli(*parse, address, "--cluster-certificates", client, stdin=lines) == one
        monkeypatch.setattr(dask_cluster, "CONNECT_SECONDS", 2.0)
        for other in (
            (address, "--cluster-certificates", stranger),
            (address,),
            (address.replace("tls", "tcp"),),
        ):
            ran = cli(*parse, *other, stdin=lines)
            assert ran.status == 2 and not ran.out and ran.err.count("\n") == 1
            assert address.partition(":")[2] in ran.err


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("tcp://10.0.0.5:8786", True),
        ("10.0.0.5:8786", True),
        ("tcp://[fe80::1]:8786", True),
        ("tcp://cluster.example:8786", True),
        ("tls://10.0.0.5:8786", False),
        ("tcp://127.0.0.1:8786", False),
        ("localhost:8786", False),
        ("tcp://[::1]:8786", False),
    ],
)
def test_the_command_tells_where_others_could_run_code(address: str, told: bool) -> None:
    danger = danger_of(address)
    assert bool(danger) == told
    if told:
        assert "on this machine and on the workers" in danger and "tls://" in danger
