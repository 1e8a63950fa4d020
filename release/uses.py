"""Use the installed package with one of its extras: `python release/uses.py [EXTRA]`.

Each function succeeds if the extra is complete. `python -m release` runs this script in clean
environments, so imports are inside the functions.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import segue

_LOG: Final = Path(__file__).parents[1] / "samples" / "shift.jsonl"
_SECRET: Final = "a-secret-of-thirty-two-characters"  # noqa: S105 - protects nothing
_TRUTH: Final = _LOG.with_suffix(".truth.jsonl")


def check_the_log(log: Path = _LOG) -> None:
    """Check the sample log, and assert that it has the expected number of findings."""
    found = sum(len(report.findings) for report in segue.replay(log))
    assert found == len(_TRUTH.read_text("utf-8").splitlines()), found


def run_the_command() -> None:
    """Run `segue check` on the sample log, as the README does."""
    done = subprocess.run(
        [sys.executable, "-m", "segue", "check", str(_LOG)], capture_output=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert b"SG103" in done.stdout


def make_a_verifier() -> None:
    """Create a token verifier, which fails without PyJWT."""
    segue.JwtAuth(secret=_SECRET)


def load_the_server() -> None:
    """Load the ASGI application into uvicorn without opening a port."""
    import uvicorn

    run_the_command()
    with segue.Processor(store=segue.MemoryStore()) as processor:
        config = uvicorn.Config(segue.asgi(processor, auth=segue.JwtAuth(secret=_SECRET)))
        config.load()
        assert config.loaded


def miss_the_database() -> None:
    """Connect to a missing database, and expect the driver to report that it is missing."""
    with suppress(segue.errors.StoreUnavailable):
        segue.PostgresStore("postgresql://localhost:1/none").stats()
        raise AssertionError("there is no database at port 1")


def make_a_client() -> None:
    """Create a client, which needs the HTTP library of the extra."""
    import httpx2

    from segue.platform import Client

    with Client("http://localhost:1", token=_SECRET):
        assert httpx2.__version__


def read_a_compressed_log() -> None:
    """Check a copy of the sample log that is compressed with Zstandard."""
    zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "shift.jsonl.zst"
        copy.write_bytes(zstd.compress(_LOG.read_bytes()))
        check_the_log(copy)


def read_a_table() -> None:
    """Check a copy of the sample log in Parquet."""
    import duckdb

    with TemporaryDirectory() as folder, duckdb.connect() as database:
        copy = Path(folder) / "shift.parquet"
        lines = _LOG.read_text("utf-8").splitlines()
        database.execute("CREATE TABLE log AS SELECT unnest($1) AS body", [lines])
        database.execute(f"COPY log TO '{copy}' (FORMAT parquet)")
        assert any(report.findings for report in segue.replay(copy))


def check_on_spark() -> None:
    """Check the sample log in a local Spark session, if a JVM is installed."""
    import segue.spark

    if shutil.which("java"):
        from pyspark.sql import SparkSession

        session = SparkSession.builder.master("local[1]").getOrCreate()
        assert segue.spark.check(session, [str(_LOG)]).where("not valid").count()
        session.stop()


def draw_a_conversation() -> None:
    """Draw valid conversations from a Hypothesis strategy and check them."""
    import pytest
    from hypothesis import HealthCheck, given, settings

    from segue.testing import valid_streams

    @settings(max_examples=5, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(valid_streams())
    def is_valid(stream: list[dict[str, object]]) -> None:
        assert segue.check(stream).valid

    is_valid()
    assert pytest.__version__


def trace_a_request() -> None:
    """Create the observer that records OpenTelemetry spans."""
    from segue.server.adapters.otel import OpenTelemetryObserver

    OpenTelemetryObserver()


def count_requests() -> None:
    """Create the observer that counts requests for Prometheus, and export its counts."""
    from prometheus_client import generate_latest

    from segue.server.adapters.prometheus import PrometheusObserver

    PrometheusObserver()
    assert b"segue_request_seconds" in generate_latest()


def read_natively() -> None:
    """Check the sample log with the accelerator, and assert that it is in use."""
    from segue.logs.native import engine_name

    assert engine_name() == f"segue-native {segue.__version__}", engine_name()
    check_the_log()


USES: Final[Mapping[str, Callable[[], None]]] = {
    "": check_the_log,
    "cli": run_the_command,
    "jwt": make_a_verifier,
    "serve": load_the_server,
    "postgres": miss_the_database,
    "client": make_a_client,
    "zstd": read_a_compressed_log,
    "duckdb": read_a_table,
    "spark": check_on_spark,
    "testing": draw_a_conversation,
    "otel": trace_a_request,
    "prometheus": count_requests,
    "native": read_natively,
}
"""The function that uses each extra, by the name of the extra.

The extra `native` is the accelerator, which has its own wheel.
"""

if __name__ == "__main__":
    USES[sys.argv[1] if sys.argv[1:] else ""]()
