"""Contact lists and campaigns."""

from typing import Annotated, Any, Literal, Self

from annotated_types import Ge, Le, MaxLen
from pydantic import Field, model_validator

from segue.platform.models.base import PlatformModel

CampaignStatus = Literal[
    "Active", "Completed", "Ready", "Paused", "Preparing", "Stopped", "Scheduled", "Rescheduled",
] | str  # fmt: skip
SortOrder = Literal["asc", "desc"] | str


class ContactListCreate(PlatformModel):
    """The body of E10."""

    name: Annotated[str, MaxLen(48)]
    description: Annotated[str, MaxLen(256)]
    source: Literal["passiveApi"] | str = "passiveApi"
    allow_duplicates: bool | None = None


class ApiConfigurations(PlatformModel):
    """The settings for adding records to a contact list."""

    data_sync_mode: Literal["allowDuplicates"] | str | None = None


class ContactList(PlatformModel):
    """A contact list."""

    id: str | None = Field(default=None, alias="_id")
    name: str | None = None
    description: str | None = None
    status: Literal["Ready"] | str | None = None
    is_active: bool | None = None
    total_record_count: int | float | None = None
    source: Literal["passiveApi"] | str | None = None
    allow_duplicates: bool | None = None
    list_type: Literal["call"] | str | None = None
    is_list_in_use: bool | None = None
    campaign_in_use: list[str] | None = None
    files: list[Any] | None = None
    mapping: dict[str, Any] | None = None
    api_configurations: ApiConfigurations | None = None
    created_by: str | None = None
    updated_by: str | None = None
    created_at: str | None = None
    updated_at: str | None = None


class ContactListCreated(PlatformModel):
    """The answer of E10."""

    status: Literal["success"] | str | None = None
    message: str | None = None
    data: ContactList | None = None


class Contact(PlatformModel):
    """A contact record, of which the specification shows only the phone number."""

    phone_number: str


class ContactsAdd(PlatformModel):
    """The body of E11."""

    contact_list_name: str = Field(alias="contact_list_name")
    contacts: list[Contact] = Field(alias="data")


class ContactsAdded(PlatformModel):
    """The answer of E11, which says that the contacts are being added."""

    message: str | None = None


class CampaignSort(PlatformModel):
    """The sort order of E23. If any field is given, `name` is required."""

    name: SortOrder | None = None
    created_at: SortOrder | None = None
    updated_at: SortOrder | None = None

    @model_validator(mode="after")
    def _has_name(self) -> Self:
        if self.name is None and (self.created_at or self.updated_at):
            raise ValueError("name is required if created_at or updated_at is given")
        return self


class CampaignFilters(PlatformModel):
    """The filters of E23. Only the sample has `dialing_mode`."""

    status: list[CampaignStatus] | None = None
    priority: list[Annotated[int, Ge(1), Le(5)]] | None = None
    dialing_mode: list[Literal["Progressive", "Preview"] | str] | None = None


class CampaignSearch(PlatformModel):
    """The body of E23."""

    kind: Literal["voice", "sms"] | str = Field(alias="type")
    skip: int | Literal[""] | None = None
    page: int | Literal[""] | None = None
    limit: int | Literal[""] | None = None
    start_date: str | None = None
    end_date: str | None = None
    sort_by: CampaignSort | None = None
    filters: CampaignFilters | None = None


class CampaignMessage(PlatformModel):
    """The text of a simple SMS campaign."""

    message: str | None = None


class CampaignSchedule(PlatformModel):
    """The schedule of a campaign."""

    is_scheduling_enabled: bool | None = None
    is_recurrence_enabled: bool | None = None


class Campaign(PlatformModel):
    """A campaign (E23)."""

    id: str | None = None
    name: str | None = None
    description: str | None = None
    status: CampaignStatus | None = None
    priority: Literal["1", "2", "3", "4", "5"] | str | None = None
    experience_flow: str | None = None
    message: CampaignMessage | None = None
    created_at: str | None = None
    updated_at: str | None = None
    campaign_instance_updated_at: str | None = None
    schedule: CampaignSchedule | None = None
    total_messages_sent: int | None = None
    campaign_execution_type: Literal["NORMAL"] | str | None = None
    contact_lists: list[str] | None = None
    format: Literal["simple", "advanced"] | str | None = None


class CampaignPage(PlatformModel):
    """The member `data` in the answer of E23."""

    results: list[Campaign] | None = None
    skip: int | None = None
    limit: int | None = None
    has_more: bool | None = None
    total_pages: int | None = None
    total_results: int | None = None


class CampaignsFound(PlatformModel):
    """The answer of E23."""

    status: Literal["success", "error"] | str | None = None
    message: str | None = None
    data: CampaignPage | None = None


class CampaignStart(PlatformModel):
    """The body of E24, an empty object."""


class CampaignStarted(PlatformModel):
    """The answer of E24."""

    status: Literal["Active"] | str | None = None
    message: str | None = None
    total_calls_completed: int | float | None = None
    updated_at: str | None = None
    campaign_instance_id: str | None = None
