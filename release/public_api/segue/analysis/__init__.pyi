class EditedEvent(NamedTuple):
    agent: str
    edit: Edit | None
    is_left_out: bool
    is_moved: bool
    kind: EventKind
    label: str
    origin: int | None
    place: int
    def renamed(kind: EventKind, agent: str | None) -> EditedEvent: ...
    sent: str
class RepackedDelivery:
    body: Mapping[str, Any] | None
    is_moved: bool
    is_new: bool
    is_whole: bool
    like: int
class Repair:
    after: Report
    before: Report
    deliveries: tuple[Delivery, ...]
    edited: tuple[EditedEvent, ...]
    edits: tuple[Edit, ...]
    events: tuple[Input, ...]
    is_complete: bool
    mistakes: tuple[Mistake, ...]
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