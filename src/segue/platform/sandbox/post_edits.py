"""Functions that make faults in the deliveries of a conversation, or in a callback.

Each function takes a random generator and the requests in the order they will be sent. It returns
the changed requests with a description, or None if the fault does not apply to them. Deliveries
other than those of events are not changed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

from segue.analysis.simulate.bodies import read_delivery
from segue.analysis.simulate.operators import OPERATORS
from segue.analysis.simulate.spelling import BODY_VARIANTS, spelled
from segue.core.events import HOOKS

_SPELLINGS: Final = tuple(title for title, variant in BODY_VARIANTS.items() if variant.values)
_LATE: Final = 600.0
_FURTHEST: Final = 4
_UNKNOWN: Final = "hologram"
_STATUS: Final = ("experience", "status")
"""The JSON members that can get an unknown value."""


class PlannedPost(NamedTuple):
    """A delivery or callback before it is sent."""

    body: Mapping[str, Any] | str
    """The body as a JSON object, or as text that need not be valid JSON."""
    delivery_id: str | None = None
    """The id of the delivery, or None for a callback."""
    endpoint: str = HOOKS.name
    """The name of the intake that receives the delivery."""
    later: float = 0
    """The number of seconds by which the request is sent late."""


@dataclass(frozen=True, slots=True)
class EditedPosts:
    """Requests that a fault has changed, with a description of the change."""

    posts: list[PlannedPost]
    what: str
    """The description, such as "delivery 2 (COLD exit) was never sent"."""


_Posts = list[PlannedPost]


def drop(random: Random, posts: _Posts) -> EditedPosts | None:
    """Remove one random request."""
    at = _one(random, posts)
    return at if at is None else EditedPosts(
        [*posts[:at], *posts[at + 1 :]], f"{_named(posts, at)} was never sent")  # fmt: skip


def swap(random: Random, posts: _Posts) -> EditedPosts | None:
    """Swap one random request with the next."""
    return _move(random, posts, 1)


def delay_one(random: Random, posts: _Posts) -> EditedPosts | None:
    """Move one random request two to four places towards the end."""
    return _move(random, posts, random.randint(2, _FURTHEST))


def _move(random: Random, posts: _Posts, by: int) -> EditedPosts | None:
    def fits(at: int) -> bool:
        return at + by < len(posts) and posts[at].body != posts[at + by].body

    at = _one(random, posts, fits)
    if at is None:
        return None
    rest = [*posts[:at], *posts[at + 1 :]]
    what = f"{_named(posts, at)} was sent after {_named(posts, at + by)}"
    return EditedPosts([*rest[: at + by], posts[at], *rest[at + by :]], what)


def double(random: Random, posts: _Posts) -> EditedPosts | None:
    """Send one random request twice, under two different delivery ids."""
    return _again(random, posts, lambda post: post._replace(delivery_id=_other_id(post)),
                  "was sent twice, under two ids")  # fmt: skip


def repeat(random: Random, posts: _Posts) -> EditedPosts | None:
    """Send one random request twice, under the same delivery id."""
    return _again(random, posts, lambda post: post, "was sent twice, as one")


def cut_off(random: Random, posts: _Posts) -> EditedPosts | None:
    """Send one random request with a truncated body, and then once more with the whole body."""
    at = _one(random, posts)
    if at is None:
        return None
    text = str(posts[at].body)
    part = PlannedPost('{"conversationId": ' + text[: len(text) // 2], None, posts[at].endpoint)
    what = f"{_named(posts, at)} was cut off, and then sent whole"
    return EditedPosts([*posts[:at], part, *posts[at:]], what)


def reuse_id(random: Random, posts: _Posts) -> EditedPosts | None:
    """Send one random delivery under the id of the previous delivery, and then under its own id."""

    def fits(at: int) -> bool:
        before = posts[at - 1]
        return at > 0 and before.delivery_id is not None and before.endpoint == HOOKS.name

    at = _one(random, posts, fits)
    if at is None:
        return None
    wrong = posts[at]._replace(delivery_id=posts[at - 1].delivery_id)
    what = f"{_named(posts, at)} was sent under the id of the delivery before it, then its own"
    return EditedPosts([*posts[:at], wrong, *posts[at:]], what)


def retype(random: Random, posts: _Posts) -> EditedPosts | None:
    """Change the type of one random transfer event."""
    bodies = [post.body for post in posts]
    edited = [
        (at, stream[at])
        for at in range(len(posts))
        if posts[at].endpoint == HOOKS.name
        for stream in OPERATORS["retype"](bodies, at)
    ]
    if not edited:
        return None
    at, body = random.choice(edited)
    changed = [*posts[:at], posts[at]._replace(body=body), *posts[at + 1 :]]
    return EditedPosts(changed, f"{_named(posts, at)} was sent as {_label(body)}")


def mistype(random: Random, posts: _Posts) -> EditedPosts | None:
    """Replace the experience or status of one random request with the number 7."""
    return _with_value(random, posts, 7)


def unknown_value(random: Random, posts: _Posts) -> EditedPosts | None:
    """Replace the experience or status of one random request with the unlisted value `hologram`."""
    return _with_value(random, posts, _UNKNOWN)


def add_member(_: Random, posts: _Posts) -> EditedPosts | None:
    """Add the member `xPlatform`, which the specification does not list, to every body."""
    if not posts:
        return None
    new = {"xPlatform": {"version": "7.2", "tags": [None, 1]}}
    return EditedPosts(
        [post._replace(body={**_object(post), **new}) for post in posts],
        "each body had a member xPlatform",
    )


def respell(random: Random, posts: _Posts) -> EditedPosts | None:
    """Change values in all bodies to other accepted spellings, such as another letter case."""
    titles = random.sample(_SPELLINGS, len(_SPELLINGS))
    changed = posts
    for title in titles:
        changed = [
            post._replace(body=spelled(BODY_VARIANTS[title], _object(post))) for post in changed
        ]
    return EditedPosts(changed, f"the bodies had {', '.join(titles)}") if changed != posts else None


def come_late(_: Random, posts: _Posts) -> EditedPosts | None:
    """Delay all requests by ten minutes."""
    late = [post._replace(later=_LATE) for post in posts]
    return EditedPosts(late, f"it was sent {_LATE:.0f} s after it was due")


def _again(
    random: Random, posts: _Posts, copy: Callable[[PlannedPost], PlannedPost], what: str
) -> EditedPosts | None:
    at = _one(random, posts)
    if at is None:
        return None
    changed = [*posts[: at + 1], copy(posts[at]), *posts[at + 1 :]]
    return EditedPosts(changed, f"{_named(posts, at)} {what}")


def _with_value(random: Random, posts: _Posts, value: object) -> EditedPosts | None:
    def member(at: int) -> str | None:
        body = _place(_object(posts[at]))
        return next((name for name in _STATUS if name in body), None)

    at = _one(random, posts, lambda at: member(at) is not None)
    if at is None:
        return None
    name, body = member(at), _object(posts[at])
    if "events" in body:
        first, *rest = body["events"]
        body = {**body, "events": [{**first, name: value}, *rest]}
    else:
        body = {**body, str(name): value}
    changed = [*posts[:at], posts[at]._replace(body=body), *posts[at + 1 :]]
    return EditedPosts(changed, f"{_named(posts, at)} had {value!r} as {name}")


def _place(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first object in a body's `events`, or the body itself if it has no events."""
    events = body.get("events")
    found: Mapping[str, Any] = events[0] if events else body
    return found


def _one(random: Random, posts: _Posts, fits: Callable[[int], bool] = lambda _: True) -> int | None:
    """Return the index of a random request for which `fits` returns True, or None without one.

    A single request is always considered, because it is a callback. Among several requests, only
    deliveries of events are considered.
    """
    single = len(posts) == 1
    suited = [at for at, post in enumerate(posts)
              if (single or post.endpoint == HOOKS.name) and fits(at)]  # fmt: skip
    return random.choice(suited) if suited else None


def _object(post: PlannedPost) -> dict[str, Any]:
    return {} if isinstance(post.body, str) else dict(post.body)


def _other_id(post: PlannedPost) -> str | None:
    return None if post.delivery_id is None else f"{post.delivery_id}-again"


def _named(posts: _Posts, at: int) -> str:
    if len(posts) == 1:
        return "it"
    return f"delivery {at} ({_label(posts[at].body)})"


def _label(body: object) -> str:
    return str(read_delivery(body) or "another delivery")
