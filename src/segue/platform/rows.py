"""The types of the rows in the platform's table.

Rows name their models as strings (`routing.Queue`), and a model is imported on first use, so that a
program that calls one endpoint does not build the models of all 26.
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
    """A request header other than `auth`."""

    name: str
    """The name as the specification spells it."""
    argument: str
    """The argument of the client's method that fills the header."""
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Arg:
    """A parameter of the path or the query.

    Args:
        name: The name of the argument in the client's method.
        wire: The name of the parameter in the specification.
        is_required: Whether a call must give the argument.
        type: The Python type of the argument.
        values: The values that the specification lists. Other values may be sent as well.
        maximum: The largest number that may be sent.

    """

    name: str
    wire: str
    is_required: bool = False
    type: Literal["str", "int", "bool"] = "str"
    values: tuple[str, ...] = ()
    maximum: int | None = None


class VariantKind(StrEnum):
    """The kind of difference between the reference and the sample of an endpoint."""

    VERB = "verb"
    """The HTTP method."""
    PARAMETERS = "place of parameters"
    """Whether parameters are sent in the `query` or the `body`."""
    MEMBER = "name of a member"
    """The name of a member of the body, or of a parameter in the query."""
    PATH = "path"
    """The path of the endpoint."""
    TYPE = "type"
    """The type of a member of the request. The client sends the caller's value unchanged."""
    RECEIVED = "received"
    """A name or value that the platform sends. Both forms are understood."""
    HEADER = "spelling of a header"
    """The letter case of a header's name, which HTTP ignores."""
    AUTHENTICATION = "header of the token"
    """The name of the header that carries the token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A detail that the specification gives in two contradicting forms."""

    kind: VariantKind
    what: str
    """The detail, such as "`duration` of the notification"."""
    reference: str
    """The form in the reference of the endpoint."""
    sample: str
    """The form in its sample, or in another passage."""
    sends: str = ""
    """The form that is sent by default, or an empty string if the client sends neither."""
    cites: str
    """The sentence of the specification that shows the contradiction."""
    adds: tuple[str, ...] = ()
    """The path parameters that the sample repeats in the body, by their names in the body."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A detail that the specification leaves open."""

    what: str
    """The detail that is missing."""
    cites: str
    """The sentence of the specification that says so."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A decision of Segue about a detail that the specification leaves open."""

    what: str
    """The decision."""
    why: str
    """The reason for it."""


@dataclass(frozen=True, slots=True)
class CallbackUrl:
    """A member of a request that contains a URL for the platform to call."""

    member: str
    """The wire name of the member."""
    posts: str | None
    """The model of the posted body, or None if the specification does not show it."""
    when: str
    """The moment of the call, completing the sentence "Posted …"."""


class Paging(StrEnum):
    """The ways in which endpoints split a long answer into pages."""

    PAGE_UNNAMED = "pages, whose parameters are not shown"
    PAGE = "the parameter page, with no sign of the last page"
    SKIP = "skip and limit in the body"
    LIMIT_ONLY = "a limit, with no way to get the rest"


@dataclass(frozen=True, slots=True)
class Paged:
    """An answer that is one page of many."""

    page: str
    """The model of the whole answer."""
    item: str
    """The model of one item."""
    items: tuple[str, ...]
    """The path of attributes from the answer to its list of items."""
    by: Paging
    """The way in which the next page is requested."""
    more: tuple[str, ...] = ()
    """The path of attributes to the flag for further pages, empty if the answer has no flag."""
    identity: str = "id"
    """The attribute that identifies an item."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link from an answer to an endpoint that takes values from it.

    Path parameters that both endpoints have keep their values.
    """

    to: str
    """The number of the linked endpoint."""
    parameters: Mapping[str, str]
    """JSON Pointers into the answer, by the wire name of the parameter they fill."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One endpoint of the specification."""

    number: str
    """The number in the specification, such as `E4`."""
    title: str
    """The heading in the specification."""
    name: str
    """The group and method of the client, such as `queues.list`."""
    method: Literal["GET", "POST", "PUT"]
    path: str
    """The path with placeholders, such as `/queues/{queueId}`."""
    cited_query: str = ""
    """The query that the specification shows after the path."""
    result: str | Paged = "conversations.Accepted"
    """The model of the answer."""
    scope: str | None = None
    """The scope that the token needs, or None if the specification shows none."""
    admin_scope: str | None = None
    """The scope that a token from the admin console needs, if its name differs there."""
    path_args: tuple[Arg, ...] = ()
    query: tuple[Arg, ...] = ()
    headers: tuple[Header, ...] = ()
    body: str | None = None
    """The model of the request body, or None if the endpoint takes no body."""
    answers_array: bool = False
    """Whether the answer is a JSON array, which its model stores as `results`."""
    expects: tuple[str, ...] = ()
    """The wire names that every answer should have. A missing one is a flaw."""
    needs_admin_token: bool = False
    """Whether the token must come from an application of the admin console."""
    account_path: str | None = None
    """The path of the account-wide variant without a bot, if there is one."""
    failures: str | None = None
    """The wire name of the list of failed items, which is a result whatever the status."""
    final: tuple[str, ...] = ()
    """The final states of a job, for endpoints that return a status to wait for."""
    waits_for: Mapping[str, str] = field(default_factory=dict)
    """Arguments that are filled from the answer that started a job: argument to attribute."""
    window_days: int | None = None
    """The number of days that a range of dates must stay below."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    """The query parameters that have only one possible value."""
    repeats: Mapping[str, str] = field(default_factory=dict)
    """Members of the body that repeat a path parameter: wire name to argument."""
    defaults: tuple[str, ...] = ()
    """The wire names of required members of the body that have a default in the client."""
    variants: tuple[Variant, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    chosen: tuple[Chosen, ...] = ()
    callbacks: tuple[CallbackUrl, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def cites(self) -> str:
        """The line of the specification that shows method and path."""
        return f"{self.method} {{base_url}}{self.path}{self.cited_query}"

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes of which a token needs one, empty if the specification shows none."""
        return tuple(scope for scope in (self.scope, self.admin_scope) if scope)

    @property
    def shown_scope(self) -> str:
        """The scopes as text, with the place that grants each, or an empty string."""
        if self.admin_scope is None:
            return self.scope or ""
        builder = f"{self.scope} (app builder); " if self.scope else ""
        return f"{builder}{self.admin_scope} (admin console)"

    @property
    def filled(self) -> tuple[str, ...]:
        """The wire names of required body members that a call of the client may omit."""
        return (*self.repeats, *self.defaults)

    @property
    def repeatable(self) -> bool:
        """Whether it is safe to repeat a request whose outcome is unknown."""
        return self.method != "POST"

    @property
    def shows_answer(self) -> bool:
        """Whether the specification shows the answer."""
        return self.result != "conversations.Accepted"

    @property
    def model(self) -> "type[PlatformModel]":
        """The model of the whole answer."""
        return load_model(self.result.page if isinstance(self.result, Paged) else self.result)

    @property
    def item_model(self) -> "type[PlatformModel] | None":
        """The model of an item, or None if the answer is not a page."""
        return load_model(self.result.item) if isinstance(self.result, Paged) else None

    @property
    def body_model(self) -> "type[PlatformModel] | None":
        """The model of the request body, or None if there is no body."""
        return load_model(self.body) if self.body else None


def load_model(name: str) -> "type[PlatformModel]":
    """Import and return a model by module and class, such as `routing.Queue`."""
    module, _, model = name.partition(".")
    loaded: type[PlatformModel] = getattr(import_module(f"segue.platform.models.{module}"), model)
    return loaded
