"""Strict pydantic types for valid log lines, which the benchmarks use to measure bare decoding."""

from functools import reduce
from typing import Annotated, Any, Final, Literal, NotRequired, TypeAlias, cast

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypedDict  # pydantic requires it before Python 3.12

__all__ = ["LINE"]

_EXTRA_LEVELS: Final = 4

_STRICT: Final = ConfigDict(extra="allow", strict=True)
_SCALARS: Final[list[CoreSchema | tuple[CoreSchema, str]]] = [
    core_schema.str_schema(strict=True),
    core_schema.bool_schema(strict=True),
    core_schema.none_schema(),
    core_schema.int_schema(strict=True),
    core_schema.float_schema(strict=True, allow_inf_nan=False),
]


def _json_schema(below: CoreSchema, _: int) -> CoreSchema:
    """Return the schema of a JSON value that is a scalar, or a list or dict of `below`."""
    return core_schema.union_schema(
        [
            *_SCALARS,
            core_schema.list_schema(below, strict=True),
            core_schema.dict_schema(core_schema.str_schema(strict=True), below, strict=True),
        ],
        mode="left_to_right",
    )


_SCALAR: Final[CoreSchema] = core_schema.union_schema(_SCALARS, mode="left_to_right")
_EXTRA: Final = reduce(_json_schema, range(_EXTRA_LEVELS), _SCALAR)


class _PlainExtras:
    """Annotation that lets any pydantic 2 validate the extra keys of a TypedDict with `_EXTRA`."""

    def __get_pydantic_core_schema__(
        self,
        source: Any,  # noqa: ANN401 - as pydantic calls it
        handler: GetCoreSchemaHandler,
    ) -> CoreSchema:
        schema = handler(source)
        shape = cast("core_schema.TypedDictSchema", handler.resolve_ref_schema(schema))
        shape["extras_schema"] = _EXTRA
        return schema


_EXTRAS: Final = _PlainExtras()
_Flag: TypeAlias = Annotated[
    bool | Literal["true", "false"],
    Field(union_mode="left_to_right"),
]


class _CustomFields(TypedDict, total=False):
    __pydantic_config__ = _STRICT  # type: ignore[misc]

    agentEmail: str | None
    queueId: str | None
    queueName: str | None


class _Participant(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]

    identity: str
    name: str
    type: Literal["agent"]
    customFields: NotRequired[Annotated[_CustomFields, _EXTRAS] | None]


class _SummaryData(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]

    language: str
    locale: str
    type: str


class _Transfer(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]

    name: Literal["INTERNAL_TRANSFER_EVENT"]
    transfertype: str
    transition: str
    isExtAD: _Flag
    language: NotRequired[str | None]
    experience: str
    participant: Annotated[_Participant, _EXTRAS]
    reason: NotRequired[str | None]


class _Summary(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]

    name: Literal["TRIGGER_SUMMARY_EVENT"]
    data: Annotated[_SummaryData, _EXTRAS]
    experience: NotRequired[str | None]
    participant: NotRequired[Annotated[_Participant, _EXTRAS] | None]


class _End(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]

    name: Literal["END_OF_CONVERSATION"]
    reason: str
    language: str
    experience: str
    participant: Annotated[_Participant, _EXTRAS]


_Event: TypeAlias = Annotated[
    Annotated[_Transfer, _EXTRAS] | Annotated[_Summary, _EXTRAS] | Annotated[_End, _EXTRAS],
    Field(discriminator="name"),
]


class _Author(TypedDict):
    __pydantic_config__ = _STRICT  # type: ignore[misc]

    type: str


class _Body(TypedDict, total=False):
    __pydantic_config__ = _STRICT  # type: ignore[misc]

    conversationId: str | None
    botId: str | None
    query: str | None
    agentId: str | None
    experience: str | None
    author: Annotated[_Author, _EXTRAS] | None
    source: str | None
    sendUserMessage: _Flag | None
    sendAgentMessage: _Flag | None
    language: str | None
    events: list[_Event] | None


class _Line(_Body, total=False):
    # One type for both kinds of line, a bare body and an envelope.
    __pydantic_config__ = _STRICT  # type: ignore[misc]

    received_at: str | None
    delivery_id: str | None
    endpoint: Literal["hooks", "transcription"] | None
    bot_id: str | None
    conversation_id: str | None
    body: Annotated[Annotated[_Body, _EXTRAS] | str, Field(union_mode="left_to_right")]


LINE: Final[TypeAdapter[Any]] = TypeAdapter(Annotated[_Line, _EXTRAS])
"""The adapter for a log line, which is either an envelope or the body of a delivery."""
