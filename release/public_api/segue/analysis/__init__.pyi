class Edit:
    after: str
    before: str
    change: EditKind
    cost: int
    event: int | None
    settles: Finding
    to: int | None
    def to_dict() -> dict[str, object]: ...
class EditedEvent(NamedTuple):
    agent: str
    at: int
    edits: tuple[EditKind, ...]
    is_along: bool
    kind: EventKind
    label: str
    origin: int | None
class EditKind(StrEnum):
    DELETE = 'delete'
    INSERT = 'insert'
    MOVE = 'move'
    REIDENTIFY = 're-identify'
    RETYPE = 'retype'
class RepackedDelivery:
    body: Mapping[str, Any] | None
    is_moved: bool
    is_new: bool
    is_whole: bool
    like: int
class Repair:
    after: Report
    before: Report
    cost: int
    deliveries: tuple[Delivery, ...]
    edited: tuple[EditedEvent, ...]
    edits: tuple[Edit, ...]
    events: tuple[Input, ...]
    is_least: bool
    repacked: tuple[RepackedDelivery, ...]
    settled: tuple[Finding, ...]
    def to_dict() -> dict[str, Any]: ...
class RootCause:
    code: str
    found: int
    rate: float
    rate_elsewhere: float
    def sentence(day: date | None = None) -> str: ...
    since: datetime | None
    surprise: float
    def to_dict() -> dict[str, object]: ...
    total: int
    unit: str
    until: datetime | None
    where: tuple[tuple[str, str], ...]
class RootCauses:
    causes: tuple[RootCause, ...]
    day: date | None
    has_times: bool
    def sentences() -> list[str]: ...
    share: int
    def to_dict() -> dict[str, object]: ...
    unexplained: Mapping[str, int]