"""Published keys: fetched when needed, kept, rotated, and never asked for more than they may be."""

import asyncio
import json
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from threading import Barrier, Event
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from hypothesis import given, strategies as st
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from tests.patience import PATIENCE
from tests.server.http.tokens import SECRET, Kit, asked, authenticate, encode, pem, private

from segue import ConfigurationError, JwtAuth
from segue.server.http import Headers, Principal, Problem
from segue.server.http.jwt import jwks
from segue.server.http.jwt.jwks import FetchKeys
from segue.server.processor import adrive, perform

URL = "https://keys.example/jwks.json"
COOLDOWN, MAX_AGE = 30.0, 600.0


def jwk(algorithm: str, name: str | None, number: int = 0, **more: object) -> dict[str, Any]:
    makers: dict[str, Any] = {"RS256": RSAAlgorithm, "ES256": ECAlgorithm, "EdDSA": OKPAlgorithm}
    found = makers[algorithm].to_jwk(private(algorithm, number).public_key(), as_dict=True)
    return {**found, **({} if name is None else {"kid": name}), **more}


class Published:
    """Somebody who publishes keys, with a clock that stands still unless it is moved."""

    def __init__(self, *keys: dict[str, Any]) -> None:
        self.keys = keys
        self.now = 1000.0
        self.fetches = 0
        self.down = False

    def fetch(self, url: str) -> bytes:
        assert url == URL
        self.fetches += 1
        if self.down:
            raise OSError("gone")
        return json.dumps({"keys": self.keys}).encode()

    def auth(self, **settings: Any) -> JwtAuth:
        return JwtAuth(
            jwks_url=URL,
            cooldown=COOLDOWN,
            max_age=MAX_AGE,
            fetch=self.fetch,
            clock=lambda: self.now,
            **settings,
        )


def token(algorithm: str, name: str | None, number: int = 0) -> dict[str, str]:
    kit = Kit(algorithm)
    head = kit.head if name is None else {**kit.head, "kid": name}
    return {"auth": kit.token(head=head, key=number)}


def accepted(auth: JwtAuth, *which: Any) -> bool:
    return isinstance(authenticate(auth, token(*which)), Principal)


def test_a_thousand_unknown_keys_cause_one_fetch_for_each_cooldown() -> None:
    published = Published(jwk("ES256", "a"))
    auth = published.auth()
    assert accepted(auth, "ES256", "a")
    published.now += COOLDOWN

    for number in range(1000):
        assert not accepted(auth, "ES256", f"unknown-{number}")
    assert published.fetches == 2

    published.now += COOLDOWN
    for number in range(1000):
        assert not accepted(auth, "ES256", f"unknown-{number}")
    assert published.fetches == 3


def test_unless_told_otherwise_keys_are_asked_for_twice_a_minute_and_kept_for_ten() -> None:
    published = Published(jwk("ES256", "a"))
    auth = JwtAuth(jwks_url=URL, fetch=published.fetch, clock=lambda: published.now)
    seen = []
    for seconds, name in ((0, "a"), (29.9, "x"), (0.1, "x"), (599.9, "a"), (0.1, "a")):
        published.now += seconds
        accepted(auth, "ES256", name)
        seen.append(published.fetches)

    assert seen == [1, 1, 2, 2, 3]


def test_known_keys_are_not_fetched_again_until_they_are_old() -> None:
    published = Published(jwk("ES256", "a"))
    auth = published.auth()

    for _ in range(100):
        published.now += MAX_AGE / 101
        assert accepted(auth, "ES256", "a")
    assert published.fetches == 1

    published.now += MAX_AGE
    assert accepted(auth, "ES256", "a")
    assert published.fetches == 2


def test_a_new_key_is_found_and_a_withdrawn_one_is_forgotten() -> None:
    published = Published(jwk("ES256", "a"))
    auth = published.auth()
    assert accepted(auth, "ES256", "a")

    published.keys = (jwk("ES256", "b", 1),)
    published.now += COOLDOWN
    assert accepted(auth, "ES256", "b", 1)
    assert not accepted(auth, "ES256", "a")


