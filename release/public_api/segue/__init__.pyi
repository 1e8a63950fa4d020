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
class AppOptions(HttpOptions):
    callback_secret: str | bytes | None
    inspector: bool
    limits: RequestLimits
    observers: Iterable[Observer]
    prefix: str
    read: Authenticator | bool
def asgi(processor: Processor, *, auth: Authenticator | None = None, **options: Unpack[AppOptions]) -> AsgiApp: ...
class AsgiApp:
    def __init__(app: RequestHandler, processor: Processor) -> None: ...
class Authenticator(Protocol):
    def authenticate(headers: Headers) -> Unit[Principal | Problem]: ...
def aws_lambda(processor: Processor, *, auth: Authenticator | None = None, **options: Unpack[AppOptions]) -> LambdaHandler: ...
class BodyLimits:
    max_bytes: int | None
    max_depth: int
    max_events: int | None
    max_line_bytes: int | None
    too_many: str
class Callback:
    conversation_id: str
    data: Mapping[str, Any]
    id: str
    kind: str
    def of(message: OutboxMessage) -> Callback: ...
    tries: int
def callback_url(base: str, bot: str, secret: str | bytes, expires: datetime, *, conversation_id: str | None = None, request_id: str | None = None, intake: str = 'notifications') -> str: ...
class Cause:
    place: Place
    text: str
def causes(source: LogPath | Iterable[object], *, time_zone: tzinfo = UTC, **options: Any) -> RootCauses: ...
def check(events: Iterable[Input], *, partial: Partial = None, policy: Policy = DEFAULT) -> Report: ...
class Commit:
    conversation: ConversationRecord
    entry: JournalEntry | None
    expected: int
    fingerprint: str
    history: HistoryPiece | None
    hold: HeldEntry | None
    identity: Identity | None
    outbox: tuple[OutboxMessage, ...]
    release: int | None
    replays: int | None
class ConfigurationError(SegueError):
    ...
class Connection:
    closed_by: int | None
    closed_kind: str | None
    connected_time: timedelta | None
    ended_at: datetime | None
    is_open: bool
    opened_by: int
    opened_kind: str
    started_at: datetime | None
    def to_dict() -> dict[str, object]: ...
class ControlReceipt:
    allowed: tuple[AllowedAction, ...]
    changed: bool
    conversation_id: str | None
    duplicate: bool
    findings: tuple[Finding, ...]
    generation: int
    def of(judgement: Judgement) -> ControlReceipt: ...
    outcome: DeliveryOutcome
    state: str | None
class ControlResult:
    accepted: bool
    allowed: tuple[AllowedAction, ...]
    changed: bool
    findings: tuple[Finding, ...]
    generation: int
    state: str
class Conversation:
    def __init__(conversation_id: str | None = None, *, policy: Policy = DEFAULT, partial: Partial = None) -> None: ...
    def control(action: Mapping[str, Any] | bytes | str, received_at: datetime | None = None) -> ControlResult: ...
    conversation_id: str | None
    def expected() -> tuple[str, ...]: ...
    def feed(event: Input, received_at: datetime | None = None, *, delivery_id: str | None = None) -> FeedResult: ...
    def finish() -> Report: ...
    phase: Phase
    def report() -> Report: ...
    def restore(data: bytes, *, policy: Policy = DEFAULT) -> Conversation: ...
    def snapshot() -> bytes: ...
class ConversationKey(NamedTuple):
    bot_id: str
    conversation_id: str
class ConversationRecord:
    agents: Mapping[int, bytes]
    held: tuple[HeldEntry, ...]
    snapshot: bytes
    summary: ConversationSummary
    version: int
class ConversationSummary:
    bot_id: str
    conversation_id: str
    events: int
    findings: int
    key: ConversationKey
    mistakes: int
    number: int
    phase: str
    started_at: datetime
    def to_dict() -> dict[str, Any]: ...
    updated_at: datetime
class ConversationView:
    bot_id: str
    deliveries: tuple[Delivery, ...]
    expected: tuple[str, ...]
    findings: int
    held: tuple[HeldEntry, ...]
    mistakes: int
    next: str | None
    report: Report
    def to_dict() -> dict[str, Any]: ...
def convert(source: LogPath | Report | Iterable[Report] | Iterable[LogPath | LogLine], to: str, *, include_text: bool = False, left_out: Callable[[str, str], object] | None = None, **options: Any) -> Iterator[str]: ...
class Damage:
    is_mended: bool
    key: ConversationKey
    what: str
