class AppOptions(HttpOptions):
    callback_secret: str | bytes | None
    inspector: bool
    limits: RequestLimits
    observers: Collection[Observer]
    prefix: str
    read: Authenticator | bool
class AsgiApp:
    def __init__(app: RequestHandler, processor: Processor) -> None: ...
class Authenticator(Protocol):
    def authenticate(headers: Headers) -> Unit[Principal | Problem]: ...
def aws_lambda(processor: Processor, *, auth: Authenticator | None = None, **options: Unpack[AppOptions]) -> LambdaHandler: ...
class Callback:
    conversation_id: str
    data: Mapping[str, Any]
    id: str
    kind: str
    def of(message: OutboxMessage) -> Callback: ...
    tries: int
def callback_url(base: str, bot: str, secret: str | bytes, expires: datetime, *, conversation_id: str | None = None, request_id: str | None = None, intake: str = 'notifications') -> str: ...
class Commit:
    conversation: ConversationRecord
    entries: tuple[StoredEntry, ...]
    entry: JournalEntry | None
    expected: int
    fingerprint: str
    history: HistoryPiece | None
    hold: HeldEntry | None
    identity: Identity | None
    outbox: tuple[OutboxMessage, ...]
    quarantined: Quarantined | None
    release: int | None
    replays: int | None
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
    errors: int
    events: int
    findings: int
    key: ConversationKey
    number: int
    phase: str
    started_at: datetime
    def to_dict() -> dict[str, Any]: ...
    updated_at: datetime
class ConversationView:
    bot_id: str
    deliveries: tuple[Delivery, ...]
    errors: int
    expected: tuple[str, ...]
    explanation: Completeness | None
    findings: int
    held: tuple[HeldEntry, ...]
    next: str | None
    refused: int
    report: Report
    def to_dict() -> dict[str, Any]: ...
class Damage:
    is_mended: bool
    key: ConversationKey
    what: str
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
class EffectRecord:
    began: float
    failed: bool
    name: str
    seconds: float
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
class Headers:
    def __init__(pairs: Iterable[tuple[str, str]]) -> None: ...
    get: Callable[[str], str | None]
    def with_host(host: str) -> Headers: ...
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
class HistoryPiece:
    data: bytes
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
class LambdaHandler:
    def __init__(app: HttpApp) -> None: ...
class Loaded:
    conversation: ConversationRecord | None
    fingerprint: str | None
class LongestWaits(NamedTuple):
    lease: timedelta
    postponement: timedelta
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
class Principal:
    bots: Collection[str] | None
    client_id: str | None
    permissions: frozenset[str]
    scope_text: str | None
    scopes: frozenset[str]
