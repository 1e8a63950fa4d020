"""What a processor has for requests to the platform, and for what is called back about them."""

from datetime import datetime
from typing import TYPE_CHECKING

from segue.core.events import CALL_NOTIFICATIONS, TRANSFER_CALLBACKS
from segue.server.processor.effects import adrive, drive
from segue.server.processor.records import HostRequest
from segue.server.processor.submission import Body, Receipt, SubmissionContext

if TYPE_CHECKING:
    from segue.server.processor.ingest import Ingest


class CallbackMethods:
    """What `Processor` has for call notifications (E2) and transfer callbacks (E9)."""

    if TYPE_CHECKING:
        ingest: Ingest

    def expect_call(
        self,
        bot_id: str,
        conversation_id: str | None = None,
        request_id: str | None = None,
        *,
        asked_at: datetime | None = None,
    ) -> None:
        """Say that a call is asked for (E2), durably, so that its notification is expected.

        From the first request of a bot on, a notification that answers none of them gives SG710.
        Say it before the request is sent. A request is forgotten by `purge` and retention.

        Args:
            bot_id: that of the path of the request.
            conversation_id: of the call; None if it is not known yet.
            request_id: your own name of the request, as in `segue.server.callback_url`.
            asked_at: when it is made, aware; by default the time now.

        Raises `ConfigurationError` without any id, and `StoreUnavailable` as `receive` does.

        """
        request = HostRequest(CALL_NOTIFICATIONS.name, bot_id, conversation_id, request_id)
        drive(self.ingest.expect(request, asked_at))

    async def aexpect_call(
        self,
        bot_id: str,
        conversation_id: str | None = None,
        request_id: str | None = None,
        *,
        asked_at: datetime | None = None,
    ) -> None:
        """Say that a call is asked for without blocking the event loop; see `expect_call`."""
        request = HostRequest(CALL_NOTIFICATIONS.name, bot_id, conversation_id, request_id)
        await adrive(self.ingest.expect(request, asked_at))

    def expect_transfer(
        self,
        bot_id: str,
        conversation_id: str | None = None,
        request_id: str | None = None,
        *,
        asked_at: datetime | None = None,
    ) -> None:
        """Say that a transfer is asked for (E9), durably, so that its callback is expected.

        Arguments and errors are those of `expect_call`.
        """
        request = HostRequest(TRANSFER_CALLBACKS.name, bot_id, conversation_id, request_id)
        drive(self.ingest.expect(request, asked_at))

    async def aexpect_transfer(
        self,
        bot_id: str,
        conversation_id: str | None = None,
        request_id: str | None = None,
        *,
        asked_at: datetime | None = None,
    ) -> None:
        """Say that a transfer is asked for without blocking the loop; see `expect_transfer`."""
        request = HostRequest(TRANSFER_CALLBACKS.name, bot_id, conversation_id, request_id)
        await adrive(self.ingest.expect(request, asked_at))

    def receive_notification(
        self,
        bot_id: str | None,
        body: Body,
        *,
        conversation_id: str | None = None,
        request_id: str | None = None,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
    ) -> Receipt:
        """Apply one call notification (E2) and return its receipt, after the commit.

        Args:
            bot_id: the bot whose call it is.
            body: bytes, text or a mapping; what is wrong with it is in the receipt's findings.
            conversation_id: that of the address, for a body that names none.
            request_id: that of the address, see `expect_call`.
            delivery_id: the same id with the same body is applied once.
            received_at: when it was received, with a time zone (else `ConfigurationError`); by
                default the time now.

        Raises `StoreUnavailable`, with nothing applied, when the store is locked, full or gone.

        """
        context = SubmissionContext(bot_id, conversation_id, delivery_id, received_at, request_id)
        return drive(self.ingest.submit(CALL_NOTIFICATIONS, body, context, Receipt.of))

    async def areceive_notification(
        self,
        bot_id: str | None,
        body: Body,
        *,
        conversation_id: str | None = None,
        request_id: str | None = None,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
    ) -> Receipt:
        """Apply a notification without blocking the loop; see `receive_notification`."""
        context = SubmissionContext(bot_id, conversation_id, delivery_id, received_at, request_id)
        return await adrive(self.ingest.submit(CALL_NOTIFICATIONS, body, context, Receipt.of))

    def receive_transfer(
        self,
        bot_id: str | None,
        body: Body,
        *,
        conversation_id: str | None = None,
        request_id: str | None = None,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
    ) -> Receipt:
        """Apply one transfer callback (E9), whatever JSON it is, and return its receipt.

        Arguments and errors are those of `receive_notification`; the conversation has to be named.
        """
        context = SubmissionContext(bot_id, conversation_id, delivery_id, received_at, request_id)
        return drive(self.ingest.submit(TRANSFER_CALLBACKS, body, context, Receipt.of))

    async def areceive_transfer(
        self,
        bot_id: str | None,
        body: Body,
        *,
        conversation_id: str | None = None,
        request_id: str | None = None,
        delivery_id: str | None = None,
        received_at: datetime | None = None,
    ) -> Receipt:
        """Apply a transfer callback without blocking the loop; see `receive_transfer`."""
        context = SubmissionContext(bot_id, conversation_id, delivery_id, received_at, request_id)
        return await adrive(self.ingest.submit(TRANSFER_CALLBACKS, body, context, Receipt.of))