class Delivery:
    asked_at: datetime | None
    body: Mapping[str, Any] | None
    bot_id: str | None
    conversation_id: str | None
    delivery_id: str | None
    digest: str
    envelope_bot: str | None
    events: tuple[Event, ...]
    flaws: tuple[Flaw, ...]
    intake: Intake
    known_digest: str | None
    line: int | None
    received_at: datetime | None
class DeliveryOutcome(StrEnum):
    APPLIED = 'applied'
    DUPLICATE = 'duplicate'
    FORBIDDEN = 'forbidden'
    HELD = 'held'
    REFUSED = 'refused'
    REJECTED = 'rejected'
    REUSED = 'reused'
    TOO_LARGE = 'too large'
    UNADDRESSABLE = 'unaddressable'
    UNFILED = 'unfiled'
    UNREADABLE = 'unreadable'
class DeliverySummary:
    bot_id: str | None
    conversation_id: str | None
    findings: tuple[tuple[str, int | None], ...]
    outcome: str
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
class EffectRecord:
    began: float
    failed: bool
    name: str
    seconds: float
class Event:
    agent: str
    custom_fields: Mapping[str, Any]
    email: str
    experience: str
    flaws: tuple[Flaw, ...]
    kind: StrEnum
    language: str
    name: str
    participant: Mapping[str, Any]
    pointer: str
    queue_id: str
    queue_name: str
    reason: str
    type: str
    value: Mapping[str, Any]
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
class FeedEntry:
    bot_id: str
    conversation_id: str
    cursor: str
    endpoint: str
    findings: tuple[dict[str, Any], ...]
    def of(entry: JournalEntry) -> FeedEntry: ...
    phase: str
    phase_before: str
    received_at: datetime
    def to_dict() -> dict[str, Any]: ...
class FeedResult:
    duplicate: bool
    findings: tuple[Finding, ...]
    phase: Phase
class FieldMapping:
    body_at: str
    body_key: str | None
    bot_at: str | None
    conversation_at: str | None
    delivery_at: str | None
    endpoint_at: str | None
    def envelope(line: object) -> dict[str, Any] | None: ...
    is_framed: bool
    keys: frozenset[str] | None
    def leaves_out(line: object) -> bool: ...
    lines: LineForm
    platform: str | None
    def present(record: Mapping[str, Any]) -> frozenset[str]: ...
    def read(raw: bytes | Mapping[str, Any], line: int | None = None) -> dict[str, Any] | Delivery | None: ...
    def record(raw: bytes | Mapping[str, Any], line: int | None = None) -> Mapping[str, Any] | Delivery | None: ...
    records_at: str | None
    records_path: tuple[str, ...] | None
    skip_others: bool
    time_at: str | None
    url_at: str | None
class Finding:
    because: tuple[Cause, ...]
    code: str
    expected: tuple[str, ...]
    follows: Root | None
    help: str
    message: str
    name: str
    place: Place
    def ranked(severity: Severity) -> Finding: ...
    root: Root
    rule: Rule
    severity: Severity
    def to_dict() -> dict[str, object]: ...
class Flaw(NamedTuple):
    code: str
    facts: Mapping[str, str]
    def finding(place: Place) -> Finding: ...
    is_believed: bool
    is_warning: bool
    pointer: str
class Headers:
    def __init__(pairs: Iterable[tuple[str, str]]) -> None: ...
    get: Callable[[str], str | None]
class HeldEntry:
    arrival: int
    body: str
    bot_id: str
    codes: tuple[str, ...]
    deadline: datetime
    delivery_id: str | None
    endpoint: str
    received_at: datetime
    def to_dict() -> dict[str, Any]: ...
class HistoryEvent(NamedTuple):
    agent: str
    cause: Cause
    delivery: int
    kind: EventKind
    line: int | None
    position: int
class HistoryPiece:
    data: bytes
    events: int
    findings: int
    json: bytes
    version: int
class HostRequest(NamedTuple):
    bot_id: str
    conversation_id: str | None
    endpoint: str
    request_id: str | None
class Identity(NamedTuple):
    bot_id: str
    delivery_id: str
    endpoint: str
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
class JournalEntry:
    address_id: str
    arrival: int
    asked_at: str | None
    body: str
    bot_id: str
    conversation_id: str
    delivery_id: str | None
    endpoint: str
    findings: str
    healed: tuple[str, ...]
    is_news: bool
    number: int
    owner: str
    phase: str
    phase_before: str
    received_at: datetime
