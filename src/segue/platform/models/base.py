"""`PlatformModel`, the base class of all models of request bodies and answers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, PrivateAttr
from pydantic.alias_generators import to_camel

from segue.platform.messages import FLAW_LIMIT, ReceivedAnswer

RECEIVED: Final = "received"
"""The pydantic validation context for request bodies that the sandbox receives.

With this context, validators do not add members that the sender left out."""


class AnswerFlaw(NamedTuple):
    """A wrong or missing value in an answer of the platform.

    The model of the answer has None in its place, or omits it from a list.
    """

    code: str
    """The rule code: `"SG501"` (no JSON), `"SG502"` (missing) or `"SG503"` (wrong type, or
    more items than are read)."""
    pointer: str
    """The JSON Pointer to the value, such as `"/results/0/name"`, empty for the whole body."""
    message: str
    """A sentence about the mistake for people."""

    def __str__(self) -> str:
        return f"{self.code} {self.pointer or '(body)'}: {self.message}"


class PlatformModel(BaseModel):
    """The base class of the objects that the platform sends and receives.

    Attributes are named like members of the JSON, but in snake_case. Members that the specification
    does not name are kept. Strings with a fixed vocabulary also accept other values, so a new value
    of the platform is not an error. In an answer every attribute may be None, because the
    specification does not say which members are always present.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        strict=True,
        defer_build=True,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        alias_generator=to_camel,
        protected_namespaces=(),
    )

    _raw: ReceivedAnswer | None = PrivateAttr(default=None)
    _flaws: tuple[AnswerFlaw, ...] = PrivateAttr(default=())
    _flaw_count: int = PrivateAttr(default=0)
    _arguments: Mapping[str, Any] = PrivateAttr(default_factory=dict)

    @property
    def raw(self) -> ReceivedAnswer | None:
        """The HTTP answer that this object was parsed from, or None if no call returned it."""
        return self._raw

    @property
    def flaws(self) -> tuple[AnswerFlaw, ...]:
        """The values of the answer that violate the specification, at most 100."""
        return self._flaws

    @property
    def flaw_count(self) -> int:
        """The number of flaws in the answer, also of those that are not in `flaws`."""
        return self._flaw_count

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The arguments of the client call that returned this object, by name.

        The `wait` methods take the ids of a job from them. The mapping is empty for an object that
        no call returned.
        """
        return self._arguments

    def received(
        self, raw: ReceivedAnswer, flaws: Sequence[AnswerFlaw], arguments: Mapping[str, Any]
    ) -> None:
        """Store the answer from which this object was parsed.

        Args:
            raw: The HTTP answer, returned by `raw`.
            flaws: The values of the answer that were dropped or are missing, returned by `flaws`.
                The first 100 are kept, and the number of all.
            arguments: The arguments of the client call, returned by `arguments`.

        """
        self._raw, self._arguments = raw, arguments
        self._flaws, self._flaw_count = tuple(flaws[:FLAW_LIMIT]), len(flaws)
