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