class JwtAuth:
    algorithms: Collection[str] | None
    audience: str | Iterable[str] | None
    def authenticate(headers: Headers) -> Unit[Principal | Problem]: ...
    bots: str | Mapping[str, Collection[str]] | None
    clock: Callable[[], float]
    cooldown: float
    fetch: Callable[[str], bytes] | None
    grantable: frozenset[str]
    issuer: str | Iterable[str] | None
    jwks_url: str | None
    leeway: float
    max_age: float
    milliseconds: bool
    require_exp: bool
    scopes: Mapping[str, str]
class LambdaHandler:
    def __init__(app: HttpApp) -> None: ...
class Loaded:
    conversation: ConversationRecord | None
    fingerprint: str | None
class MemoryStore(RelationalStore):
    def __init__() -> None: ...
    def acknowledge(number: int, lease: str) -> Future[bool] | bool: ...
    def bury(number: int, lease: str, reason: str) -> bool: ...
    def claim(lease: str, now: datetime, until: datetime, limit: int) -> Sequence[OutboxMessage]: ...
    def close() -> None: ...
    def dead(after: int, limit: int) -> Sequence[OutboxMessage]: ...
    def deadlines(limit: int) -> Sequence[tuple[ConversationKey, datetime]]: ...
    def expect(request: HostRequest, asked_at: datetime) -> None: ...
    def feed(after: int, limit: int, bots: Collection[str] | None) -> Sequence[JournalEntry]: ...
    def find_request(callback: HostRequest) -> tuple[bool, datetime | None]: ...
    def held(key: ConversationKey) -> Sequence[HeldEntry]: ...
    def history(key: ConversationKey, after: int, until: int, limit: int, *, with_findings: bool = False) -> Sequence[HistoryPiece]: ...
    immediate = True
    def journal(after: int, limit: int, key: ConversationKey | None) -> Sequence[JournalEntry]: ...
    def latest() -> int: ...
    def list(after: int | None, limit: int, bots: Collection[str] | None) -> Sequence[ConversationSummary]: ...
    def load(key: ConversationKey, identity: Identity | None = None) -> Loaded: ...
    def migrate() -> None: ...
    def newest_quarantined(before: int | None, limit: int, bots: Collection[str] | None) -> Sequence[Quarantined]: ...
    def owners(conversation_id: str, limit: int, bots: Collection[str] | None) -> Sequence[str]: ...
    def ping() -> None: ...
    def postpone(number: int, lease: str, until: datetime) -> bool: ...
    def purge(before: datetime) -> int: ...
    def put_under_its_key(key: ConversationKey, *, is_sent: bool) -> bool: ...
    def quarantine(item: Quarantined) -> int: ...
    def quarantined(after: int, limit: int) -> Sequence[Quarantined]: ...
    queues = False
    def release(number: int) -> Quarantined | None: ...
    def restore(rebuilt: RebuiltConversation) -> None: ...
    def revive(number: int) -> bool: ...
    def save(commit: Commit) -> Future[None] | None: ...
    def stats() -> StoreStats: ...
class Metrics:
    agent_time: timedelta | None
    call_time: timedelta | None
    callbacks: int
    connected_time: timedelta | None
    consult_time: timedelta | None
    consults: int
    drop_gap: timedelta | None
    duration: timedelta | None
    estimated: tuple[str, ...]
    handle_time: timedelta | None
    hold_time: timedelta | None
    implied_closures: int
    lost_time: timedelta | None
    max_concurrent_agents: int
    messages: int
    overlap_time: timedelta | None
    redials: int
    ring_time: timedelta | None
    talk_time: timedelta | None
    def to_dict() -> dict[str, object]: ...
    transcription_coverage: float | None
    transfer_gap: timedelta | None
    transfers_cold: int
    transfers_warm: int
    wait_time: timedelta | None
    wrapup_time: timedelta | None
class NoAuth:
    allow_hosts: Collection[str]
    def authenticate(headers: Headers) -> Unit[Principal | Problem]: ...
def open_store(address: str) -> Store: ...
class OutboxMessage:
    bot_id: str
    conversation_id: str
    data: str
    id: str
    kind: str
    lease: str
    number: int
    reason: str
    tries: int
class Page(Generic[T_co]):
    items: tuple[T_co, ...]
    next: str | None
