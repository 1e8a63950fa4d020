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
class AsyncPages(_Reading, Generic[Item]):
    def __init__(reader: PageReader, call: Callable[[Mapping[str, Any]], Coroutine[Any, Any, PlatformModel]]) -> None: ...
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
class HttpTransport:
    def __init__(base_url: str) -> None: ...
    def send(request: SentRequest, timeout: float) -> ReceivedAnswer: ...
class MemoryTransport:
    def __init__(answer: Callable[[SentRequest], _Answer]) -> None: ...
    async def asend(request: SentRequest, timeout: float) -> ReceivedAnswer: ...
    def of_asgi(app: _Asgi) -> Self: ...
    def send(request: SentRequest, timeout: float) -> ReceivedAnswer: ...
class Pages(_Reading, Generic[Item]):
    def __init__(reader: PageReader, call: Callable[[Mapping[str, Any]], PlatformModel]) -> None: ...
    flaws: tuple[AnswerFlaw, ...]
    raw: ReceivedAnswer | None
class PlatformUnreachable(SegueError):
    ...
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
class SentRequest:
    body: bytes | None
    headers: Mapping[str, str]
    method: str
    target: str
class Transport(Protocol):
    def send(request: SentRequest, timeout: float) -> ReceivedAnswer: ...
class TransportFailed(Exception):
    ...