def test_old_keys_are_used_while_they_cannot_be_fetched() -> None:
    published = Published(jwk("ES256", "a"))
    auth = published.auth()
    assert accepted(auth, "ES256", "a")

    published.down = True
    for _ in range(10):
        published.now += MAX_AGE
        assert accepted(auth, "ES256", "a")
    assert published.fetches == 11


@pytest.mark.parametrize(
    "document",
    [
        b"", b"{", b"null", b"[]", b"{}", b'{"keys":{}}', b'{"keys":[]}', b'{"keys":[7,null]}',
        b"[" * 99999,
    ],
)  # fmt: skip
def test_old_keys_outlast_a_document_without_keys(document: bytes) -> None:
    published = Published(jwk("ES256", "a"))
    answers: list[Callable[[str], bytes]] = [published.fetch, lambda _: document]

    def fetch(url: str) -> bytes:
        return answers.pop(0)(url)

    auth = JwtAuth(jwks_url=URL, fetch=fetch, clock=lambda: published.now)
    assert accepted(auth, "ES256", "a")

    published.now += MAX_AGE
    assert accepted(auth, "ES256", "a")
    assert answers == []


def test_without_any_key_the_sender_is_asked_to_come_back() -> None:
    published = Published(jwk("ES256", "a"))
    published.down = True
    auth = published.auth()

    assert authenticate(auth, token("ES256", "a")) is Problem.KEYS_UNAVAILABLE
    assert authenticate(auth, token("ES256", "a")) is Problem.KEYS_UNAVAILABLE
    assert published.fetches == 1

    published.down = False
    published.now += 1
    assert accepted(auth, "ES256", "a")


def test_a_failed_fetch_is_repeated_after_growing_delays() -> None:
    published = Published(jwk("ES256", "a"))
    published.down = True
    auth, times = published.auth(), list[float]()
    for _ in range(4 * 130):
        assert authenticate(auth, token("ES256", "a")) is Problem.KEYS_UNAVAILABLE
        if published.fetches > len(times):
            times.append(published.now - 1000)
        published.now += 0.25

    assert times == [0, 1, 3, 7, 15, 31, 61, 91, 121]

    published.down = False
    published.now += 30
    assert accepted(auth, "ES256", "a")
    published.down, published.fetches = True, 0
    published.now += COOLDOWN
    for seconds in (0, 0.9, 0.2, 1.9, 0.2):
        published.now += seconds
        assert not accepted(auth, "ES256", "unknown")
    assert published.fetches == 3


def test_a_short_cooldown_is_also_the_longest_delay_after_a_failure() -> None:
    published = Published(jwk("ES256", "a"))
    published.down = True
    auth = JwtAuth(jwks_url=URL, cooldown=0.5, fetch=published.fetch, clock=lambda: published.now)
    for _ in range(5):
        authenticate(auth, token("ES256", "a"))
        published.now += 0.5

    assert published.fetches == 5


def test_the_delay_begins_when_a_fetch_has_failed() -> None:
    """A fetch that takes its full five seconds leaves a pause all the same."""
    published = Published(jwk("ES256", "a"))
    auth = published.auth()
    fetching = auth.authenticate(Headers(token("ES256", "a").items()))
    [ask] = asked(fetching)
    published.now += 5
    with pytest.raises(StopIteration):
        fetching.send(None)

    published.now += 0.9
    assert not accepted(auth, "ES256", "a")
    published.now += 0.1
    assert accepted(auth, "ES256", "a")
    assert isinstance(ask, FetchKeys)


def test_only_one_waits_after_a_fetch_has_failed() -> None:
    published = Published(jwk("ES256", "a"))
    published.down = True
    auth = published.auth()
    assert not accepted(auth, "ES256", "a")
    published.now += 1
    headers = Headers(token("ES256", "a").items())
    repeating, other = auth.authenticate(headers), auth.authenticate(headers)
    [repeat] = asked(repeating)

    assert isinstance(repeat, FetchKeys)
    with pytest.raises(StopIteration) as done:
        next(other)
    assert done.value.value is Problem.KEYS_UNAVAILABLE