class Phase(StrEnum):
    ACTIVE = 'active'
    CONSULTING = 'consulting'
    ENDED = 'ended'
    RELEASED = 'released'
    SUMMARIZED = 'summarized'
    TRANSFERRING = 'transferring'
    WAITING = 'waiting'
class Place:
    action: int | None
    event: int | None
    line: int | None
    noun: str
    pointer: str
    position: str
    source: str
class Policy:
    def apply(findings: Iterable[Finding]) -> tuple[Finding, ...]: ...
    def checked(policy: Policy) -> Policy: ...
    ignore: tuple[str, ...]
    reject: tuple[str, ...]
    def rejects(finding: Finding) -> bool: ...
    def reports(rule: Rule) -> bool: ...
    require: tuple[str, ...]
    select: tuple[str, ...]
    severity: Mapping[str, str]
    strict: bool
    transcription: Literal['enforce', 'observe']
class PostgresStore(RelationalStore):
    def __init__(conninfo: str, *, connections: int = 8, timeout: float = 5.0) -> None: ...
    def acknowledge(number: int, lease: str) -> Future[bool] | bool: ...
    def bury(number: int, lease: str, reason: str) -> bool: ...
    def claim(lease: str, now: datetime, until: datetime, limit: int) -> Sequence[OutboxMessage]: ...
    def close() -> None: ...
    def dead(after: int, limit: int) -> Sequence[OutboxMessage]: ...
    def deadlines(limit: int) -> Sequence[tuple[ConversationKey, datetime]]: ...
    def expect(request: HostRequest, asked_at: datetime) -> None: ...
    def feed(after: int, limit: int, bots: Collection[str] | None) -> Sequence[JournalEntry]: ...
    def find_request(callback: HostRequest) -> tuple[bool, datetime | None]: ...
    def held(key: ConversationKey) -> Sequence[HeldEntry]: ...
    def history(key: ConversationKey, after: int, until: int, limit: int, *, with_findings: bool = False) -> Sequence[HistoryPiece]: ...
    immediate = False
    def journal(after: int, limit: int, key: ConversationKey | None) -> Sequence[JournalEntry]: ...
    def latest() -> int: ...
    def list(after: int | None, limit: int, bots: Collection[str] | None) -> Sequence[ConversationSummary]: ...
    def load(key: ConversationKey, identity: Identity | None = None) -> Loaded: ...
    def migrate() -> None: ...
    def newest_quarantined(before: int | None, limit: int, bots: Collection[str] | None) -> Sequence[Quarantined]: ...
    def owners(conversation_id: str, limit: int, bots: Collection[str] | None) -> Sequence[str]: ...
    def ping() -> None: ...
    def postpone(number: int, lease: str, until: datetime) -> bool: ...
    def purge(before: datetime) -> int: ...
    def put_under_its_key(key: ConversationKey, *, is_sent: bool) -> bool: ...
    def quarantine(item: Quarantined) -> int: ...
    def quarantined(after: int, limit: int) -> Sequence[Quarantined]: ...
    queues = False
    def release(number: int) -> Quarantined | None: ...
    def restore(rebuilt: RebuiltConversation) -> None: ...
    def revive(number: int) -> bool: ...
    def save(commit: Commit) -> Future[None] | None: ...
    def stats() -> StoreStats: ...
class Principal:
    bots: Collection[str] | None
    client_id: str | None
    permissions: frozenset[str]
    scope_text: str | None
    scopes: frozenset[str]
