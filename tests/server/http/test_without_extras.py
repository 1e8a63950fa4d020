"""What needs an extra says which one; the rest of the server side needs none."""

import subprocess
import sys
from textwrap import dedent

import pytest

BLOCK = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"jwt", "prometheus_client", "opentelemetry", "rich", "click"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
"""


def run(script: str) -> str:
    """The output of a script in an interpreter in which no extra is installed."""
    done = subprocess.run(
        [sys.executable, "-c", BLOCK + dedent(script)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("segue.server.http.jwt", "jwt"),
        ("segue.server.adapters.prometheus", "prometheus"),
        ("segue.server.adapters.otel", "otel"),
    ],
)
def test_what_needs_an_extra_says_which(name: str, extra: str) -> None:
    output = run(f"""
        import segue
        try:
            __import__("{name}")
        except segue.ConfigurationError as error:
            print(error)
    """)

    assert f'pip install "segue[{extra}]"' in output
    assert output.count("\n") == 1


def test_the_adapters_need_no_extra() -> None:
    output = run("""
        import segue
        processor = segue.Processor(store=segue.MemoryStore())
        for adapter in (segue.asgi, segue.wsgi, segue.server.aws_lambda):
            adapter(processor, auth=segue.NoAuth(), read=True)
        app = segue.wsgi(processor, auth=segue.NoAuth())
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/openapi.json"}
        app(environ, lambda status, headers: print(status))
    """)

    assert output == "200 OK\n"