def test_cancelled_requests_neither_hurry_nor_delay_the_next_fetch() -> None:
    published = Published(jwk("ES256", "a"))
    auth = published.auth()
    for _ in range(10):
        cancelled = auth.authenticate(Headers(token("ES256", "a").items()))
        assert len(asked(cancelled)) == 1
        cancelled.close()
        assert not accepted(auth, "ES256", "a")
        published.now += 1

    assert accepted(auth, "ES256", "a")
    assert published.fetches == 1


def test_a_token_that_names_no_key_is_tried_with_nameless_keys_only() -> None:
    named = Published(jwk("ES256", "a")).auth()
    nameless = Published(jwk("ES256", None)).auth()

    assert not accepted(named, "ES256", None)
    assert accepted(nameless, "ES256", None)
    assert accepted(nameless, "ES256", "whatever")


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
def test_each_algorithm_is_verified_with_a_published_key(algorithm: str) -> None:
    auth = Published(jwk("RS256", "r"), jwk("ES256", "e"), jwk("EdDSA", "o")).auth()
    names = {"RS256": "r", "ES256": "e", "EdDSA": "o"}

    assert accepted(auth, algorithm, names[algorithm])
    assert not [name for name in names.values() if name != names[algorithm]
                and accepted(auth, algorithm, name)]  # fmt: skip


@pytest.mark.parametrize(
    "changed",
    [
        {"use": "enc"},
        {"alg": "ES384"},
        {"alg": "none"},
        {"alg": 7},
        {"key_ops": ["sign"]},
        {"key_ops": "verify"},
        {"kid": 7},
        {"kty": "RSA"},
        {"kty": "oct", "k": "A" * 43},
        {"crv": "P-384"},
        {"x": "AA"},
        {"x": 7},
        {"d": "AAAA"},
    ],
)
def test_a_published_key_that_does_not_fit_verifies_nothing(changed: dict[str, object]) -> None:
    auth = Published({**jwk("ES256", "a"), **changed}, jwk("EdDSA", "o")).auth()

    assert not accepted(auth, "ES256", "a")
    assert accepted(auth, "EdDSA", "o")


def test_a_private_key_that_is_published_verifies_nothing() -> None:
    key = private("ES256")
    assert isinstance(key, EllipticCurvePrivateKey)
    leaked = ECAlgorithm.to_jwk(key, as_dict=True)
    verifying = {**leaked, "kid": "a", "key_ops": ["verify"]}
    auth = Published(verifying, jwk("EdDSA", "o")).auth()

    assert not accepted(auth, "ES256", "a")


def test_a_published_secret_is_no_key_even_where_it_reads_like_one() -> None:
    secret = {"kty": "oct", "kid": "a", "k": encode(pem("ES256"))}
    auth = Published(secret, jwk("EdDSA", "o")).auth()

    assert not accepted(auth, "ES256", "a")


def test_a_published_key_verifies_every_algorithm_it_can() -> None:
    auth = Published(jwk("RS256", "a")).auth(algorithms=["RS256", "PS256", "ES256", "RS512"])

    assert accepted(auth, "RS256", "a")


def test_configured_and_published_keys_verify_side_by_side() -> None:
    auth = Published(jwk("EdDSA", "o")).auth(keys={"a": pem("ES256")})

    assert accepted(auth, "EdDSA", "o")
    assert accepted(auth, "ES256", "a")


def test_a_published_key_never_verifies_a_token_signed_with_a_secret() -> None:
    document = {
        "kty": "oct",
        "kid": "a",
        "k": "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5LXN0YXBsZS0wMTIzNDU2Nzg5",
    }
    auth = Published(document, jwk("ES256", "e")).auth(secret=SECRET)

    assert isinstance(authenticate(auth, {"auth": Kit("HS256").token(key=0)}), Principal)
    assert not accepted(auth, "HS256", "a", 1)