class Problem(Enum):
    ACTION_NOT_ALLOWED = (409, 'The transcription does not allow this action now', 'the answer has its state and the actions that are allowed; nothing has changed')
    BAD_ADDRESS = (401, 'The address is not accepted', 'it is not signed, has expired, or was signed for another path or other ids')
    BAD_LENGTH = (400, 'The length of the body cannot be read', 'send one Content-Length, a number in digits, or a Transfer-Encoding, or neither')
    BAD_PARAMETER = (400, 'A parameter of the request cannot be used', 'a parameter in path, query or headers is missing, given twice, too long, not of its type, contradicts another one, or has a NUL character in it; the description of the interface says what it should be')
    BAD_TOKEN = (401, 'The token is not accepted', 'it is malformed, expired, signed by an unknown key, or contradicts another header')
    CUT_OFF_BODY = (400, 'The body ended early', 'fewer bytes came than Content-Length announced; send the delivery again')
    DELIVERY_ID_REUSED = (422, 'This delivery id came before with another body', 'give every delivery an id of its own; nothing was applied, the body is kept')
    KEYS_UNAVAILABLE = (503, 'Tokens cannot be verified now', 'the keys cannot be fetched; send the same request again a little later')
    LARGE_BODY = (413, 'The body is too large, or has too many events', 'send fewer events in one delivery; nothing was applied')
    NOT_ALLOWED = (403, 'The token does not allow this', 'it lacks a scope, or may not act for this bot')
    NOT_JSON = (415, 'The body is declared to be something else than JSON', 'send Content-Type: application/json in UTF-8, without a Content-Encoding')
    NOT_REPLAYABLE = (409, 'The body cannot be replayed', 'it was replayed, dropped or purged meanwhile, or it was not stored whole')
    NO_CONVERSATION = (404, 'There is no such conversation', 'no delivery of a conversation with this id is known to a reader with this token')
    NO_ROUTE = (404, 'There is nothing here', 'deliveries are posted to …/agentdesk/api/v1/hooks/{botId}; the description of the interface, openapi.json, has every route')
    NO_TOKEN = (401, 'A token is needed', 'send a JWT in the header auth, in token, or as Authorization: Bearer')
    REJECTED_DELIVERY = (422, 'The delivery breaks a rule that is enforced here', 'the findings say which; nothing of the delivery was applied, the body is kept')
    SEVERAL_CONVERSATIONS = (409, 'Several bots have a conversation of this id', 'name one of the bots by the parameter botId; the answer lists them')
    SLOW_BODY = (408, 'The body took too long', 'send the whole body at once; nothing was applied')
    STORE_UNAVAILABLE = (503, 'The store does not answer now', 'nothing was applied; send the same request again a little later')
    UNFILED_DELIVERY = (422, 'There is nothing to file, or nothing to file it under', 'a delivery needs a conversationId and a message or events; the body is kept')
    UNREADABLE_BODY = (400, 'The body cannot be used', 'the findings say what is wrong with it; nothing was applied, the body is kept')
    UNUSABLE_ID = (400, 'An id in the body cannot be used', 'the id of a conversation or of an agent is too long, or no address could name the conversation; nothing was applied, the body is kept')
    WRONG_HOST = (421, 'The request is for another host, or comes from a page of another one', 'without authentication only names of this machine and those of allow_hosts (--allow-host) are served, and no pages of other sites')
    WRONG_METHOD = (405, 'This is not the way to ask', 'the header Allow has the methods of this route')
    def __init__(status: int, title: str, detail: str) -> None: ...
    type = f"urn:segue:problem:{self.name.lower().replace('_', '-')}"
