"""What a row of the platform's table is made of.

A model is named by module and class, and imported when it is first used: a program that calls one
endpoint does not build the models of all.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from segue.platform.models.base import PlatformModel


@dataclass(frozen=True, slots=True)
class Header:
    """A header besides `auth`: its name as written, and the argument that fills it."""

    name: str
    argument: str
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Arg:
    """A parameter of the path or the query.

    Args:
        name: The argument of the client's method.
        wire: The parameter as the specification spells it.
        is_required: Whether a call needs it; parameters of the path always are.
        type: Its type in Python.
        values: The values that the specification names; others may be sent, too.
        maximum: The largest number that may be sent.

    """

    name: str
    wire: str
    is_required: bool = False
    type: Literal["str", "int", "bool"] = "str"
    values: tuple[str, ...] = ()
    maximum: int | None = None


class VariantKind(StrEnum):
    """What differs between the reference and the sample of an endpoint."""

    VERB = "verb"
    PARAMETERS = "place of parameters"
    """`query` or `body`."""
    MEMBER = "name of a member"
    """Of a member of the body, or of a parameter in the query."""
    PATH = "path"
    TYPE = "type"
    """Of a member of the request; nothing is changed, what the caller gives is sent."""
    RECEIVED = "received"
    """It is in what the platform sends; both are read."""
    HEADER = "spelling of a header"
    """Names of headers are the same in any letter case."""
    AUTHENTICATION = "header of the token"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Something that the specification says in two ways."""

    kind: VariantKind
    what: str
    reference: str
    """As the reference of the endpoint has it."""
    sample: str
    """As its sample, or the other passage, has it."""
    sends: str = ""
    """The one that is sent unless a dialect says otherwise; empty if nothing is sent."""
    cites: str
    adds: tuple[str, ...] = ()
    """Parameters of the path that the sample repeats in the body, by their names there."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something that the specification does not say, with the words that admit it."""

    what: str
    cites: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """What Segue does where the specification does not say."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class CallbackUrl:
    """A member of a request that holds a URL which the platform calls."""

    member: str
    posts: str | None
    """The model of what is posted; None if that is not shown."""
    when: str


class Paging(StrEnum):
    """How the rest of a long answer is asked for."""

    PAGE_UNNAMED = "pages, whose parameters are not shown"
    PAGE = "the parameter page, with no word on the end"
    SKIP = "skip and limit in the body"
    LIMIT_ONLY = "a limit, with no way to the rest"


@dataclass(frozen=True, slots=True)
class Paged:
    """An answer that is one page of many."""

    page: str
    """The model of the whole answer."""
    item: str
    items: tuple[str, ...]
    """Attributes that lead to the list of items."""
    by: Paging
    more: tuple[str, ...] = ()
    """Attributes that lead to whether there is more; empty if the specification names none."""
    identity: str = "id"
    """The attribute by which an item is known again."""


@dataclass(frozen=True, slots=True)
class Link:
    """An endpoint that takes something from this answer; the rest of its path is the same."""

    to: str
    """The number of the endpoint."""
    parameters: Mapping[str, str]
    """Parameters by their wire names, and JSON Pointers into the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One endpoint of the specification."""

    number: str
    title: str
    """The heading of the specification."""
    name: str
    """Subject and verb, as the client names them."""
    method: Literal["GET", "POST", "PUT"]
    path: str
    cited_query: str = ""
    """The query that the specification writes behind the path."""
    result: str | Paged = "conversations.Accepted"
    scope: str | None = None
    """What the token must allow; None if that is not shown."""
    admin_scope: str | None = None
    """The same for a token of the admin console, where it has another name there."""
    path_args: tuple[Arg, ...] = ()
    query: tuple[Arg, ...] = ()
    headers: tuple[Header, ...] = ()
    body: str | None = None
    answers_array: bool = False
    """Whether the answer is an array on the wire: the member `results` of its model."""
    expects: tuple[str, ...] = ()
    """Wire names without which an answer is flawed."""
    needs_admin_token: bool = False
    account_path: str | None = None
    """The path without a bot, where there is one."""
    failures: str | None = None
    """The wire name of the list of items that failed, whatever the status of the answer."""
    final: tuple[str, ...] = ()
    """States after which nothing changes, for an endpoint that reads a status: a client waits."""
    waits_for: Mapping[str, str] = field(default_factory=dict)
    """Arguments of this endpoint that an answer before it has: argument to attribute."""
    window_days: int | None = None
    """A range of dates must be shorter than this."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    """Parameters of the query that have one value only."""
    repeats: Mapping[str, str] = field(default_factory=dict)
    """Members of the body that repeat a parameter of the path: wire name to argument."""
    defaults: tuple[str, ...] = ()
    """Required members of the body, by wire name, that the client fills unless they are given."""
    variants: tuple[Variant, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    chosen: tuple[Chosen, ...] = ()
    callbacks: tuple[CallbackUrl, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def cites(self) -> str:
        """The line that shows method and path."""
        return f"{self.method} {{base_url}}{self.path}{self.cited_query}"

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes of which a token needs one; empty if none is shown."""
        return tuple(scope for scope in (self.scope, self.admin_scope) if scope)

    @property
    def shown_scope(self) -> str:
        """The scopes with where each is given; empty if none is shown."""
        if self.admin_scope is None:
            return self.scope or ""
        builder = f"{self.scope} (app builder); " if self.scope else ""
        return f"{builder}{self.admin_scope} (admin console)"

    @property
    def filled(self) -> tuple[str, ...]:
        """Required members of the body that a call of the client need not name: wire names."""
        return (*self.repeats, *self.defaults)

    @property
    def repeatable(self) -> bool:
        """Whether a request may be sent again when it is not known what became of it."""
        return self.method != "POST"

    @property
    def shows_answer(self) -> bool:
        """Whether the specification shows what is answered."""
        return self.result != "conversations.Accepted"

    @property
    def model(self) -> "type[PlatformModel]":
        """The model of the whole answer."""
        return load_model(self.result.page if isinstance(self.result, Paged) else self.result)

    @property
    def item_model(self) -> "type[PlatformModel] | None":
        """The model of an item of a page; None if the answer is not a page."""
        return load_model(self.result.item) if isinstance(self.result, Paged) else None

    @property
    def body_model(self) -> "type[PlatformModel] | None":
        """The model of the body; None if there is no body."""
        return load_model(self.body) if self.body else None


def load_model(name: str) -> "type[PlatformModel]":
    """Return a model by module and class, such as `routing.Queue`."""
    module, _, model = name.partition(".")
    loaded: type[PlatformModel] = getattr(import_module(f"segue.platform.models.{module}"), model)
    return loaded
