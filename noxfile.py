"""The tasks of a developer, in the environment that nox is installed in: `nox -s tests`.

`nox --list` shows them all. What follows `--` is passed on: `nox -s tests -- tests/core`.
"""

import nox

nox.options.default_venv_backend = "none"  # `pip install -e ".[dev]"` brought all they need
nox.options.sessions = ["lint", "types", "tests"]
nox.options.stop_on_first_error = True

_BENCHMARKS = ("check", "memory", "jobs", "serve", "stores", "startup")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the default tests: five minutes on two cores."""
    session.run("python", "-m", "pytest", "-n", "2", *session.posargs)


@nox.session
def thorough(session: nox.Session) -> None:
    """Run the thorough tests: mutants, kills, browsers, Spark, every stream."""
    session.run("python", "-m", "pytest", "-n", "2", "-m", "thorough", *session.posargs)


@nox.session(venv_backend="uv")
def lowest(session: nox.Session) -> None:
    """Run the default tests with the lowest versions that the project allows."""
    session.run_install("uv", "pip", "install", "--resolution=lowest-direct", "--editable=.[dev]")
    session.run("python", "-m", "pytest", "-n", "2", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, format and import contracts."""
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("lint-imports")


@nox.session
def types(session: nox.Session) -> None:
    """Check the types of sources, tests and scripts."""
    session.run("mypy", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Check that generated pages are current, and measure the prose."""
    session.run("python", "-m", "docs.generate", "--check")
    session.run("python", "-m", "docs.prose", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Run benchmarks, by default those of the check, memory, processes, server and stores."""
    for name in session.posargs or _BENCHMARKS:
        session.run("python", f"benchmarks/{name}.py")
