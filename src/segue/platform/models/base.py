"""What all models of the platform have in common: wire names, open members, what did not fit."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, PrivateAttr
from pydantic.alias_generators import to_camel

from segue.platform.messages import ReceivedAnswer

RECEIVED: Final = "received"
"""The context in which a body is read as it came; what the client would fill is not filled."""


class AnswerFlaw(NamedTuple):
    """Something in an answer that the specification does not say; it is left out of the result."""

    code: str
    """The rule that would report it of a delivery: SG501 to SG503."""
    pointer: str
    """JSON Pointer to the place in the body; empty for the whole body."""
    message: str

    def __str__(self) -> str:
        return f"{self.code} {self.pointer or '(body)'}: {self.message}"


class PlatformModel(BaseModel):
    """An object of the platform. Members that the specification does not name are kept.

    Attributes are the wire names in snake_case unless the model says otherwise. Vocabularies are
    open: a value that the platform adds one day is a value, not an error. In an answer every member
    may be None, since the specification does not say which are always there.
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
        """Status, headers and body as received; None for an object that no call returned."""
        return self._raw

    @property
    def flaws(self) -> tuple[AnswerFlaw, ...]:
        """What in the answer does not fit the specification."""
        return self._flaws

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the call that returned this object was given; a waiter reads the ids from here."""
        return self._arguments

    def received(
        self, raw: ReceivedAnswer, flaws: tuple[AnswerFlaw, ...], arguments: Mapping[str, Any]
    ) -> None:
        """Note the answer that this object was read from."""
        self._raw, self._flaws, self._arguments = raw, flaws, arguments
