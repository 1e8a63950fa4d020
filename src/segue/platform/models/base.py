"""The base class of all models of the platform."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, PrivateAttr
from pydantic.alias_generators import to_camel

from segue.platform.messages import ReceivedAnswer

RECEIVED: Final = "received"
"""The validation context of received bodies, in which validators fill in no defaults."""


class AnswerFlaw(NamedTuple):
    """A place in an answer that violates the specification and is missing in the result."""

    code: str
    """The code of the rule that reports the same mistake in a delivery, SG501 to SG503."""
    pointer: str
    """The JSON Pointer to the place, empty for the whole body."""
    message: str
    """A description of the mistake."""

    def __str__(self) -> str:
        return f"{self.code} {self.pointer or '(body)'}: {self.message}"


class PlatformModel(BaseModel):
    """The base class of the platform's objects.

    Attributes are named like members on the wire, but in snake_case. Members that the specification
    does not name are kept. Vocabularies are open, so a new value of the platform is not an error.
    In an answer every attribute may be None, because the specification does not say which members
    are always present.
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
    _arguments: Mapping[str, Any] = PrivateAttr(default_factory=dict)

    @property
    def raw(self) -> ReceivedAnswer | None:
        """The answer as received, or None if this object is not the result of a call."""
        return self._raw

    @property
    def flaws(self) -> tuple[AnswerFlaw, ...]:
        """The places in the answer that violate the specification."""
        return self._flaws

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The arguments of the call that returned this object. `wait` takes ids from here."""
        return self._arguments

    def received(
        self, raw: ReceivedAnswer, flaws: tuple[AnswerFlaw, ...], arguments: Mapping[str, Any]
    ) -> None:
        """Record the answer that this object was parsed from."""
        self._raw, self._flaws, self._arguments = raw, flaws, arguments