class Processor(CallbackMethods):
    def __init__(*, store: Store, policy: Policy = DEFAULT, store_text: bool = True, retention: timedelta | None = None, patience: timedelta | None = None, keeps_deadlines: bool = True, limits: BodyLimits = _LIMITS, retry: Retry = _RETRY, handler_timeout: timedelta = HANDLER_TIMEOUT, on_finding: Handler | None = None, on_summary_requested: Handler | None = None, on_transcription_changed: Handler | None = None, on_message: Handler | None = None, on_segment_closed: Handler | None = None, on_conversation_ended: Handler | None = None, on_call_finished: Handler | None = None, callbacks: Collection[str] = (), clock: Callable[[], datetime] = _now, chance: Callable[[], float] = random) -> None: ...
    async def acontrol(bot_id: str | None, conversation_id: str, body: Body, *, delivery_id: str | None = None, received_at: datetime | None = None) -> ControlReceipt: ...
    async def aconversation(conversation_id: str, bot_id: str | None = None) -> ConversationView | None: ...
    async def aconversations(*, after: str | None = None, limit: int = 50) -> Page[ConversationSummary]: ...
    async def aevents(conversation_id: str, bot_id: str | None = None, *, after: str | None = None, limit: int = 100) -> Page[TimelineEvent] | None: ...
    async def aexpect_call(bot_id: str, conversation_id: str | None = None, request_id: str | None = None, *, asked_at: datetime | None = None) -> None: ...
    async def aexpect_transfer(bot_id: str, conversation_id: str | None = None, request_id: str | None = None, *, asked_at: datetime | None = None) -> None: ...
    async def afindings(conversation_id: str, bot_id: str | None = None, *, after: str | None = None, limit: int = 100) -> Page[Finding] | None: ...
    async def aread_feed(*, after: str | None = None, limit: int = 100, wait: float = 0.0) -> Page[FeedEntry]: ...
    async def areceive(bot_id: str | None, body: Body, *, delivery_id: str | None = None, received_at: datetime | None = None) -> Receipt: ...
    async def areceive_notification(bot_id: str | None, body: Body, *, conversation_id: str | None = None, request_id: str | None = None, delivery_id: str | None = None, received_at: datetime | None = None) -> Receipt: ...
    async def areceive_transfer(bot_id: str | None, body: Body, *, conversation_id: str | None = None, request_id: str | None = None, delivery_id: str | None = None, received_at: datetime | None = None) -> Receipt: ...
    def close() -> None: ...
    def control(bot_id: str | None, conversation_id: str, body: Body, *, delivery_id: str | None = None, received_at: datetime | None = None) -> ControlReceipt: ...
    def conversation(conversation_id: str, bot_id: str | None = None) -> ConversationView | None: ...
    def conversations(*, after: str | None = None, limit: int = 50) -> Page[ConversationSummary]: ...
    def dead_letters(*, after: int = 0, limit: int = 100) -> Sequence[OutboxMessage]: ...
    def discard(number: int) -> Quarantined | None: ...
    def events(conversation_id: str, bot_id: str | None = None, *, after: str | None = None, limit: int = 100) -> Page[TimelineEvent] | None: ...
    def examine(*, is_mending: bool = False) -> Iterator[Damage]: ...
    def expect_call(bot_id: str, conversation_id: str | None = None, request_id: str | None = None, *, asked_at: datetime | None = None) -> None: ...
    def expect_transfer(bot_id: str, conversation_id: str | None = None, request_id: str | None = None, *, asked_at: datetime | None = None) -> None: ...
    def export(conversation_id: str | None = None, bot_id: str | None = None) -> Iterator[str]: ...
    def findings(conversation_id: str, bot_id: str | None = None, *, after: str | None = None, limit: int = 100) -> Page[Finding] | None: ...
    ingest = Ingest(self._runtime, options)
    def load(lines: Iterable[str | bytes]) -> int: ...
    def purge(before: datetime) -> int: ...
    def quarantined(*, after: int = 0, limit: int = 100) -> Sequence[Quarantined]: ...
    queries = Queries(self._runtime, policy)
    def read_feed(*, after: str | None = None, limit: int = 100, wait: float = 0.0) -> Page[FeedEntry]: ...
    def receive(bot_id: str | None, body: Body, *, delivery_id: str | None = None, received_at: datetime | None = None) -> Receipt: ...
    def receive_notification(bot_id: str | None, body: Body, *, conversation_id: str | None = None, request_id: str | None = None, delivery_id: str | None = None, received_at: datetime | None = None) -> Receipt: ...
    def receive_transfer(bot_id: str | None, body: Body, *, conversation_id: str | None = None, request_id: str | None = None, delivery_id: str | None = None, received_at: datetime | None = None) -> Receipt: ...
    def resubmit(item: Quarantined) -> Receipt | ControlReceipt: ...
    def revive(number: int) -> bool: ...
    store = store
class Quarantined:
    body: bytes
    bot_id: str
    codes: tuple[str, ...]
    conversation_id: str | None
    delivery_id: str | None
    endpoint: str
    number: int
    reason: str
    received_at: datetime
    request_id: str | None
    size: int
class RebuiltConversation:
    history: HistoryPiece
    newest: int
    record: ConversationRecord
class Receipt:
    conversation_id: str | None
    duplicate: bool
    expected: tuple[str, ...]
    findings: tuple[Finding, ...]
    held: bool
    def of(judgement: Judgement) -> Receipt: ...
    outcome: DeliveryOutcome
    phase: str | None
