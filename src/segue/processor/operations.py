"""The units of work of a processor, for whoever drives them: the hook, or the processor itself.

They decide nothing of their own: each starts what is not running yet, reads what was given, and
hands it to the module whose job it is.
"""

from collections.abc import Collection
from datetime import UTC, datetime
from time import monotonic

from segue.errors import ConfigurationError, StoreUnavailable
from segue.events import HOOKS, TRANSCRIPTION, Intake
from segue.processor.effects import Quarantine, Unit
from segue.processor.ingest import Ingestion, Settings
from segue.processor.notifier import Bell
from segue.processor.queries import feeding, listing, pinging, reporting
from segue.processor.receipt import ControlReceipt, ConversationView, FeedEntry, Page, Receipt, Row
from segue.processor.records import Commit, Quarantined
from segue.processor.redaction import spelt
from segue.processor.results import control_receipt, receipt
from segue.processor.runtime import Engine
from segue.processor.submission import Body, read

__all__ = ["Units", "aware"]


class Units:
    """What a processor can be asked to do for a request."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        self._settings = settings
        self._store = settings.store
        self._engine = engine
        self._bell = Bell()
        self._ingestion = Ingestion(settings, self._committed)

    def receiving(
        self,
        bot_id: str | None,
        body: Body,
        *,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[Receipt]:
        """Apply one delivery to the hook (E21).

        `bot_id` is that of the path. `received_at` is aware; without it the clock is read when the
        conversation's turn has come. `allowed_bots`: whom the sender may act for; None: anybody.
        """
        yield from self._started()
        sent = read(
            HOOKS,
            body,
            bot_id=bot_id,
            delivery_id=delivery_id,
            received_at=aware(received_at),
            store_text=self._settings.store_text,
            limits=self._settings.limits,
        )
        return (yield from self._ingestion.take(sent, allowed_bots, receipt))

    def controlling(  # noqa: PLR0913 - all that comes with an action
        self,
        bot_id: str | None,
        conversation_id: str,
        body: Body,
        *,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[ControlReceipt]:
        """Apply one transcription action (E1); `conversation_id` is that of the query."""
        yield from self._started()
        sent = read(
            TRANSCRIPTION,
            body,
            bot_id=bot_id,
            conversation_id=conversation_id,
            delivery_id=delivery_id,
            received_at=aware(received_at),
            store_text=self._settings.store_text,
            limits=self._settings.limits,
        )
        return (yield from self._ingestion.take(sent, allowed_bots, control_receipt))

    def keeping(self, intake: Intake, bot_id: str, body: bytes, *, reason: str) -> Unit[None]:
        """Put a body into the quarantine that cannot be taken for a delivery at all.

        It was cut off, or sent under an id nobody could file it under.
        """
        yield from self._started()
        item = Quarantined(
            endpoint=intake.name,
            bot_id=spelt(bot_id) or "",
            conversation_id=None,
            delivery_id=None,
            received_at=self._settings.clock(),
            reason=reason,
            codes=(),
            body=body[: self._settings.longest_quarantined] if self._settings.store_text else b"",
            size=len(body),
        )
        yield Quarantine(self._store, item)

    def reporting(
        self, conversation_id: str, *, allowed_bots: Collection[str] | None = None
    ) -> Unit[ConversationView | None]:
        """Give an account of one conversation; None: there is none that the asker may see."""
        yield from self._started()
        found = spelt(conversation_id) or ""
        return (yield from reporting(self._store, self._settings.policy, found, allowed_bots))

    def listing(
        self,
        *,
        after: str | None = None,
        limit: int = 50,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[Page[Row]]:
        """Give a page of all conversations, newest first."""
        yield from self._started()
        return (yield from listing(self._store, after, limit, allowed_bots))

    def feeding(
        self,
        *,
        after: str | None = None,
        limit: int = 100,
        wait: float = 0.0,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[Page[FeedEntry]]:
        """Give a page of the deliveries that gave findings or changed a phase, oldest first.

        Without any behind `after`, wait up to `wait` seconds for some. "now" is the end of the
        feed, wherever that is.
        """
        yield from self._started()
        return (
            yield from feeding(
                self._store,
                self._bell,
                after,
                monotonic=monotonic,
                limit=limit,
                wait=wait,
                allowed_bots=allowed_bots,
            )
        )

    def ready(self) -> Unit[bool]:
        """Find out whether the store answers."""
        try:
            yield from self._started()
        except StoreUnavailable:
            return False
        return (yield from pinging(self._store))

    def _started(self) -> Unit[None]:
        if not self._engine.running:
            yield self._engine

    def _committed(self, commit: Commit) -> None:
        if commit.notices:
            self._engine.ring()
        if commit.entry.is_news:
            self._bell.ring()


def aware(at: datetime | None) -> datetime | None:
    """Take a time to UTC; one without a zone is the host's mistake."""
    if at is None:
        return None
    if at.tzinfo is None:
        raise ConfigurationError("the time has no time zone: pass an aware datetime")
    return at.astimezone(UTC)
