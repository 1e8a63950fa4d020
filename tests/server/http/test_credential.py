"""Which header is the credential, by the table of the design; then what a principal may do."""

import pytest
from tests.server.http.tokens import SECRET, Kit, authenticate, pem, private

from segue import ConfigurationError, JwtAuth, NoAuth
from segue.server.http import Headers, Principal, Problem
from segue.server.http.jwt.authenticator import credential

KIT = Kit("HS256")
GOOD = KIT.token()
ALSO = KIT.token({"appId": "cs-2"})
BAD = KIT.token(key=1)
AUTH = JwtAuth(secret=SECRET)

HEADERS: dict[str, tuple[list[tuple[str, str]], object]] = {
    "auth": ([("auth", GOOD)], "cs-1"),
    "token": ([("token", GOOD)], "cs-1"),
    "authorization": ([("authorization", f"Bearer {GOOD}")], "cs-1"),
    "any letter case": ([("AuTh", GOOD)], "cs-1"),
    "spaces around": ([("auth", f"  {GOOD}\t")], "cs-1"),
    "prefix in auth": ([("auth", f"Bearer {GOOD}")], "cs-1"),
    "prefix in token": ([("token", f"bEARER {GOOD}")], "cs-1"),
    "the sample of E1": ([("auth", GOOD), ("authorization", "bearer xyz")], "cs-1"),
    "authorization is not read": ([("auth", GOOD), ("authorization", f"Bearer {ALSO}")], "cs-1"),
    "authorization does not help": ([("auth", BAD), ("authorization", f"Bearer {GOOD}")], 401),
    "token before authorization": ([("token", GOOD), ("authorization", f"Bearer {ALSO}")], "cs-1"),
    "auth and token agree": ([("auth", GOOD), ("token", GOOD)], "cs-1"),
    "they agree but for the prefix": ([("auth", f"Bearer {GOOD}"), ("token", GOOD)], "cs-1"),
    "auth and token differ": ([("auth", GOOD), ("token", ALSO)], 401),
    "a good and a bad one": ([("auth", GOOD), ("token", BAD)], 401),
    "a good and an empty one": ([("auth", GOOD), ("token", "")], 401),
    "auth twice": ([("auth", GOOD), ("auth", GOOD)], 401),
    "auth twice, different": ([("auth", GOOD), ("auth", ALSO)], 401),
    "auth twice, one empty": ([("auth", GOOD), ("auth", "")], 401),
    "auth twice, cases": ([("Auth", GOOD), ("AUTH", GOOD)], 401),
    "token twice": ([("token", GOOD), ("token", GOOD)], 401),
    "authorization twice": (
        [("authorization", f"Bearer {GOOD}"), ("authorization", f"Bearer {GOOD}")],
        401,
    ),
    "nothing": ([], 401),
    "auth empty": ([("auth", "")], 401),
    "auth empty, token fine": ([("auth", ""), ("token", GOOD)], 401),
    "auth empty, authorization fine": ([("auth", ""), ("authorization", f"Bearer {GOOD}")], 401),
    "prefix alone": ([("auth", "Bearer ")], 401),
    "prefix alone, stripped": ([("auth", "Bearer")], 401),
    "authorization bare": ([("authorization", GOOD)], 401),
    "authorization basic": ([("authorization", "Basic YTpi")], 401),
    "authorization negotiate": ([("authorization", f"Negotiate {GOOD}")], 401),
    "in a cookie": ([("cookie", f"auth={GOOD}")], 401),
    "another name": ([("x-auth", GOOD)], 401),
    "undefined": ([("auth", "undefined")], 401),
    "null": ([("auth", "null")], 401),
}


@pytest.mark.parametrize("name", HEADERS)
def test_the_credential_is_found_by_precedence(name: str) -> None:
    headers, expected = HEADERS[name]

    answer = authenticate(AUTH, headers)

    found = answer.status if isinstance(answer, Problem) else answer.client_id
    assert found == expected


def test_a_header_of_8_kib_is_read_and_a_longer_one_is_not() -> None:
    longest = "x" * 8192

    assert credential(Headers([("auth", longest)])) == longest
    assert credential(Headers([("auth", longest + "x")])) is Problem.BAD_TOKEN


