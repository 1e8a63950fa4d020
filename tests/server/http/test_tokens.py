"""Odd and forged tokens: each row is refused, for every algorithm, and the plain token is not."""

import base64
import json
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given, strategies as st
from tests.families import family
from tests.server.http.tokens import (
    ALGORITHMS,
    SECRET,
    Kit,
    authenticate,
    encode,
    mac,
    now,
    pem,
    private,
    signature,
    text,
)

from segue import JwtAuth
from segue.server.http import Principal, Problem

KITS = {algorithm: Kit(algorithm) for algorithm in ALGORITHMS}
AUTHS = {algorithm: JwtAuth(**KITS[algorithm].settings()) for algorithm in ALGORITHMS}
FAR = 4_000_000_000


def swapped(token: str, part: int, value: str) -> str:
    parts = token.split(".")
    parts[part] = value
    return ".".join(parts)


def flipped(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


def loose(token: str) -> str:
    """The same bytes, with unused bits of the last character set."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    last = alphabet.index(token[-1])
    assert last % 4 == 0  # 32, 64 and 256 bytes all leave at least two bits
    return token[:-1] + alphabet[last + 1]


def other(kit: Kit) -> Kit:
    return KITS["RS256" if kit.algorithm == "HS256" else "HS256"]


def raw_head(kit: Kit, before: str) -> bytes:
    return f'{{{before}"alg":"{kit.algorithm}"}}'.encode()


FORGED: dict[str, Callable[[Kit], str]] = {
    # The algorithm.
    "no algorithm, no signature": lambda _: f"{text({'alg': 'none'})}.{text({})}.",
    "None": lambda kit: kit.token(head={"alg": "None"}),
    "NONE": lambda kit: kit.token(head={"alg": "NONE"}),
    "none with the right signature": lambda kit: kit.token(head={"alg": "none"}),
    "alg missing": lambda kit: kit.token(head={"typ": "JWT"}),
    "alg null": lambda kit: kit.token(head={"alg": None}),
    "alg empty": lambda kit: kit.token(head={"alg": ""}),
    "alg a number": lambda kit: kit.token(head={"alg": 256}),
    "alg a list": lambda kit: kit.token(head={"alg": [kit.algorithm]}),
    "alg an object": lambda kit: kit.token(head={"alg": {kit.algorithm: 1}}),
    "alg in lower case": lambda kit: kit.token(head={"alg": kit.algorithm.lower() + " "}),
    "alg of another family": lambda kit: kit.token(head=other(kit).head),
    "alg unknown": lambda kit: kit.token(head={"alg": "HS1"}),
    "a stronger one than configured": lambda kit: kit.token(head={"alg": "HS512"}),
    "signed with the public key as a secret": lambda kit: kit.token(
        head={"alg": "HS256"}, sign=lambda data: mac(data, pem("RS256"))
    ),
    "signed with its own public key as a secret": lambda kit: kit.token(
        head={"alg": kit.algorithm},
        sign=lambda data: mac(data, pem("ES256" if kit.algorithm == "HS256" else kit.algorithm)),
    ),
    "signed with an empty secret": lambda kit: kit.token(sign=lambda data: mac(data, b"")),
    # The signature.
    "no signature": lambda kit: swapped(kit.token(), 2, ""),
    "signature of zeros": lambda kit: kit.token(sign=lambda _: bytes(64)),
    "signature cut": lambda kit: kit.token(sign=lambda data: signature(kit.algorithm, data)[:-1]),
    "signature longer": lambda kit: kit.token(
        sign=lambda data: signature(kit.algorithm, data) + b"\0"
    ),
    "one bit flipped": lambda kit: kit.token(
        sign=lambda data: flipped(signature(kit.algorithm, data))
    ),
    "somebody else's key": lambda kit: kit.token(key=1),
    "signature of other claims": lambda kit: swapped(
        kit.token(), 2, kit.token({"appId": "cs-2"}).split(".")[2]
    ),
    "claims changed": lambda kit: swapped(kit.token(), 1, text({"appId": "cs-2"})),
    "header changed": lambda kit: swapped(kit.token(), 0, text({**kit.head, "kid": "k"})),
    # The text.
    "empty parts": lambda _: "..",
    "a part of one letter": lambda kit: swapped(kit.token(), 0, "A"),
    "one part": lambda kit: kit.token().replace(".", ""),
    "two parts": lambda kit: kit.token().rpartition(".")[0],
    "four parts": lambda kit: kit.token() + ".e30",
    "five parts": lambda kit: f"{kit.token()}.e30.e30",
    "dot in front": lambda kit: "." + kit.token(),
    "padding behind": lambda kit: kit.token() + "=",
    "padding behind, two": lambda kit: kit.token() + "==",
    "padding in the header": lambda kit: kit.token(head={**kit.head, "x": 1}).replace(".", "=.", 1),
    "padding in the claims": lambda kit: "=.".join(kit.token().rsplit(".", 1)),
    "a space in it": lambda kit: kit.token().replace(".", ". ", 1),
    "a line end in it": lambda kit: kit.token().replace(".", ".\n", 1),
    "a tab in it": lambda kit: kit.token().replace(".", "\t.", 1),
    "a comma behind": lambda kit: kit.token() + ",",
    "two of them": lambda kit: f"{kit.token()},{kit.token()}",
    "quotes around": lambda kit: f'"{kit.token()}"',
    "the other alphabet": lambda kit: swapped(kit.token(), 2, "+/" * 43),
    "no letter of the alphabet": lambda kit: swapped(kit.token(), 2, "é" * 43),
    "NUL": lambda kit: kit.token() + "\0",
    "full width letters": lambda kit: swapped(kit.token(), 2, "\uff21" * 43),
    "unused bits set": lambda kit: loose(kit.token()),
    "Bearer twice": lambda kit: f"Bearer Bearer {kit.token()}",
    "Basic": lambda _: "Basic " + base64.b64encode(b"ada:secret").decode(),
    "longer than 8 KiB": lambda kit: kit.token({"x": "x" * 8192}),
    # The header.
    "alg twice": lambda kit: kit.token(head=raw_head(kit, '"alg":"none",')),
    "alg twice, the same": lambda kit: kit.token(head=raw_head(kit, f'"alg":"{kit.algorithm}",')),
    "kid twice": lambda kit: kit.token(head=raw_head(kit, '"kid":"a","kid":"b",')),
    "kid a number": lambda kit: kit.token(head={**kit.head, "kid": 1}),
    "kid a list": lambda kit: kit.token(head={**kit.head, "kid": ["a"]}),
    "critical": lambda kit: kit.token(head={**kit.head, "crit": ["b64"], "b64": True}),
    "critical, unknown": lambda kit: kit.token(head={**kit.head, "crit": ["x"], "x": 1}),
    "critical, empty": lambda kit: kit.token(head={**kit.head, "crit": []}),
    "detached": lambda kit: kit.token(head={**kit.head, "b64": False}),
    "compressed": lambda kit: kit.token(head={**kit.head, "zip": "DEF"}),
    "encrypted": lambda kit: kit.token(head={**kit.head, "enc": "A128GCM"}),
    "header a list": lambda kit: kit.token(head=[kit.head]),
    "header a string": lambda kit: kit.token(head=kit.algorithm),
    "header empty": lambda kit: kit.token(head=b""),
    "header not JSON": lambda kit: kit.token(head=b"{"),
    "header not UTF-8": lambda kit: kit.token(
        head=raw_head(kit, '"x":"\xff",').decode().encode("latin-1")
    ),
    "header with NaN": lambda kit: kit.token(head=raw_head(kit, '"x":NaN,')),
    "brings its own key": lambda kit: kit.token(
        head={**kit.head, "jwk": {"kty": "oct", "k": "AAAA"}}, key=1
    ),
    "says where its key is": lambda kit: kit.token(
        head={**kit.head, "jku": "https://evil.example/keys"}, key=1
    ),
    "brings its own certificate": lambda kit: kit.token(head={**kit.head, "x5c": ["AAAA"]}, key=1),
    "key is a file": lambda kit: kit.token(
        head={**kit.head, "kid": "../../../dev/null"}, sign=lambda data: mac(data, b"")
    ),
    "key is a query": lambda kit: kit.token(
        head={**kit.head, "kid": "' or 1=1"}, sign=lambda data: mac(data, b"1")
    ),
    # The claims.
    "claims a list": lambda kit: kit.token([]),
    "claims a string": lambda kit: kit.token("cs-1"),
    "claims null": lambda kit: kit.token(b"null"),
    "claims not JSON": lambda kit: kit.token(b"{appId}"),
    "claims not UTF-8": lambda kit: kit.token(b'{"appId":"\xff"}'),
    "claims in UTF-16": lambda kit: kit.token(json.dumps({"appId": "c"}).encode("utf-16")),
    "claims with NaN": lambda kit: kit.token(b'{"x":NaN}'),
    "claims behind a byte order mark": lambda kit: kit.token("\ufeff{}".encode()),
    "claims with a NUL": lambda kit: kit.token(rb'{"x":"\u0000"}'),
    "claims very deep": lambda kit: kit.token(b"[" * 2500 + b"]" * 2500),
    "exp twice": lambda kit: kit.token(b'{"exp":1,"exp":4000000000}'),
    "appId twice": lambda kit: kit.token(b'{"appId":"cs-1","appId":"cs-2"}'),
    "a claim twice further in": lambda kit: kit.token(b'{"x":{"a":1,"a":2}}'),
    "exp past": lambda kit: kit.token({"exp": now() - 120}),
    "exp 1970": lambda kit: kit.token({"exp": 0}),
    "exp before that": lambda kit: kit.token({"exp": -1}),
    "exp in digits": lambda kit: kit.token({"exp": str(FAR)}),
    "exp words": lambda kit: kit.token({"exp": "tomorrow"}),
    "exp null": lambda kit: kit.token({"exp": None}),
    "exp true": lambda kit: kit.token({"exp": True}),
    "exp a list": lambda kit: kit.token({"exp": [FAR]}),
    "exp an object": lambda kit: kit.token({"exp": {"$date": FAR}}),
    "exp for ever": lambda kit: kit.token(b'{"exp":1e999}'),
    "exp of a thousand digits": lambda kit: kit.token(b'{"exp":' + b"9" * 1000 + b"}"),
    "exp of five thousand digits": lambda kit: kit.token(b'{"exp":' + b"9" * 5000 + b"}"),
    "exp in milliseconds": lambda kit: kit.token({"exp": FAR * 1000}),
    "nbf to come": lambda kit: kit.token({"nbf": now() + 120}),
    "nbf in digits": lambda kit: kit.token({"nbf": "0"}),
    "nbf null": lambda kit: kit.token({"nbf": None}),
    "nbf false": lambda kit: kit.token({"nbf": False}),
    "iat in digits": lambda kit: kit.token({"iat": "0"}),
    "iat null": lambda kit: kit.token({"iat": None}),
}

FINE: dict[str, Callable[[Kit], str]] = {
    "plain": lambda kit: kit.token(),
    "no claims": lambda kit: kit.token({}),
    "without typ": lambda kit: kit.token(head={"alg": kit.algorithm}),
    "with a key name": lambda kit: kit.token(head={**kit.head, "kid": "any"}),
    "to end": lambda kit: kit.token({"exp": now() + 60}),
    "just ended": lambda kit: kit.token({"exp": now() - 20}),
    "end with a fraction": lambda kit: kit.token({"exp": now() + 60.5}),
    "just to begin": lambda kit: kit.token({"nbf": now() + 20}),
    "issued later": lambda kit: kit.token({"iat": now() + 3600}),
    "for somebody": lambda kit: kit.token({"aud": "other", "iss": "whoever", "sub": 7, "jti": 7}),
    "with Bearer": lambda kit: f"Bearer {kit.token()}",
    "with bearer": lambda kit: f"bearer  {kit.token()}",
    "nearly 8 KiB": lambda kit: kit.token({"x": "x" * 5000}),
}


def test_half_a_minute_after_its_end_a_token_is_over() -> None:
    """Or a little later: the token is made before it is looked at."""
    auth = JwtAuth(secret=SECRET)
    for over in (now() - 30, (now() + 60) * 1000):
        answer = authenticate(auth, {"auth": KITS["HS256"].token({"exp": over})})

        assert answer is Problem.BAD_TOKEN


def test_the_table_is_as_long_as_it_has_to_be() -> None:
    assert len(FORGED) * len(ALGORITHMS) >= 400
    assert len(FORGED) >= 100


@family("algorithm", ALGORITHMS)
@family("name", FORGED)
def test_a_forged_token_is_refused(name: str, algorithm: str) -> None:
    token = FORGED[name](KITS[algorithm])

    answer = authenticate(AUTHS[algorithm], {"auth": token})

    assert answer is Problem.BAD_TOKEN


@family("algorithm", ALGORITHMS)
@family("name", FINE)
def test_a_token_that_is_only_unusual_is_accepted(name: str, algorithm: str) -> None:
    token = FINE[name](KITS[algorithm])

    answer = authenticate(AUTHS[algorithm], {"auth": token})

    assert isinstance(answer, Principal)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_token_of_one_algorithm_is_accepted_for_another(algorithm: str) -> None:
    accepted = {
        name for name, auth in AUTHS.items()
        if authenticate(auth, {"auth": KITS[algorithm].token()}) is not Problem.BAD_TOKEN
    }  # fmt: skip

    assert accepted == {algorithm}


def test_an_elliptic_signature_in_the_wrong_encoding_is_refused() -> None:
    key = private("ES256")
    assert isinstance(key, ec.EllipticCurvePrivateKey)

    token = KITS["ES256"].token(sign=lambda data: key.sign(data, ec.ECDSA(hashes.SHA256())))

    assert authenticate(AUTHS["ES256"], {"auth": token}) is Problem.BAD_TOKEN


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_token_with_one_character_changed_is_refused_wherever_it_is(algorithm: str) -> None:
    token = KITS[algorithm].token()
    accepted = []
    for place in range(0, len(token), 3):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        if authenticate(AUTHS[algorithm], {"auth": changed}) is not Problem.BAD_TOKEN:
            accepted.append(place)

    assert accepted == []


@given(st.text(max_size=60), st.sampled_from(["auth", "token", "authorization"]))
def test_whatever_a_header_holds_is_answered(value: str, name: str) -> None:
    """Any header at all is answered with a problem, never with an exception."""
    answer = authenticate(AUTHS["HS256"], {name: value})

    assert answer in (Problem.NO_TOKEN, Problem.BAD_TOKEN)


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_whatever_is_signed_is_answered(head: bytes, claims: bytes) -> None:
    """Even the right signature of any bytes at all gives a principal or a problem."""
    for algorithm in ("HS256", "EdDSA"):
        for heads in (head, KITS[algorithm].head):
            answer = authenticate(
                AUTHS[algorithm], {"auth": KITS[algorithm].token(claims, head=heads)}
            )

            assert isinstance(answer, Principal | Problem)


@pytest.mark.parametrize("depth", [100, 1000, 2500])
def test_a_token_as_deep_as_a_header_is_long_raises_nothing(depth: int) -> None:
    """How deep JSON may be is the interpreter's to say; that it is answered is ours."""
    kit, deep = KITS["HS256"], b"[" * depth + b"]" * depth
    head = raw_head(kit, f'"x":{deep.decode()},')
    forged = kit.token(head=head, key=1)

    answers = [
        authenticate(AUTHS["HS256"], {"auth": token})
        for token in (kit.token(head=head), kit.token(b'{"x":' + deep + b"}"))
    ]

    assert all(isinstance(answer, Principal | Problem) for answer in answers)
    assert authenticate(AUTHS["HS256"], {"auth": forged}) is Problem.BAD_TOKEN


@pytest.mark.parametrize("length", range(20))
def test_a_header_may_have_any_length(length: int) -> None:
    kit = KITS["HS256"]
    token = kit.token(head={**kit.head, "kid": "k" * length})

    assert isinstance(authenticate(AUTHS["HS256"], {"auth": token}), Principal)


def test_secrets_of_which_one_replaces_the_other_are_both_accepted() -> None:
    auth = JwtAuth(secrets=[SECRET, "a-new-secret-of-more-than-32-bytes!"])
    kit = KITS["HS256"]
    new = kit.token(sign=lambda data: mac(data, b"a-new-secret-of-more-than-32-bytes!"))

    assert isinstance(authenticate(auth, {"auth": kit.token()}), Principal)
    assert isinstance(authenticate(auth, {"auth": new}), Principal)
    assert authenticate(auth, {"auth": kit.token(key=1)}) is Problem.BAD_TOKEN


def test_milliseconds_are_read_where_that_is_configured() -> None:
    auth = JwtAuth(secret=SECRET, milliseconds=True)
    kit = KITS["HS256"]

    def accepted(**claims: object) -> bool:
        return isinstance(authenticate(auth, {"auth": kit.token(claims)}), Principal)

    assert accepted(exp=(now() + 60) * 1000, iat=now() * 1000)
    assert accepted(exp=now() + 60)
    assert not accepted(exp=(now() - 60) * 1000)
    assert not accepted(exp=now() - 60)
    assert not accepted(nbf=(now() + 60) * 1000)


@pytest.mark.parametrize(
    ("settings", "claims", "accepted"),
    [
        ({"require_exp": True}, {}, False),
        ({"require_exp": True}, {"exp": FAR}, True),
        ({"audience": "segue"}, {}, False),
        ({"audience": "segue"}, {"aud": "other"}, False),
        ({"audience": "segue"}, {"aud": ["other", "segue"]}, True),
        ({"audience": ["segue", "hook"]}, {"aud": "hook"}, True),
        ({"audience": "segue"}, {"aud": 1}, False),
        ({"audience": "segue"}, {"aud": [["segue"]]}, False),
        ({"issuer": "cs-1"}, {}, False),
        ({"issuer": "cs-1"}, {"iss": "cs-2"}, False),
        ({"issuer": "cs-1"}, {"iss": "cs-1"}, True),
        ({"issuer": "cs-12"}, {"iss": "cs-1"}, False),
        ({"issuer": ["cs-1", "cs-2"]}, {"iss": "cs-2"}, True),
        ({"issuer": "cs-1"}, {"iss": ["cs-1"]}, False),
        ({"leeway": 0}, {"exp": now() - 1}, False),
        ({"leeway": 0}, {}, True),
    ],
)
def test_claims_are_checked_where_that_is_configured(
    settings: dict[str, object], claims: dict[str, object], *, accepted: bool
) -> None:
    auth = JwtAuth(secret=SECRET, **settings)  # type: ignore[arg-type]

    answer = authenticate(auth, {"auth": KITS["HS256"].token(claims)})

    assert isinstance(answer, Principal) is accepted


def test_a_list_that_can_be_read_once_is_kept() -> None:
    auth = JwtAuth(secret=SECRET, audience=iter(["segue"]), issuer=iter(["cs-1"]))
    token = KITS["HS256"].token({"aud": "segue", "iss": "cs-1"})

    assert [type(authenticate(auth, {"auth": token})) for _ in range(2)] == [Principal, Principal]


def test_helpers_make_what_the_library_makes() -> None:
    import jwt  # noqa: PLC0415 - compared with, once

    for algorithm in ALGORITHMS:
        key = SECRET if algorithm == "HS256" else pem(algorithm)
        claims = jwt.decode(KITS[algorithm].token(), key, algorithms=[algorithm])
        assert claims == {"appId": "cs-1"}
    assert encode(b"\xff") == "_w"


REFUSED: dict[str, tuple[JwtAuth, str, str]] = {
    "no JWT": (AUTHS["HS256"], "abc", "it is not a JWT, or its header has b64, crit, enc or zip"),
    "too long": (AUTHS["HS256"], "x" * 8193, "it is longer than 8192 characters"),
    "another algorithm": (
        AUTHS["HS256"],
        KITS["RS256"].token(),
        "its algorithm is not one of HS256",
    ),
    "another key": (
        AUTHS["HS256"],
        KITS["HS256"].token(key=1),
        "no key that it may be signed with verifies its signature",
    ),
    "no times": (
        AUTHS["HS256"],
        KITS["HS256"].token({"exp": "soon"}),
        "exp, nbf or iat is not a time in seconds",
    ),
    "no end": (JwtAuth(secret=SECRET, require_exp=True), KITS["HS256"].token(), "it has no exp"),
    "ended": (AUTHS["HS256"], KITS["HS256"].token({"exp": 1}), "it has expired"),
    "to begin": (
        AUTHS["HS256"],
        KITS["HS256"].token({"nbf": 99_999_999_999}),
        "it is not valid yet (nbf)",
    ),
    "for another": (
        JwtAuth(secret=SECRET, audience="us"),
        KITS["HS256"].token({"aud": "them"}),
        "its aud is another",
    ),
    "of another": (
        JwtAuth(secret=SECRET, issuer="us"),
        KITS["HS256"].token({"iss": "them"}),
        "its iss is another",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_log_says_why_a_token_is_refused_and_nothing_of_it(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    auth, token, reason = REFUSED[name]

    with caplog.at_level("INFO", "segue.http"):
        assert authenticate(auth, {"auth": token}) is Problem.BAD_TOKEN

    assert [record.getMessage() for record in caplog.records] == [
        f"a token is not accepted: {reason}"
    ]


@pytest.mark.parametrize("headers", [{}, {"auth": ""}, {"authorization": "Basic dTpw"}])
def test_the_log_says_that_there_is_no_token(
    headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "segue.http"):
        assert authenticate(AUTHS["HS256"], headers) is Problem.NO_TOKEN

    assert [record.getMessage() for record in caplog.records] == [
        "a token is missing: it comes as auth, as token, or as Authorization: Bearer"
    ]


def test_the_log_says_that_two_headers_differ(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "segue.http"):
        authenticate(AUTHS["HS256"], {"auth": "one", "token": "other"})
        authenticate(AUTHS["HS256"], {"auth": KITS["HS256"].token([])})

    assert [record.getMessage() for record in caplog.records] == [
        "a token is not accepted: the headers auth and token have different ones",
        "a token is not accepted: its claims are not an object",
    ]
