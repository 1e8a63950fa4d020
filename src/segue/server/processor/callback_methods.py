"""Methods of the processor for callbacks of the platform, and for the requests that cause them."""

from datetime import datetime
from typing import TYPE_CHECKING

from segue.core.events import CALL_NOTIFICATIONS, TRANSFER_CALLBACKS
from segue.server.processor.effects import adrive, drive
from segue.server.processor.records import HostRequest
from segue.server.processor.submission import Body, Receipt, SubmissionContext

if TYPE_CHECKING:
    from segue.server.processor.ingest import Ingest


class CallbackMethods:
    """The methods of `Processor` for call notifications (E2) and transfer callbacks (E9)."""

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
        """Record durably that a call is requested (E2), so that its notification is expected.

        Call this before you send the request to the platform. Once a bot has recorded a request, a
        notification that matches no request gives the finding SG710. `purge` and retention remove
        old requests.

        Args:
            bot_id: The bot id in the path of the request.
            conversation_id: The conversation of the call, or None if it is not known yet.
            request_id: Your own name for the request, as in `segue.server.callback_url`.
            asked_at: The time of the request, with a time zone. None means now.

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
        """Record that a call is requested without blocking the event loop; see `expect_call`."""
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
        """Record durably that a transfer is requested (E9), so that its callback is expected.

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
        """Record that a transfer is requested without blocking the loop; see `expect_transfer`."""
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
        """Apply one call notification (E2) and return its receipt after the commit.

        Args:
            bot_id: The id of the bot that makes the call.
            body: Bytes, text or a mapping. The receipt's findings tell what is wrong with it.
            conversation_id: The conversation id in the address, for a body without one.
            request_id: The request id in the address; see `expect_call`.
            delivery_id: A unique id. A repetition with the same id and body is not applied again.
            received_at: The time of receipt, with a time zone. None means now.

        Raises `ConfigurationError` for a time without a zone. Raises `StoreUnavailable`, and
        applies nothing, if the store is locked, full or gone.

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
        """Apply one transfer callback (E9), which may be any JSON, and return its receipt.

        Arguments and errors are those of `receive_notification`. The conversation must be named.
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