@pytest.mark.parametrize(
    ("claims", "client"),
    [
        ({"appId": "cs-1", "iss": "i"}, "cs-1"),
        ({"iss": "i"}, "i"),
        ({"appId": "", "iss": "i"}, "i"),
        ({"appId": 7}, None),
        ({}, None),
    ],
)
def test_the_client_is_named_by_app_id_or_issuer(
    claims: dict[str, object], client: str | None
) -> None:
    principal = authenticate(AUTH, {"auth": KIT.token(claims)})

    assert isinstance(principal, Principal)
    assert principal.client_id == client


CALLBACKS = {"notifications", "transfers"}
"""No setting names a scope for them."""
NEEDED = {"hooks": "Events", "transcription": "Transcription", "read": "Analytics"}


@pytest.mark.parametrize(
    ("claims", "may"),
    [
        ({}, set()),
        ({"scope": "Transcription"}, {"transcription"}),
        ({"scope": "Events Transcription"}, {"hooks", "transcription"}),
        ({"scope": ["Events", "Analytics"]}, {"hooks", "read"}),
        ({"scopes": ["Transcription"]}, {"transcription"}),
        ({"scopes": "Analytics Events"}, {"hooks", "read"}),
        ({"scope": "Events", "scopes": ["Analytics"]}, {"hooks"}),
        ({"scope": "transcription"}, set()),
        ({"scope": "TranscriptionEvents"}, set()),
        ({"scope": ["Events Transcription"]}, set()),
        ({"scope": {"Events": True}}, set()),
        ({"scope": None, "scopes": ["Events"]}, set()),
        ({"scope": [["Events"], 7, None]}, set()),
    ],
)
def test_scopes_say_what_a_token_may_do_when_they_are_enforced(
    claims: dict[str, object], may: set[str]
) -> None:
    auth = JwtAuth(secret=SECRET, scopes=NEEDED)

    principal = authenticate(auth, {"auth": KIT.token(claims)})

    assert isinstance(principal, Principal)
    assert principal.permissions == may | CALLBACKS


def test_a_principal_has_the_scopes_of_its_token() -> None:
    principal = authenticate(AUTH, {"auth": KIT.token({"scope": "Events Other"})})

    assert isinstance(principal, Principal)
    assert principal.scopes == {"Events", "Other"}
    assert principal.scope_text == "Events Other"


def test_without_scopes_a_token_sends_and_never_reads() -> None:
    principal = authenticate(AUTH, {"auth": KIT.token({"scope": "read Analytics"})})

    assert isinstance(principal, Principal)
    assert principal.permissions == {"hooks", "transcription"} | CALLBACKS


@pytest.mark.parametrize(
    ("bots", "claims", "expected"),
    [
        (None, {"bots": ["st-1"]}, None),
        ("bots", {"bots": ["st-1", "st-2"]}, {"st-1", "st-2"}),
        ("bots", {"bots": "st-1"}, {"st-1"}),
        ("bots", {}, set()),
        ("bots", {"bots": None}, set()),
        ("bots", {"bots": [1, ["st-1"]]}, set()),
        ("bots", {"bots": {"st-1": 1}}, set()),
        ({"cs-1": ["st-1"]}, {"appId": "cs-1"}, {"st-1"}),
        ({"cs-1": ["st-1"]}, {"appId": "cs-2"}, set()),
        ({"cs-1": ["st-1"]}, {}, set()),
    ],
)
def test_a_token_is_bound_to_bots_by_claim_or_by_client(
    bots: object, claims: dict[str, object], expected: set[str] | None
) -> None:
    auth = JwtAuth(secret=SECRET, bots=bots)  # type: ignore[arg-type]

    principal = authenticate(auth, {"auth": KIT.token(claims)})

    assert isinstance(principal, Principal)
    assert principal.bots == expected


def test_without_authentication_everybody_may_do_everything() -> None:
    assert authenticate(NoAuth(), {}) == Principal(
        permissions=frozenset({"hooks", "transcription", "read"} | CALLBACKS)
    )