def test_tokens_with_a_secret_cause_no_fetch() -> None:
    published = Published(jwk("ES256", "a"))
    auth = published.auth(secret=SECRET)

    assert accepted(auth, "HS256", "unknown")
    assert published.fetches == 0


def test_tokens_that_are_none_cause_no_fetch() -> None:
    published = Published(jwk("ES256", "a"))
    auth = published.auth()
    for value in ("x", "..", Kit("ES256").token(head={"alg": "none", "kid": "b"})):
        assert authenticate(auth, {"auth": value}) is Problem.BAD_TOKEN

    assert published.fetches == 0


@given(st.lists(st.tuples(st.sampled_from("abcx"), st.floats(0, 100)), max_size=30))
def test_fetches_keep_their_distance(steps: list[tuple[str, float]]) -> None:
    """Whatever tokens come when, two fetches are at least a cooldown apart."""
    published = Published(jwk("EdDSA", "a"))
    times: list[float] = []

    def fetch(url: str) -> bytes:
        times.append(published.now)
        return published.fetch(url)

    auth = JwtAuth(
        jwks_url=URL, cooldown=COOLDOWN, max_age=MAX_AGE, fetch=fetch, clock=lambda: published.now
    )
    for name, seconds in steps:
        published.now += seconds
        assert accepted(auth, "EdDSA", name) is (name == "a")

    assert all(later - sooner >= COOLDOWN for sooner, later in pairwise(times))


def test_many_threads_at_the_beginning_share_one_fetch() -> None:
    published = Published(jwk("ES256", "a"))
    together, hold = Barrier(8), Event()

    def fetch(url: str) -> bytes:
        hold.wait(PATIENCE)
        return published.fetch(url)

    auth = JwtAuth(jwks_url=URL, fetch=fetch, clock=lambda: published.now)

    def one(_: int) -> bool:
        together.wait(PATIENCE)
        return accepted(auth, "ES256", "a")

    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(one, range(8))
        hold.set()
        assert list(answers) == [True] * 8
    assert published.fetches == 1


def test_whoever_comes_while_there_are_no_keys_yet_waits_for_the_fetch_under_way() -> None:
    auth = Published(jwk("ES256", "a")).auth()
    headers = Headers(token("ES256", "a").items())
    fetching, waiting = auth.authenticate(headers), auth.authenticate(headers)
    [fetch], [wait] = asked(fetching), asked(waiting)
    under_way = wait.perform()

    assert isinstance(under_way, Future)
    assert (wait.immediate, wait.timeout, under_way.done()) == (True, 5.5, False)
    with pytest.raises(StopIteration) as done:
        fetching.send(perform(fetch))
    assert isinstance(done.value.value, Principal)
    assert under_way.done()
    with pytest.raises(StopIteration) as done:
        waiting.send(None)
    assert isinstance(done.value.value, Principal)


def test_whoever_names_a_known_key_waits_for_nobody() -> None:
    published = Published(jwk("ES256", "a"))
    auth = published.auth()
    assert accepted(auth, "ES256", "a")
    published.now += MAX_AGE
    refreshing = auth.authenticate(Headers(token("ES256", "a").items()))
    [refresh] = asked(refreshing)

    assert isinstance(refresh, FetchKeys)
    assert asked(auth.authenticate(Headers(token("ES256", "a").items()))) == []
    refreshing.close()
    assert asked(auth.authenticate(Headers(token("ES256", "unknown").items()))) == []


def test_whoever_waits_is_let_go_when_the_one_who_fetches_is_cancelled() -> None:
    published = Published(jwk("ES256", "a"))
    auth = published.auth()
    headers = Headers(token("ES256", "a").items())
    fetching = auth.authenticate(headers)
    [ask] = asked(fetching)
    assert isinstance(ask, FetchKeys)

    async def waiting() -> Principal | Problem:
        task = asyncio.ensure_future(adrive(auth.authenticate(headers)))
        await asyncio.sleep(0)
        fetching.close()
        return await task

    assert asyncio.run(waiting()) is Problem.KEYS_UNAVAILABLE


