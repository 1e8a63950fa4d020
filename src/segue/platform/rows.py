"""`Endpoint` and the other types that describe the platform's endpoints.

Endpoints name their models as strings (`routing.Queue`). A model is imported on first use, so that
a program that calls one endpoint does not build the models of all 26.
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
    """A request header of an endpoint, other than the `auth` header with the token."""

    name: str
    """The name as the specification spells it, such as `accountId`."""
    argument: str
    """The name of the argument of the client's method whose value is sent, such as `account`."""
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Arg:
    """A parameter in the path or the query of an endpoint.

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
    """The kind of a difference between the reference and the sample of an endpoint."""

    VERB = "verb"
    """A difference in the HTTP method."""
    PARAMETERS = "place of parameters"
    """A difference in the part of the request with the parameters: `query` or `body`."""
    MEMBER = "name of a member"
    """A difference in the name of a member of the body, or of a parameter in the query."""
    PATH = "path"
    """A difference in the path of the endpoint."""
    TYPE = "type"
    """A difference in the type of a member. The client sends the caller's value unchanged."""
    RECEIVED = "received"
    """A difference in a name or value that the platform sends. Both forms are understood."""
    HEADER = "spelling of a header"
    """A difference in the letter case of a header's name, which HTTP ignores."""
    AUTHENTICATION = "header of the token"
    """A difference in the name of the header that carries the token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A detail of an endpoint that the specification gives in two contradicting forms."""

    kind: VariantKind
    what: str
    """The detail, such as "`duration` of the notification"."""
    reference: str
    """The form in the reference of the endpoint, such as `PUT`."""
    sample: str
    """The form in the sample of the endpoint, or in another passage."""
    sends: str = ""
    """The form that is sent by default, or an empty string if the client sends neither."""
    cites: str
    """The sentence of the specification that shows the contradiction."""
    adds: tuple[str, ...] = ()
    """The path parameters that the sample repeats in the body, by their names in the body."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A detail of an endpoint that the specification does not describe."""

    what: str
    """The missing detail, such as "the answer"."""
    cites: str
    """The sentence of the specification that says that the detail is not shown."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A decision of Segue about a detail that the specification does not describe."""

    what: str
    """The decision, as a sentence without a full stop."""
    why: str
    """The reason for the decision."""


@dataclass(frozen=True, slots=True)
class CallbackUrl:
    """A member of a request that contains a URL for the platform to call."""

    member: str
    """The name of the member in the JSON, such as `notifyurl`."""
    posts: str | None
    """The model that the platform posts, such as `calls.CallNotification`, or None if not shown."""
    when: str
    """The time of the callback, as words that complete the sentence "Posted …"."""


class Paging(StrEnum):
    """The ways in which endpoints split a long answer into pages."""

    PAGE_UNNAMED = "pages, whose parameters are not shown"
    PAGE = "the parameter page, with no sign of the last page"
    SKIP = "skip and limit in the body"
    LIMIT_ONLY = "a limit, with no way to get the rest"