PRIVATE = b"-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "^JwtAuth needs secret=…, secrets=…, keys=… or jwks_url=…$"),
        ({"secret": ""}, "at least 32 bytes"),
        (
            {"secret": "x" * 31},
            (
                "^`secret` must have at least 32 bytes, got 31: make one with "
                '`python -c "import secrets; print\\(secrets.token_urlsafe\\(48\\)\\)"`$'
            ),
        ),
        ({"secret": b"x" * 31}, "at least 32 bytes"),
        ({"secrets": ["x" * 32, "short"]}, "at least 32 bytes"),
        (
            {"secret": "x" * 32, "algorithms": ["HS512"]},
            (
                "^`secret` fits none of the algorithms: HS384 needs 48 bytes, HS512 needs "
                r"64, and a PEM file is not a secret \(pass it as keys=…\)$"
            ),
        ),
        ({"secret": pem("RS256")}, "PEM file is not a secret"),
        (
            {"secret": "x" * 32, "algorithms": ["none"]},
            (
                "^`algorithms` contains 'none', which cannot be verified: a secret verifies "
                "HS256, HS384, HS512, "
                "public keys ES256, ES384, ES512, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512$"
            ),
        ),
        ({"secret": "x" * 32, "algorithms": ["HS256", "RS256"]}, "'RS256'"),
        ({"keys": [pem("RS256")], "algorithms": ["HS256"]}, "'HS256'"),
        (
            {"keys": [b"nonsense"]},
            (
                "^a key in `keys` is not a PEM public key for any of the algorithms: RSA keys "
                r"\(at least 2048 bits\) verify RS and PS, EC keys ES of their own curve, "
                "Ed25519 keys EdDSA$"
            ),
        ),
        (
            {"keys": [PRIVATE]},
            "^`keys` must be public keys: keep the private one with the sender$",
        ),
        ({"keys": [pem("ES256")], "algorithms": ["RS256"]}, "not a PEM public key"),
        (
            {"keys": pem("RS256")},
            "^`keys` must be a dict of strings or bytes or a list of strings or bytes, got ",
        ),
        ({"secrets": "x" * 32}, "^`secrets` must be a list of strings or bytes, got str$"),
        (
            {"jwks_url": "http://keys.example/jwks"},
            (
                "^`jwks_url` must be an https address: over http, keys can be replaced in "
                "transit, and any token can be signed$"
            ),
        ),
        ({"jwks_url": "file:///etc/passwd"}, "https"),
        ({"jwks_url": "http://localhost.evil.example/jwks"}, "https"),
        (
            {"secret": "x" * 32, "scopes": {"E1": "Transcription"}},
            "hooks, notifications, transcription, transfers, read",
        ),
    ],
)
def test_a_configuration_that_cannot_be_meant_is_refused(
    settings: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        JwtAuth(**settings)  # type: ignore[arg-type]


def test_short_rsa_keys_are_refused() -> None:
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: PLC0415

    short = rsa.generate_private_key(65537, 1024).public_key()  # noqa: S505 - refused
    text = short.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    with pytest.raises(ConfigurationError, match="2048"):
        JwtAuth(keys=[text])


def test_algorithms_show() -> None:
    assert repr(JwtAuth(secret=SECRET, keys=[pem("ES256")])) == (
        "<JwtAuth HS256, RS256, ES256, EdDSA>"
    )
    assert repr(JwtAuth(secret=SECRET)) == "<JwtAuth HS256>"
    assert repr(JwtAuth(keys=[pem("ES256")])) == "<JwtAuth RS256, ES256, EdDSA>"
    assert repr(JwtAuth(keys=[pem("ES256")], algorithms="ES256")) == "<JwtAuth ES256>"


def test_nothing_secret_shows() -> None:
    auth = JwtAuth(secret=SECRET, keys={"k": pem("ES256")}, jwks_url="https://k.example/a")
    shown = repr(auth) + repr(vars(auth)) + repr(authenticate(auth, {"auth": GOOD}))

    assert SECRET not in shown
    assert GOOD not in shown
    assert "PUBLIC KEY" not in shown
    assert repr(private("ES256")) not in shown


def test_a_key_may_be_text_or_bytes() -> None:
    token = {"auth": Kit("ES256").token()}
    for text in (pem("ES256"), pem("ES256").decode()):
        assert isinstance(authenticate(JwtAuth(keys=[text]), token), Principal)


def test_keys_are_chosen_by_name() -> None:
    auth = JwtAuth(keys={"a": pem("ES256"), "b": pem("ES256", 1)})
    kit = Kit("ES256")

    def accepted(key: int, **head: str) -> bool:
        token = kit.token(head={**kit.head, **head}, key=key)
        return isinstance(authenticate(auth, {"auth": token}), Principal)

    assert accepted(0, kid="a")
    assert accepted(1, kid="b")
    assert not accepted(0, kid="b")
    assert not accepted(0, kid="c")
    assert not accepted(0)
