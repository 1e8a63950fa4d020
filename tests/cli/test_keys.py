"""`segue keys` and `segue token`: what is made, that a server accepts it, and what is refused."""

import stat
import sys
from pathlib import Path
from typing import Any

import jwt
import pytest
from tests.cli.command import Segue

from segue import ConfigurationError, JwtAuth
from segue.cli.credentials import sign_token
from segue.server import Principal, Problem
from segue.server.http import Headers
from segue.server.processor import drive

SECRET = "correct-horse-battery-staple-0123456789"  # noqa: S105 - of these tests


def sender(auth: JwtAuth, token: str) -> Principal | Problem:
    """Who sends a request with this token."""
    found: Principal | Problem = drive(auth.authenticate(Headers([("auth", token)])))
    return found


def claims(token: str) -> dict[str, Any]:
    found: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return found


def test_a_secret_is_printed_or_written_for_its_owner(segue: Segue, tmp_path: Path) -> None:
    printed = segue("keys")

    assert (printed.code, printed.err) == (0, "")
    assert len(printed.out.strip()) == 64
    assert segue("keys").out != printed.out
    done = segue("keys", "--output", "secret")
    assert done == (0, "", "segue: secret: give it to segue serve by --jwt-secret-file\n")
    assert len((tmp_path / "secret").read_text().strip()) == 64
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_a_short_secret_signs_and_is_mentioned_once(segue: Segue, tmp_path: Path) -> None:
    (tmp_path / "short").write_text("31 bytes are too few in a key !")
    (tmp_path / "enough").write_text("32 bytes are just enough for it!")

    done = segue("token", "--secret-file", "short")

    assert done.code == 0
    assert claims(done.out.strip())["appId"] == "segue"
    assert done.err == (
        "segue: the secret is shorter than 32 bytes, which segue serve refuses: "
        "make one with segue keys\n"
    )
    assert segue("token", "--secret-file", "enough").err == ""


@pytest.mark.parametrize(
    ("kind", "algorithm"), [("ed25519", "EdDSA"), ("ec", "ES256"), ("rsa", "RS256")]
)
def test_a_pair_signs_what_its_public_key_verifies(
    segue: Segue, tmp_path: Path, kind: str, algorithm: str
) -> None:
    done = segue("keys", "--kind", kind, "--output", "key")

    assert done == (0, "", "segue: key signs; give key.pub to segue serve by --jwt-key-file\n")
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    token = segue("token", "--key-file", "key", "--key-id", "k-1", "--client", "cs-1").out.strip()
    assert jwt.get_unverified_header(token) == {"alg": algorithm, "kid": "k-1", "typ": "JWT"}
    auth = JwtAuth(keys={"k-1": (tmp_path / "key.pub").read_text()}, require_exp=True)
    answer = sender(auth, token)
    assert isinstance(answer, Principal)
    assert answer.client_id == "cs-1"


def test_a_token_says_what_is_asked_for(
    segue: Segue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEGUE_SECRET", SECRET)
    options = ["--scope", "Events Transcription", "--expires", "1h", "--claim", "iss=me"]

    done = segue("token", *options, "--claim", 'bots=["st-1"]', "--claim", "n=7")

    found = claims(done.out.strip())
    assert (done.code, done.err) == (0, "")
    assert found["exp"] - found["iat"] == 3600
    assert found["appId"] == "segue"
    assert (found["scope"], found["iss"]) == ("Events Transcription", "me")
    assert (found["bots"], found["n"]) == (["st-1"], 7)
    assert isinstance(sender(JwtAuth(secret=SECRET, require_exp=True), done.out.strip()), Principal)
    odd = [f"--claim=x{n}={text}" for n, text in enumerate(("NaN", "[Infinity]", "1e999"))]
    values = claims(segue("token", *odd).out.strip())
    assert [values[f"x{n}"] for n in range(3)] == ["NaN", "[Infinity]", "1e999"]  # none is JSON
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    by_file = segue("token", "--secret-file", "secret").out.strip()
    assert isinstance(sender(JwtAuth(secret=SECRET), by_file), Principal)
    assert "scope" not in claims(by_file)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["token"],
            "the environment variable SEGUE_SECRET is empty or not set: set it, or name another",
        ),
        (["token", "--secret-env", "NONE"], "the environment variable NONE is empty or not set"),
        (
            ["token", "--secret-file", "x", "--key-file", "x"],
            "several secrets or keys are given: give one, from one place",
        ),
        (["token", "--key-file", "there"], "the key cannot sign: it is not a private key in PEM"),
        (
            ["token", "--secret-file", "pair"],
            "the secret cannot sign: it is a key of a pair, so give the private one as --key-file",
        ),
        (
            ["token", "--secret-file", "there", "--claim", f"a={'[' * 100_000}"],
            "a VALUE of --claim is nested too deeply",
        ),
        (
            ["token", "--secret-file", "there", "--claim", "iss"],
            "--claim takes NAME=VALUE, such as iss=me, not 'iss'",
        ),
        (["token", "--secret-file", "there", "--expires", "1"], "--expires takes a duration"),
        (["keys", "--kind", "rsa"], "a key pair is two files: give --output FILE"),
        (["keys", "--output", "there"], "there exists already: give --output another file"),
        (["keys", "--output", "none/x"], "none/x cannot be written"),
    ],
)
def test_what_cannot_be_is_said(
    segue: Segue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.delenv("SEGUE_SECRET", raising=False)
    (tmp_path / "there").write_text(SECRET)
    segue("keys", "--kind", "ed25519", "--output", "pair")

    done = segue(*arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"segue: {message}")
    assert SECRET not in done.err
    assert (tmp_path / "there").read_text() == SECRET


@pytest.mark.parametrize("name", ["key", "key.pub"])
def test_of_a_pair_both_files_are_written_or_none(segue: Segue, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("in use")

    done = segue("keys", "--kind", "ed25519", "--output", "key")

    assert done.err == f"segue: {name} exists already: give --output another file\n"
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "in use"


def test_a_claim_may_be_of_any_type(segue: Segue, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET)

    token = segue("token", "--secret-file", "secret", "--claim", "iss=5").out.strip()

    assert b'"iss": 5' in jwt.PyJWS().decode(token, SECRET, algorithms=["HS256"])
    assert sender(JwtAuth(secret=SECRET, issuer="me"), token) is Problem.BAD_TOKEN


def test_without_the_extra_it_says_what_to_install(
    segue: Segue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)

    done = segue("keys", "--kind", "ec", "--output", "key")

    assert done.err == 'segue: making keys needs an extra: python -m pip install "segue[jwt]"\n'


def test_a_public_key_cannot_sign(segue: Segue, tmp_path: Path) -> None:
    segue("keys", "--kind", "ec", "--output", "key")

    with pytest.raises(ConfigurationError, match="the key cannot sign"):
        sign_token((tmp_path / "key.pub").read_text(), {}, None)
