"""Models of contact lists and campaigns (endpoints E10, E11, E23 and E24)."""

from typing import Annotated, Any, Literal, Self

from annotated_types import Ge, Le, MaxLen
from pydantic import Field, model_validator

from segue.platform.models.base import PlatformModel

CampaignStatus = Literal[
    "Active", "Completed", "Ready", "Paused", "Preparing", "Stopped", "Scheduled", "Rescheduled",
] | str  # fmt: skip
SortOrder = Literal["asc", "desc"] | str


class ContactListCreate(PlatformModel):
    """The body of a request to create a contact list (endpoint E10)."""

    name: Annotated[str, MaxLen(48)]
    description: Annotated[str, MaxLen(256)]
    source: Literal["passiveApi"] | str = "passiveApi"
    allow_duplicates: bool | None = None


class ApiConfigurations(PlatformModel):
    """The settings for adding contacts. `data_sync_mode` is `allowDuplicates`, or None if unset."""

    data_sync_mode: Literal["allowDuplicates"] | str | None = None


class ContactList(PlatformModel):
    """A list of contacts to call, with its status and number of records."""

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
    """The answer of endpoint E10, with the new contact list in `data`."""

    status: Literal["success"] | str | None = None
    message: str | None = None
    data: ContactList | None = None


class Contact(PlatformModel):
    """A contact to be added to a contact list.

    The phone number is the only member that the specification shows. Other members are kept.
    """

    phone_number: str


class ContactsAdd(PlatformModel):
    """The body of a request to add contacts to a contact list (endpoint E11)."""

    contact_list_name: str = Field(alias="contact_list_name")
    contacts: list[Contact] = Field(alias="data")


class ContactsAdded(PlatformModel):
    """The answer of endpoint E11, with a message that the contacts are being added."""

    message: str | None = None


class CampaignSort(PlatformModel):
    """The sort order of a search for campaigns (endpoint E23).

    Each attribute is `asc`, `desc` or None. `name` is required if either time is given.
    """

    name: SortOrder | None = None
    created_at: SortOrder | None = None
    updated_at: SortOrder | None = None

    @model_validator(mode="after")
    def _has_name(self) -> Self:
        if self.name is None and (self.created_at or self.updated_at):
            raise ValueError("name is required if created_at or updated_at is given")
        return self


class CampaignFilters(PlatformModel):
    """The filters of a search for campaigns (endpoint E23).

    `dialing_mode` occurs only in the sample request of the specification.
    """

    status: list[CampaignStatus] | None = None
    priority: list[Annotated[int, Ge(1), Le(5)]] | None = None
    dialing_mode: list[Literal["Progressive", "Preview"] | str] | None = None


class CampaignSearch(PlatformModel):
    """The body of a search for campaigns (endpoint E23)."""

    kind: Literal["voice", "sms"] | str = Field(alias="type")
    skip: int | Literal[""] | None = None
    page: int | Literal[""] | None = None
    limit: int | Literal[""] | None = None
    start_date: str | None = None
    end_date: str | None = None
    sort_by: CampaignSort | None = None
    filters: CampaignFilters | None = None


class CampaignMessage(PlatformModel):
    """The text message that a simple SMS campaign sends."""

    message: str | None = None


class CampaignSchedule(PlatformModel):
    """The schedule of a campaign: whether it is scheduled, and whether it recurs."""

    is_scheduling_enabled: bool | None = None
    is_recurrence_enabled: bool | None = None


class Campaign(PlatformModel):
    """A campaign in the answer of endpoint E23, with its status, priority and schedule."""

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
    """One page of campaigns: the member `data` in the answer of endpoint E23."""

    results: list[Campaign] | None = None
    skip: int | None = None
    limit: int | None = None
    has_more: bool | None = None
    total_pages: int | None = None
    total_results: int | None = None


class CampaignsFound(PlatformModel):
    """The answer to a search for campaigns (endpoint E23), with one page of them in `data`."""

    status: Literal["success", "error"] | str | None = None
    message: str | None = None
    data: CampaignPage | None = None


class CampaignStart(PlatformModel):
    """The body of a request to start a campaign (endpoint E24), an empty JSON object."""


class CampaignStarted(PlatformModel):
    """The status of the campaign that endpoint E24 has started, with the id of this run."""

    status: Literal["Active"] | str | None = None
    message: str | None = None
    total_calls_completed: int | float | None = None
    updated_at: str | None = None
    campaign_instance_id: str | None = None
