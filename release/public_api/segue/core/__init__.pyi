class ActionKind(StrEnum):
    END = 'end'
    HANDOVER = 'pause handover=true'
    PAUSE = 'pause handover=false'
    RESUME = 'resume'
    START = 'start'
    UNPROCESSABLE = 'unprocessable action'
    action: str
    handover: bool | None
class AllowedAction(NamedTuple):
    action: str
    agents: Literal['any', 'not-controller'] | tuple[str, ...]
    handover: bool | None
    def to_dict() -> dict[str, Any]: ...
class Alternative:
    edits: tuple[Edit, ...]
    sentence: str
    def to_dict() -> dict[str, Any]: ...
class BodyLimits:
    max_bytes: int | None
    max_depth: int
    max_events: int | None
    max_line_bytes: int | None
    too_many: str
class Cause:
    place: Place
    text: str
class Connection:
    closed_by: int | None
    closed_kind: str | None
    connected_time: timedelta | None
    ended_at: datetime | None
    is_open: bool
    opened_by: int | None
    opened_kind: str | None
    started_at: datetime | None
    def to_dict() -> dict[str, object]: ...
class ControlResult:
    accepted: bool
    allowed: tuple[AllowedAction, ...]
    changed: bool
    findings: tuple[Finding, ...]
    generation: int
    state: str
class Drop:
    agent: str | None
    dropped_at: datetime | None
    dropped_by: int | None
    gap: timedelta | None
    redial_agent: str
    redial_segment: int
    redialed_at: datetime | None
    redialed_by: int
    segment: int | None
    def to_dict() -> dict[str, object]: ...
class Edit:
    agent: str | None
    before: int | None
    event: int | None
    event_kind: EventKind | None
    kind: EditKind
    leaving: str | None
    named_kind: str
    other_kinds: tuple[EventKind, ...]
    size: int | None
    def to_dict() -> dict[str, Any]: ...
    turn: int
    variants: tuple[Edit, ...]
class EditKind(StrEnum):
    ID_USED_AGAIN = 'id-used-again'
    LOST = 'lost'
    MOVED = 'moved'
    RENAMED = 'renamed'
    RETYPED = 'retyped'
    STAY_RENAMED = 'stay-renamed'
    SURPLUS = 'surplus'
    TOOK_OVER = 'took-over'
class Entry(NamedTuple):
    agent: str
    cause: Cause
    count: int
    delivery: int
    details: EventDetails | None
    end: int
    is_adjusted: bool
    is_counted: bool
    is_dropped: bool
    is_repeat: bool
    kind: EventKind
    last_at: datetime | None
    line: int | None
    line_number: int | None
    position: int
    received_at: datetime | None
class EventDetails(NamedTuple):
    custom_fields: Json
    experience: str
    identity: Json
    def is_same(other: EventDetails) -> bool: ...
    language: Json
    name: Json
    def of(event: Event, known: EventDetails | None = None) -> EventDetails: ...
    participant: dict[str, Json]
    queue_id: str
    type: Json
class EventKind(StrEnum):
    AGENT_MESSAGE = 'agent message'
    CLOSE = 'end of the log'
    COLD_ENTRY = 'COLD entry'
    COLD_EXIT = 'COLD exit'
    END = 'END_OF_CONVERSATION'
    MESSAGE = 'message'
    NA_ENTRY = 'NA entry'
    NA_EXIT = 'NA exit'
    REDIAL_ENTRY = 'redial entry'
    REDIAL_EXIT = 'redial exit'
    SUMMARY = 'TRIGGER_SUMMARY_EVENT'
    UNPROCESSABLE = 'unprocessable event'
    USER_MESSAGE = 'user message'
    WARM_ENTRY = 'WARM entry'
    WARM_EXIT = 'WARM exit'
    def __init__(label: str) -> None: ...
    is_entry: bool
    is_exit: bool
    transfer_type: str
class FeedResult:
    duplicate: bool
    findings: tuple[Finding, ...]
    phase: Phase
class Flaw(NamedTuple):
    code: str
    facts: Mapping[str, str]
    def finding(place: Place) -> Finding: ...
    is_believed: bool
    is_warning: bool
    pointer: str
class IdSource(StrEnum):
    ADDRESS = 'address'
    BODY = 'body'
Input: TypeAlias
class Intake:
    ids: IdSource
    is_callback: bool
    machine: str
    name: str
    noun: str
    path: str
    permission: str
    query: tuple[str, ...]
    receipt: ReceiptKind
class Mistake:
    agent: str | None
    alternatives: tuple[Alternative, ...]
    at: datetime | None
    bot: str | None
    edits: tuple[Edit, ...]
    event: int | None
    findings: tuple[Finding, ...]
    fix: str
    number: int
    others: tuple[Alternative, ...]
    queue: str | None
    search: Callable[[], tuple[Alternative, ...]] | None
    sentence: str
    def to_dict() -> dict[str, Any]: ...
    variants: tuple[tuple[Edit, ...], ...]
    def with_alternatives() -> Mistake: ...
class Place:
    action: int | None
    event: int | None
    line: int | None
    noun: str
    pointer: str
    position: str
    source: str
class ReceiptKind(StrEnum):
    CONTROL = 'control'
    DELIVERY = 'delivery'
class ResponseTimes:
    count: int
    longest: timedelta
    median: timedelta
    def to_dict() -> dict[str, object]: ...
class StateInterval(NamedTuple):
    end: datetime | None
    start: datetime | None
    state: TranscriptionState
class TranscriptionState(StrEnum):
    ACTIVE = 'active'
    ENDED = 'ended'
    HANDOVER = 'handover'
    HOLD = 'hold'
    IDLE = 'idle'
class Transfer:
    from_agent: str | None
    from_queue: str
    from_segment: int | None
    gap: timedelta | None
    kind: str
    left_at: datetime | None
    left_by: int | None
    promoted: bool
    taken: bool | None
    taken_at: datetime | None
    taken_by: int | None
    to_agent: str | None
    def to_dict() -> dict[str, object]: ...
    to_queue: str
    to_segment: int | None