def test_one_who_gives_up_waiting_disturbs_nobody() -> None:
    published = Published(jwk("ES256", "a"))
    auth = published.auth()
    headers = Headers(token("ES256", "a").items())
    fetching = auth.authenticate(headers)
    [ask] = asked(fetching)

    async def impatient() -> None:
        task = asyncio.ensure_future(adrive(auth.authenticate(headers)))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(impatient())
    with pytest.raises(StopIteration) as done:
        fetching.send(perform(ask))

    assert isinstance(done.value.value, Principal)


def test_a_failed_fetch_is_logged_without_a_word_of_why(caplog: pytest.LogCaptureFixture) -> None:
    def fetch(_: str) -> bytes:
        raise OSError("secret proxy password")

    with caplog.at_level(logging.WARNING):
        assert perform(FetchKeys(URL, fetch)) is None

    assert caplog.messages == ["keys could not be fetched: OSError"]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/a", "http://localhost/a", "https://k.example"])
def test_keys_may_come_over_https_or_from_this_machine(url: str) -> None:
    assert "keys=0" in repr(vars(JwtAuth(jwks_url=url)))


@pytest.mark.parametrize("url", ["http://k.example", "ftp://k.example", "", "//k.example", "k"])
def test_keys_may_not_come_over_anything_else(url: str) -> None:
    with pytest.raises(ConfigurationError, match="https"):
        JwtAuth(jwks_url=url)


@pytest.mark.parametrize(
    "url",
    [
        "https://",
        "https:///keys",
        "https://[::1",
        "https://[k.example]/",
        "https://k.example:port/",
        "https://k.example:99999/",
        "https://k.example:0/",
        "https://user:word@k.example/",
        "https://k.example/a b",
        "https://k.example/\r\nX: y",
        "https://k.ex\u00e4mple/",
    ],
)
def test_an_address_that_cannot_be_asked_is_refused_at_the_start(url: str) -> None:
    with pytest.raises(ConfigurationError, match="address"):
        JwtAuth(jwks_url=url)


def test_whatever_a_function_of_the_host_raises_is_a_failed_fetch() -> None:
    def fetch(_: str) -> bytes:
        raise RuntimeError

    auth = JwtAuth(jwks_url=URL, fetch=fetch)

    assert authenticate(auth, token("ES256", "a")) is Problem.KEYS_UNAVAILABLE
    assert authenticate(auth, token("ES256", "a")) is Problem.KEYS_UNAVAILABLE


def test_a_fetch_that_never_ends_is_given_up_and_frees_the_way_for_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jwks, "_DEADLINE", 0.2)
    published, hold, asked_for = Published(jwk("ES256", "a")), Event(), list[str]()

    def fetch(url: str) -> bytes:
        asked_for.append(url)
        if len(asked_for) == 1:
            hold.wait(PATIENCE)
        return published.fetch(url)

    auth = JwtAuth(jwks_url=URL, fetch=fetch, clock=lambda: published.now)

    async def together() -> list[Principal | Problem]:
        headers = Headers(token("ES256", "a").items())
        return await asyncio.gather(*(adrive(auth.authenticate(headers)) for _ in range(20)))

    assert asyncio.run(together()) == [Problem.KEYS_UNAVAILABLE] * 20
    assert len(asked_for) == 1
    published.now += COOLDOWN
    assert accepted(auth, "ES256", "a")
    hold.set()


def test_the_keys_of_one_authenticator_are_unknown_to_another() -> None:
    ours, theirs = Published(jwk("ES256", "a")).auth(), Published(jwk("ES256", "a", 1)).auth()

    assert accepted(ours, "ES256", "a")
    assert not accepted(theirs, "ES256", "a")
    assert accepted(theirs, "ES256", "a", 1)
    assert not accepted(ours, "ES256", "a", 1)