class ReceiptKind(StrEnum):
    CONTROL = 'control'
    DELIVERY = 'delivery'
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
def repair(events: Iterable[Input], *, partial: Partial = None, strict: bool = False) -> Repair: ...
def replay(source: LogPath | Iterable[object], *, policy: Policy = DEFAULT, partial: Partial = None, field_mapping: FieldMapping | None = None, conversations: Container[str] | None = None, since: datetime | None = None, until: datetime | None = None, sort: Literal['received_at'] | None = None, sort_memory: str | None = None, progress: Callable[[int], object] | None = None, time_zone: tzinfo = UTC, day_first: bool = False, time_format: str | None = None, key: Keying | None = None, race: timedelta | None = None, jobs: int = 1, on_delivery: OnDelivery | None = None, note: NoteOf | None = None) -> Iterator[Report]: ...
class Report:
    def __init__(state: State, *, policy: Policy = DEFAULT, late: bool = False, events_before: int = 0, keyed_by: Keying = 'conversation', is_excerpt: bool = False) -> None: ...
    bot_id: str | None
    call: dict[str, Any] | None
    clean: bool
    conversation_id: str | None
    def diagnosis() -> tuple[str, ...] | None: ...
    events: int
    events_before: int
    findings: tuple[Finding, ...]
    def for_agent(identity: str) -> tuple[Segment, ...]: ...
    is_excerpt: bool
    key: tuple[str | None, str | None]
    keyed_by: Keying
    late: bool
    metrics: Metrics
    mistakes: tuple[Finding, ...]
    notes: Sequence[Note]
    phase: Phase
    segments: tuple[Segment, ...]
    timeline: tuple[HistoryEvent, ...]
    times: tuple[datetime | None, ...]
    def to_dict() -> dict[str, Any]: ...
    def to_json() -> str: ...
    transcription: dict[str, Any]
    transcription_intervals: tuple[StateInterval, ...]
    valid: bool
class RequestLimits:
    body_seconds: float
    feed_seconds: float
    max_body_bytes: int
    max_id_length: int
    page: int
class RequestRecord:
    delivery: DeliverySummary | None
    effects: tuple[EffectRecord, ...]
    route: str
    seconds: float
    status: int
class Retry:
    first: timedelta
    lease: timedelta
    longest: timedelta
    def pause(failures: int, chance: float) -> timedelta: ...
    poll: timedelta
    tries: int
class Root:
    code: str
    place: Place
    def to_dict() -> dict[str, object]: ...
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
class Rule:
    code: str
    family: int
    help: str
    def help_in(facts: Mapping[str, str]) -> str: ...
    helps: Mapping[str, str]
    message: str
    name: str
    severity: Severity
    spec: str
    summary: str
class SchemaTooNew(SegueError):
    ...
class Segment:
    agent: str
    agent_messages: int
    connected_time: timedelta | None
    connections: tuple[Connection, ...]
    consult_of: int | None
    custom_fields: Mapping[str, Any]
    email: str
    experience: str
    findings: tuple[str, ...]
    hold_time: timedelta | None
    index: int
    is_open: bool
    kind: str
    language: str
    name: str
    outcome: str
    previous: int | None
    promoted_at: int | None
    queue_id: str
    queue_name: str
    resumes: int | None
    role: str
    talk_time: timedelta | None
    def to_dict(*, include_custom_fields: bool = False) -> dict[str, object]: ...
    type: str
    user_messages: int
class SegueError(Exception):
    ...
class Severity(StrEnum):
    ERROR = 'error'
    NOTE = 'note'
    WARNING = 'warning'
class SqliteStore(RelationalStore):
    def __init__(path: str | os.PathLike[str], *, timeout: float = 5.0, group: int = GroupCommitter.LARGEST) -> None: ...
    def acknowledge(number: int, lease: str) -> Future[bool]: ...
    def bury(number: int, lease: str, reason: str) -> bool: ...
    def claim(lease: str, now: datetime, until: datetime, limit: int) -> Sequence[OutboxMessage]: ...
    def close() -> None: ...
    def dead(after: int, limit: int) -> Sequence[OutboxMessage]: ...
    def deadlines(limit: int) -> Sequence[tuple[ConversationKey, datetime]]: ...
    def expect(request: HostRequest, asked_at: datetime) -> None: ...
    def feed(after: int, limit: int, bots: Collection[str] | None) -> Sequence[JournalEntry]: ...
    def find_request(callback: HostRequest) -> tuple[bool, datetime | None]: ...
    def held(key: ConversationKey) -> Sequence[HeldEntry]: ...
    def history(key: ConversationKey, after: int, until: int, limit: int, *, with_findings: bool = False) -> Sequence[HistoryPiece]: ...
    immediate = False
    def journal(after: int, limit: int, key: ConversationKey | None) -> Sequence[JournalEntry]: ...
    def latest() -> int: ...
    def list(after: int | None, limit: int, bots: Collection[str] | None) -> Sequence[ConversationSummary]: ...
    def load(key: ConversationKey, identity: Identity | None = None) -> Loaded: ...
    def migrate() -> None: ...
    def newest_quarantined(before: int | None, limit: int, bots: Collection[str] | None) -> Sequence[Quarantined]: ...
    def owners(conversation_id: str, limit: int, bots: Collection[str] | None) -> Sequence[str]: ...
    def ping() -> None: ...
    def postpone(number: int, lease: str, until: datetime) -> bool: ...
    def purge(before: datetime) -> int: ...
    def put_under_its_key(key: ConversationKey, *, is_sent: bool) -> bool: ...
    def quarantine(item: Quarantined) -> int: ...
    def quarantined(after: int, limit: int) -> Sequence[Quarantined]: ...
    queues = True
    def release(number: int) -> Quarantined | None: ...
    def restore(rebuilt: RebuiltConversation) -> None: ...
    def revive(number: int) -> bool: ...
    def save(commit: Commit) -> Future[None]: ...
    def stats() -> StoreStats: ...