@dataclass(frozen=True, slots=True)
class Paged:
    """The structure of an answer that contains one page of a longer list."""

    page: str
    """The model of the whole answer, such as `routing.QueuePage`."""
    item: str
    """The model of one item, such as `routing.Queue`."""
    items: tuple[str, ...]
    """The attributes that lead from the answer to its items, such as `("data", "results")`."""
    by: Paging
    """The way in which the next page is requested."""
    more: tuple[str, ...] = ()
    """The attributes that lead to the flag for further pages, such as `("has_more",)`.

    The tuple is empty if the answer has no such flag.
    """
    identity: str = "id"
    """The name of the attribute that identifies an item."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link from an answer to another endpoint whose parameters it contains.

    Path parameters that both endpoints have keep their values.
    """

    to: str
    """The number of the linked endpoint, such as `E15`."""
    parameters: Mapping[str, str]
    """JSON Pointers to values of the answer, by the name of the parameter that takes the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An endpoint of the platform, as the specification describes it."""

    number: str
    """The number in the specification, such as `E4`."""
    title: str
    """The heading in the specification, such as "Update a queue"."""
    name: str
    """The group and method of the client, such as `queues.list`."""
    method: Literal["GET", "POST", "PUT"]
    path: str
    """The path with placeholders, such as `/queues/{queueId}`."""
    cited_query: str = ""
    """The query that the specification shows after the path, or an empty string."""
    result: str | Paged = "conversations.Accepted"
    """The model of the answer, such as `routing.Queue`, or the structure of a list in pages."""
    scope: str | None = None
    """The scope that the token needs, such as `Analytics`, or None if it is not shown."""
    admin_scope: str | None = None
    """The scope that a token from the admin console needs, or None without a separate name."""
    path_args: tuple[Arg, ...] = ()
    query: tuple[Arg, ...] = ()
    headers: tuple[Header, ...] = ()
    body: str | None = None
    """The model of the request body, such as `routing.QueueCreate`, or None without a body."""
    answers_array: bool = False
    """Whether the answer is a JSON array, which its model stores as `results`."""
    expects: tuple[str, ...] = ()
    """The JSON members that every answer should have. A missing member is reported as a flaw."""
    needs_admin_token: bool = False
    """Whether the token must come from an application of the admin console."""
    account_path: str | None = None
    """The path of the variant for all bots of an account, or None if there is no such variant."""
    failures: str | None = None
    """The JSON name of the answer's list of failed items, or None.

    An answer with such a list is a result, even if its HTTP status is an error.
    """
    final: tuple[str, ...] = ()
    """The states that end a wait, such as `failed`, if the endpoint returns the status of a job."""
    waits_for: Mapping[str, str] = field(default_factory=dict)
    """The attributes of the answer that started a job, by the argument of this endpoint they fill.

    With `{"job": "id"}`, a wait sends the attribute `id` as the argument `job`.
    """
    window_days: int | None = None
    """The number of days that a range of dates must stay below, or None without a limit."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    """The query parameters that are always sent, with their only possible values."""
    repeats: Mapping[str, str] = field(default_factory=dict)
    """The arguments in the path that the body repeats, by the JSON names of the body's members."""
    defaults: tuple[str, ...] = ()
    """The JSON names of required members of the body for which the client has a default."""
    variants: tuple[Variant, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    chosen: tuple[Chosen, ...] = ()
    callbacks: tuple[CallbackUrl, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def cites(self) -> str:
        """The line of the specification with the method and path, as `GET {base_url}/queues`."""
        return f"{self.method} {{base_url}}{self.path}{self.cited_query}"

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes that allow a call. A token needs one of them.

        The tuple is empty if the specification shows no scope.
        """
        return tuple(scope for scope in (self.scope, self.admin_scope) if scope)

    @property
    def shown_scope(self) -> str:
        """The scopes as text for people, such as `Train FAQ (app builder); … (admin console)`.

        The text is empty if the specification shows no scope.
        """
        if self.admin_scope is None:
            return self.scope or ""
        builder = f"{self.scope} (app builder); " if self.scope else ""
        return f"{builder}{self.admin_scope} (admin console)"

    @property
    def filled(self) -> tuple[str, ...]:
        """The JSON names of required members of the body that a call of the client may omit."""
        return (*self.repeats, *self.defaults)

    @property
    def repeatable(self) -> bool:
        """Whether it is safe to repeat a request with an unknown outcome, as for GET and PUT."""
        return self.method != "POST"

    @property
    def shows_answer(self) -> bool:
        """Whether the specification shows the members of the answer."""
        return self.result != "conversations.Accepted"

    @property
    def model(self) -> "type[PlatformModel]":
        """The model class of the whole answer, imported on first use."""
        return load_model(self.result.page if isinstance(self.result, Paged) else self.result)

    @property
    def item_model(self) -> "type[PlatformModel] | None":
        """The model class of an item of the answer's list, or None if the answer is not a page."""
        return load_model(self.result.item) if isinstance(self.result, Paged) else None

    @property
    def body_model(self) -> "type[PlatformModel] | None":
        """The model class of the request body, or None if the endpoint takes no body."""
        return load_model(self.body) if self.body else None


def load_model(name: str) -> "type[PlatformModel]":
    """Import a model by the names of its module and class, such as `routing.Queue`.

    Return the model class.
    """
    module, _, model = name.partition(".")
    loaded: type[PlatformModel] = getattr(import_module(f"segue.platform.models.{module}"), model)
    return loaded
