class AsyncClient(_Options[AsyncTransportLike, AsyncTransport | Transport], AsyncMethods):
    def __init__(base_url: str, *, token: str | Callable[[], str], account: str | None = None, app: str | None = None, timeout: timedelta = timedelta(seconds=30), strict: bool = False, repeat_posts: bool = False, dialect: Dialects = '', transport: Given | None = None) -> None: ...
    async def aclose() -> None: ...
    agent_groups: AsyncAgentGroupsMethods
    agents: AsyncAgentsMethods
    bots: AsyncBotsMethods
    async def call(number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None = None) -> Any: ...
    calls: AsyncCallsMethods
    campaigns: AsyncCampaignsMethods
    contact_lists: AsyncContactListsMethods
    conversations: AsyncConversationsMethods
    faqs: AsyncFaqsMethods
    hours: AsyncHoursMethods
    languages: AsyncLanguagesMethods
    def pages(number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None = None) -> AsyncPages[Any]: ...
    queues: AsyncQueuesMethods
    roles: AsyncRolesMethods
    sessions: AsyncSessionsMethods
    skill_groups: AsyncSkillGroupsMethods
    tasks: AsyncTasksMethods
    test_suites: AsyncTestSuitesMethods
    training: AsyncTrainingMethods
    transcription: AsyncTranscriptionMethods
    users: AsyncUsersMethods
    async def wait(number: str, started: PlatformModel, within: timedelta, every: timedelta) -> Any: ...
class AsyncPages(_Reading[Item]):
    def __init__(reader: PageReader, call: Callable[[Mapping[str, Any]], Coroutine[Any, Any, PlatformModel]]) -> None: ...
    async def first() -> Item | None: ...
    flaw_count: int
    flaws: tuple[AnswerFlaw, ...]
    raw: ReceivedAnswer | None
class AsyncTransport(Protocol):
    async def asend(request: SentRequest, timeout: float) -> ReceivedAnswer: ...
class CannotPage(SegueError):
    ...
class Client(_Options[TransportLike, Transport], Methods):
    def __init__(base_url: str, *, token: str | Callable[[], str], account: str | None = None, app: str | None = None, timeout: timedelta = timedelta(seconds=30), strict: bool = False, repeat_posts: bool = False, dialect: Dialects = '', transport: Given | None = None) -> None: ...
    agent_groups: AgentGroupsMethods
    agents: AgentsMethods
    bots: BotsMethods
    def call(number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None = None) -> Any: ...
    calls: CallsMethods
    campaigns: CampaignsMethods
    def close() -> None: ...
    contact_lists: ContactListsMethods
    conversations: ConversationsMethods
    faqs: FaqsMethods
    hours: HoursMethods
    languages: LanguagesMethods
    def pages(number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None = None) -> Pages[Any]: ...
    queues: QueuesMethods
    roles: RolesMethods
    sessions: SessionsMethods
    skill_groups: SkillGroupsMethods
    tasks: TasksMethods
    test_suites: TestSuitesMethods
    training: TrainingMethods
    transcription: TranscriptionMethods
    users: UsersMethods
    def wait(number: str, started: PlatformModel, within: timedelta, every: timedelta) -> Any: ...
class Fault:
    answer: Callable[[Random, PlannedAnswer], PlannedAnswer | None] | None
    correct: str
    is_first: bool
    name: str
    needs_id: bool
    place: FaultPlace
    posts: Callable[[Random, list[PlannedPost]], EditedPosts | None] | None
    refusal: int | None
    shifts: bool
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
class HttpTransport:
    def __init__(base_url: str) -> None: ...
    def send(request: SentRequest, timeout: float) -> ReceivedAnswer: ...
class MemoryTransport:
    def __init__(answer: Callable[[SentRequest], _Answer]) -> None: ...
    async def asend(request: SentRequest, timeout: float) -> ReceivedAnswer: ...
    def of_asgi(app: _Asgi) -> Self: ...
    def send(request: SentRequest, timeout: float) -> ReceivedAnswer: ...
class Pages(_Reading[Item]):
    def __init__(reader: PageReader, call: Callable[[Mapping[str, Any]], PlatformModel]) -> None: ...
    def first() -> Item | None: ...
    flaw_count: int
    flaws: tuple[AnswerFlaw, ...]
    raw: ReceivedAnswer | None
class PlatformUnreachable(SegueError):
    ...
def post_to_loopback(url: str, headers: Mapping[str, str], body: bytes) -> int: ...
class PostSender:
    allowed: frozenset[str]
    def call_back(at: datetime, kind: str, url: str, body: Mapping[str, Any], judge: Callable[[int], object] = _accept, *, is_first: bool = False) -> None: ...
    def deliver(at: datetime, path: str, body: Mapping[str, Any]) -> None: ...
    executor: Executor | None
    hook: str | None
    on_sent: Callable[[SentPost], object] | None
    post: Post | None
    def reaches(url: str | None) -> bool: ...
    def send_waiting() -> None: ...
    sent: deque[SentPost]
    def take_first() -> list[WaitingPost]: ...
    token: Callable[[], str | None] | None
class ReceivedAnswer:
    body: bytes
    headers: Mapping[str, str]
    status: int
class RequestRefused(SegueError):
    def __init__(status: int, problem: str, endpoint: str, request_id: str | None) -> None: ...
    endpoint = endpoint
    problem = problem
    request_id = request_id
    status = status
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
    def steps(duration: timedelta) -> Iterator[bool]: ...
class SentPost:
    at: datetime
    body: Mapping[str, Any]
    kind: str
    status: int
    url: str
class SentRequest:
    body: bytes | None
    headers: Mapping[str, str]
    method: str
    target: str
START: Final
class Transport(Protocol):
    def send(request: SentRequest, timeout: float) -> ReceivedAnswer: ...
class TransportFailed(Exception):
    ...
class TruthLine:
    failure: str
    fault: str
    story: tuple[str, ...]
    def to_dict() -> dict[str, Any]: ...
    what: str
    where: str