class Problem(Enum):
    ACTION_NOT_ALLOWED = (409, 'The state of the transcription does not allow this action, and nothing has changed. Send one of the allowed actions in the answer.')
    BAD_ADDRESS = (401, 'The address is not signed, has expired, or was signed for another path or other ids. Send to an address made by segue.server.callback_url.')
    BAD_LENGTH = (400, 'The length of the body cannot be read. Send one Content-Length in digits, or a Transfer-Encoding, or neither.')
    BAD_PARAMETER = (400, 'A parameter in the path, the query or the headers is missing, repeated, too long, of the wrong type, contradicts another one, or contains a NUL character. Send it as openapi.json describes it.')
    BAD_TOKEN = (401, 'The token is malformed, expired, signed by an unknown key, or contradicts another header. Send a new token.')
    CALLBACKS_STALLED = (503, 'Too many calls of handlers do not return, so callbacks are not delivered any more. Restart the process. Deliveries are still applied.')
    CUT_OFF_BODY = (400, 'The body is shorter than its Content-Length. Send the delivery again.')
    DELIVERY_ID_REUSED = (422, 'The delivery id was used before with another body. Nothing was applied, and the body is in the quarantine. Give every delivery its own id.')
    KEYS_UNAVAILABLE = (503, 'The keys that verify tokens cannot be fetched. Send the same request again a little later.')
    LARGE_BODY = (413, 'The body is too large or has too many events, and nothing was applied. Send fewer events in one delivery.')
    NOT_ALLOWED = (403, 'The token lacks a scope, or may not act for this bot. Send a token that has both.')
    NOT_JSON = (415, 'The body is not declared as JSON. Send Content-Type: application/json in UTF-8, without a Content-Encoding.')
    NOT_REPLAYABLE = (409, 'The body was replayed, dropped or purged in the meantime, or it was not stored completely. Ask its sender to send it again.')
    NO_CONVERSATION = (404, 'No conversation with this id is visible to the reader with this token. Check the id and the bot.')
    NO_LENGTH = (411, 'The server does not say where a body without Content-Length ends, so the body was not read. Send a Content-Length and no Transfer-Encoding.')
    NO_ROUTE = (404, 'No route has this path. Post deliveries to …/agentdesk/api/v1/hooks/{botId}. See openapi.json for all routes.')
    NO_TOKEN = (401, 'The request has no token. Send a JWT in the header auth, in token, or as Authorization: Bearer.')
    REJECTED_DELIVERY = (422, 'The delivery breaks a rule that is enforced here. Nothing was applied, and the body is in the quarantine. Correct what the findings name, and send it again.')
    SEVERAL_CONVERSATIONS = (409, 'Several bots have a conversation with this id. Name one of the listed bots in the parameter botId.')
    SLOW_BODY = (408, 'The body took too long, and nothing was applied. Send the whole body at once.')
    STORE_UNAVAILABLE = (503, 'The store does not answer, and nothing was applied. Send the same request again a little later.')
    UNFILED_DELIVERY = (422, 'The delivery names no conversation, or it is empty. Send a conversationId and a message or events. The body is in the quarantine.')
    UNREADABLE_BODY = (400, 'The body cannot be read. Nothing was applied, and the body is in the quarantine. Correct what the findings name, and send it again.')
    UNUSABLE_ID = (400, 'The id of a conversation or of an agent is too long, or the conversation id cannot be part of an address. Nothing was applied, and the body is in the quarantine. Send a shorter id without control characters.')
    WRONG_HOST = (421, 'The request is for another host, or comes from a page of another host. Without authentication only the names of this machine and those of allow_hosts (--allow-host) are served, and only to pages of the same host.')
    WRONG_METHOD = (405, 'The route does not have this method. Use one of the methods in the header Allow.')
    def __init__(status: int, detail: str) -> None: ...
    type = f"urn:segue:problem:{self.name.lower().replace('_', '-')}"
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
    entries: tuple[StoredEntry, ...]
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
class Store(Protocol):
    def acknowledge(number: int, lease: str) -> Future[bool] | bool: ...
    def bury(number: int, lease: str, reason: str) -> bool: ...
    def claim(lease: str, now: datetime, until: datetime, limit: int, longest: LongestWaits = LONGEST_WAITS, *, without: Collection[str] = ()) -> Sequence[OutboxMessage]: ...
    def close() -> None: ...
    def count_quarantined(key: ConversationKey, reasons: Collection[str]) -> int: ...
    def dead(after: int, limit: int) -> Sequence[OutboxMessage]: ...
    def deadlines(limit: int, after: datetime | None = None) -> Sequence[tuple[ConversationKey, datetime]]: ...
    def due_after(now: datetime) -> datetime | None: ...
    def entries(key: ConversationKey, after: int, until: int, limit: int) -> Sequence[StoredEntry]: ...
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
class StoredEntry:
    agent: str
    checksum: int
    delivery: int
    details: str
    events: int
    kind: str
    last_at: datetime | None
    marks: tuple[str, ...]
    number: int
    position: int
    queue: str
    received_at: datetime | None
    version: int
class StoreStats:
    dead: int
    healed: int
    held: int
    open: int
    quarantined: int
    waiting: int
    waiting_since: datetime | None
class TimelineEvent:
    agent: str | None
    event: int
    kind: str
    def of(judged: JudgedEntry) -> TimelineEvent: ...
    phase: str
    received_at: datetime | None
    def to_dict() -> dict[str, Any]: ...
class WsgiApp:
    def __init__(app: RequestHandler) -> None: ...