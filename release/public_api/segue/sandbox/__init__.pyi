class Fault:
    answer: Callable[[Random, PlannedAnswer], PlannedAnswer | None] | None
    correct: str
    is_first: bool
    name: str
    needs_id: bool
    place: FaultPlace
    posts: Callable[[Random, list[PlannedPost]], EditedPosts | None] | None
    what: str
class FaultPlace(StrEnum):
    ANSWER = 'answer'
    CALLBACK = 'callback'
    CONVERSATION = 'conversation'
class FaultPlan:
    counts: Counter[str]
    def draw(place: FaultPlace) -> Fault | None: ...
    def fail(line: TruthLine, failure: str) -> None: ...
    failed: Counter[str]
    failures: list[TruthLine]
    lines: deque[TruthLine]
    def note(fault: Fault, where: str, what: str) -> TruthLine: ...
    random: Random
    seed: int
    shares: Mapping[str, float]
    write: Callable[[TruthLine], object] | None
FAULTS: Final[Mapping[str, Fault]]
def post_to_loopback(url: str, headers: Mapping[str, str], body: bytes) -> int: ...
class PostSender:
    allowed: frozenset[str]
    def call_back(at: datetime, kind: str, url: str, body: Mapping[str, Any], judge: Callable[[int], object] = _accept) -> None: ...
    def deliver(at: datetime, path: str, body: Mapping[str, Any]) -> None: ...
    executor: Executor | None
    hook: str | None
    on_sent: Callable[[SentPost], object] | None
    post: Post | None
    sent: deque[SentPost]
    token: Callable[[], str | None] | None
class Sandbox:
    def __init__(*, seed: int = 0, clock: SandboxClock | None = None, auth: Authenticator | None = None, outgoing: PostSender | None = None, faults: FaultPlan | None = None, keep: str | PathLike[str] | None = None, pace: int | None = None) -> None: ...
    def advance(duration: str | timedelta) -> None: ...
    def answer(request: SentRequest) -> ReceivedAnswer: ...
    def close() -> None: ...
    faults: FaultPlan
    def follow() -> None: ...
    def handle(request: Request) -> Unit[Response]: ...
    def note_delivery(bot_id: str, conversation_id: str, endpoint: str, body: Mapping[str, Any] | str) -> None: ...
    now: datetime
    sent: tuple[SentPost, ...]
    state = SandboxState(clock, random, processor, outgoing, EFFECTS, TASKS, faults, pace)
    transport: MemoryTransport
class SandboxClock:
    def __init__(source: Callable[[], datetime] | None = None) -> None: ...
    def advance(duration: timedelta) -> None: ...
    def after(delay: timedelta, *task: str) -> None: ...
    due: list[tuple[datetime, DueTask]]
    def finish() -> None: ...
    def follow() -> None: ...
    def hasten(kind: str, key: str) -> bool: ...
    is_real: bool
    now: datetime
    perform: Callable[[DueTask], object]
    def restore(now: datetime, due: Iterable[tuple[datetime, DueTask]]) -> None: ...
class SentPost:
    at: datetime
    body: Mapping[str, Any]
    kind: str
    status: int
    url: str
START: Final
class TruthLine:
    failure: str
    fault: str
    story: tuple[str, ...]
    def to_dict() -> dict[str, Any]: ...
    what: str
    where: str