class StateInterval(NamedTuple):
    end: datetime | None
    start: datetime | None
    state: TranscriptionState
class Store(Protocol):
    def acknowledge(number: int, lease: str) -> Future[bool] | bool: ...
    def bury(number: int, lease: str, reason: str) -> bool: ...
    def claim(lease: str, now: datetime, until: datetime, limit: int) -> Sequence[OutboxMessage]: ...
    def close() -> None: ...
    def dead(after: int, limit: int) -> Sequence[OutboxMessage]: ...
    def deadlines(limit: int) -> Sequence[tuple[ConversationKey, datetime]]: ...
    def expect(request: HostRequest, asked_at: datetime) -> None: ...
    def feed(after: int, limit: int, bots: Collection[str] | None) -> Sequence[JournalEntry]: ...
    def find_request(callback: HostRequest) -> tuple[bool, datetime | None]: ...
    def held(key: ConversationKey) -> Sequence[HeldEntry]: ...
    def history(key: ConversationKey, after: int, until: int, limit: int, *, with_findings: bool = False) -> Sequence[HistoryPiece]: ...
    immediate: bool
    def journal(after: int, limit: int, key: ConversationKey | None) -> Sequence[JournalEntry]: ...
    def latest() -> int: ...
    def list(after: int | None, limit: int, bots: Collection[str] | None) -> Sequence[ConversationSummary]: ...
    def load(key: ConversationKey, identity: Identity | None = None) -> Loaded: ...
    def migrate() -> None: ...
    def newest_quarantined(before: int | None, limit: int, bots: Collection[str] | None) -> Sequence[Quarantined]: ...
    def owners(conversation_id: str, limit: int, bots: Collection[str] | None) -> Sequence[str]: ...
    def ping() -> None: ...
    def postpone(number: int, lease: str, until: datetime) -> bool: ...
    def purge(before: datetime) -> int: ...
    def put_under_its_key(key: ConversationKey, *, is_sent: bool) -> bool: ...
    def quarantine(item: Quarantined) -> int: ...
    def quarantined(after: int, limit: int) -> Sequence[Quarantined]: ...
    queues: bool
    def release(number: int) -> Quarantined | None: ...
    def restore(rebuilt: RebuiltConversation) -> None: ...
    def revive(number: int) -> bool: ...
    def save(commit: Commit) -> Future[None] | None: ...
    def stats() -> StoreStats: ...
class StoreConflict(SegueError):
    ...
class StoreStats:
    dead: int
    healed: int
    held: int
    open: int
    quarantined: int
    waiting: int
    waiting_since: datetime | None
class StoreUnavailable(SegueError):
    ...
class TimelineEvent:
    agent: str | None
    event: int
    kind: str
    def of(row: HistoryRow) -> TimelineEvent: ...
    phase: str
    received_at: datetime | None
    def to_dict() -> dict[str, Any]: ...
def to_rows(reports: Report | Iterable[Report], what: RowKind) -> Iterator[Row]: ...
class TranscriptionState(StrEnum):
    ACTIVE = 'active'
    ENDED = 'ended'
    HANDOVER = 'handover'
    HOLD = 'hold'
    IDLE = 'idle'
class UnknownRule(ConfigurationError):
    ...
class UnreadableLog(SegueError):
    ...
def wsgi(processor: Processor, *, auth: Authenticator | None = None, **options: Unpack[AppOptions]) -> WsgiApp: ...
class WsgiApp:
    def __init__(app: RequestHandler) -> None: ...