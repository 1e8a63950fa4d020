"""The 26 endpoints of the specification, as instances of `Endpoint`.

Every `cites` of an endpoint, a variant or an unknown detail is a quotation from the specification.
"""

from collections.abc import Mapping
from typing import Final

from segue.platform.rows import (
    Arg,
    CallbackUrl,
    Chosen,
    Endpoint,
    Header,
    Link,
    Paged,
    Paging,
    Unknown,
    Variant,
    VariantKind,
)

_BOT: Final = Arg("bot", "botId", is_required=True)
_STREAM: Final = Arg("stream", "streamId", is_required=True)
_ORG: Final = Arg("org", "orgId", is_required=True)
_ACCOUNT: Final = Header("accountId", "account")
_CAMPAIGN_HEADERS: Final = (
    Header("iid", "app", is_required=True),
    Header("accountId", "account", is_required=True),
)
_ERRORS: Final = Unknown(
    "errors",
    "Error envelope, HTTP status codes and error codes for all other endpoints: not shown.",
)
_FINAL: Final = ("success", "failed", "failure")
_WAITS: Final = Chosen(
    "a wait ends only at `success`, `failed` or `failure`",
    "E15 says `failed` and E20 says `failure`. E18 names no state of a failed import, and no "
    "transitions are shown, so every wait also has a time limit.",
)
_VERB: Final = Variant(
    kind=VariantKind.VERB,
    what="verb",
    reference="PUT",
    sample="POST",
    sends="PUT",
    cites="the sample request shows the verb POST for the same path",
)
_SCOPE: Final = "Scopes of E16, E17: not shown."


def _unknown(said: Mapping[str, str] = {}, *, shows_errors: bool = False) -> tuple[Unknown, ...]:
    """Return an `Unknown` for each detail of an endpoint that the specification does not show.

    Args:
        said: The sentences of the specification by detail.
        shows_errors: Whether the specification shows the errors of the endpoint. If not, they are
            the last `Unknown`.

    """
    unknown = tuple(Unknown(what, cites) for what, cites in said.items())
    return unknown if shows_errors else (*unknown, _ERRORS)


def _chosen(reasons: Mapping[str, str]) -> tuple[Chosen, ...]:
    """Return a `Chosen` for each decision. The mapping contains the reasons by decision."""
    return tuple(Chosen(what, why) for what, why in reasons.items())


E1: Final = Endpoint(
    number="E1",
    title="Control transcription",
    name="transcription.control",
    method="POST",
    path="/api/1.1/public/bot/{botId}/control/transcription",
    cited_query="?conversationId=<conversation_id>",
    scope="Transcription",
    path_args=(_BOT,),
    query=(Arg("conversation", "conversationId", is_required=True),),
    body="conversations.TranscriptionControl",
    variants=(
        Variant(
            kind=VariantKind.TYPE,
            what="`handover` with start, resume and end",
            reference="always",
            sample="only with `pause`",
            cites="Samples send `handover` only with `pause`.",
        ),
    ),
    unknown=_unknown({
        "the answer": "Response body: not shown.",
        "whether `Authorization` is required":
            "The transcription sample also sends an `Authorization` header carrying a bearer value "
            "next to `auth`; whether it is required: not shown.",
        "states and transitions of a transcription session":
            "states of the session are not named. Transitions: not shown.",
    }),
    chosen=_chosen({
        "`Authorization` is not sent": "Every endpoint takes the JWT in the header `auth`.",
    }),
)  # fmt: skip

E2: Final = Endpoint(
    number="E2",
    title="Start an outbound call",
    name="calls.start",
    method="POST",
    path="/api/1.1/public/bot/{botId}/voicedesk/dialout",
    scope="Dialout",
    path_args=(_BOT,),
    body="calls.Dialout",
    result="calls.DialoutStarted",
    expects=("sid", "callId"),
    variants=(
        Variant(
            kind=VariantKind.PARAMETERS,
            what="where the parameters are",
            reference="query",
            sample="body",
            sends="body",
            adds=("bot",),
            cites=(
                "documented as query parameters; the sample sends them in the JSON body together "
                "with a `bot` field"
            ),
        ),
        Variant(
            kind=VariantKind.MEMBER,
            what="`machinedetection`",
            reference="machinedetection",
            sample="machineDetection",
            sends="machinedetection",
            cites="The sample spells it `machineDetection`.",
        ),
        Variant(
            kind=VariantKind.RECEIVED,
            what="`callDisconnectTime` of the notification",
            reference="callDisconnecttime",
            sample="callDisconnectTime",
            cites="the field table spells it `callDisconnecttime`",
        ),
        Variant(
            kind=VariantKind.RECEIVED,
            what="`duration` of the notification",
            reference="string",
            sample="number",
            cites="number (table says string)",
        ),
    ),
    unknown=_unknown({
        "which place the service reads": "Which location the service reads: not shown.",
        "retries, signing and delivery of the notification":
            "Retries, signing or delivery guarantees of outbound notifications: not shown.",
        "transitions of a call": "`completed`, `failed`. Transitions: not shown.",
        "which member of the answer is the notification's `conversationId`":
            "Conversation UUID (matches the dial-out result).",
    }),
    chosen=_chosen({
        "`metadata` and `timers` go into a query as JSON text":
            "The specification names no other form for an object in a query.",
    }),
    callbacks=(CallbackUrl("notifyurl", "calls.CallNotification", "once, after the call"),),
)  # fmt: skip

E3: Final = Endpoint(
    number="E3",
    title="Create a queue",
    name="queues.create",
    method="POST",
    path="/agentdesk/api/v1/public/{streamId}/queues",
    scope="Configuration",
    path_args=(_STREAM,),
    headers=(_ACCOUNT,),
    body="routing.QueueCreate",
    result="routing.Queue",
    expects=("id",),
    variants=(
        Variant(
            kind=VariantKind.TYPE,
            what="`min` and `sec` of `expireTime`",
            reference="numbers",
            sample="numeric strings",
            cites="numbers in responses, numeric strings in the create sample",
        ),
    ),
    unknown=_unknown(),
    links=(Link("E5", {"queueId": "/id"}),),
)

E4: Final = Endpoint(
    number="E4",
    title="List queues",
    name="queues.list",
    method="GET",
    path="/agentdesk/api/v1/public/{streamId}/queues",
    scope="Configuration",
    path_args=(_STREAM,),
    query=(Arg("page", "page", type="int"),),
    headers=(_ACCOUNT,),
    result=Paged(
        "routing.QueuePage",
        "routing.Queue",
        items=("results",),
        by=Paging.PAGE_UNNAMED,
        more=("has_more",),
    ),
    expects=("results", "hasMore"),
    unknown=_unknown({
        "parameters of the query": "Query parameters (page, page size, filters): not shown.",
    }),
    chosen=_chosen({
        "the second page is requested with `page=2`":
            "The answer has a member `page`, and E22 has a parameter of that name.",
    }),
    links=(
        Link("E5", {"queueId": "/results/0/id"}),
        Link("E13", {"queueId": "/results/0/id", "orgId": "/results/0/orgId"}),
    ),
)  # fmt: skip

E5: Final = Endpoint(
    number="E5",
    title="Update a queue",
    name="queues.update",
    method="PUT",
    path="/agentdesk/api/v1/public/{streamId}/queues/{queueId}",
    scope="Configuration",
    path_args=(_STREAM, Arg("queue", "queueId", is_required=True)),
    headers=(_ACCOUNT,),
    body="routing.QueueUpdate",
    result="routing.Queue",
    expects=("id",),
    unknown=_unknown({
        "members of the body":
            "Request body fields: not shown beyond the sample carrying an empty body.",
    }),
)  # fmt: skip

E6: Final = Endpoint(
    number="E6",
    title="Update a skill group",
    name="skill_groups.update",
    method="PUT",
    path="/agentdesk/api/v1/public/{streamId}/skill-groups/{id}",
    scope="Analytics",
    path_args=(_STREAM, Arg("skill_group", "id", is_required=True)),
    repeats={"id": "skill_group"},
    body="routing.SkillGroupUpdate",
    result="routing.SkillGroup",
    expects=("id", "name"),
    variants=(_VERB,),
    unknown=_unknown(),
)

E7: Final = Endpoint(
    number="E7",
    title="Update an agent group",
    name="agent_groups.update",
    method="PUT",
    path="/agentdesk/api/v1/public/{streamId}/agent-groups/{id}",
    scope="Analytics",
    path_args=(_STREAM, Arg("agent_group", "id", is_required=True)),
    body="routing.AgentGroupUpdate",
    result="routing.AgentGroup",
    expects=("name",),
    variants=(_VERB,),
    unknown=_unknown({
        "other members of an agent group": "Other fields of the agent group record: not shown.",
    }),
)  # fmt: skip

E8: Final = Endpoint(
    number="E8",
    title="Create a task",
    name="tasks.create",
    method="POST",
    path="/caseManagement/api/public/analytics/{streamId}/createTask",
    scope="Case Management Configuration",
    path_args=(_STREAM,),
    headers=(Header("accountId", "account"),),
    body="conversations.TaskCreate",
    result="conversations.Task",
    expects=("_id",),
    unknown=_unknown(),
)

E9: Final = Endpoint(
    number="E9",
    title="Transfer a conversation to an agent or queue",
    name="conversations.assign",
    method="POST",
    path="/agentdesk/api/v1/public/{streamId}/assign-conversation",
    scope="Routing",
    path_args=(_STREAM,),
    headers=(Header("accountid", "account"),),
    body="routing.AssignConversation",
    result="routing.ConversationAssigned",
    expects=("sessionId", "status"),
    variants=(
        Variant(
            kind=VariantKind.PARAMETERS,
            what="where the parameters are",
            reference="query",
            sample="body",
            sends="body",
            cites="documented as query parameters; the samples send them in the JSON body",
        ),
        Variant(
            kind=VariantKind.HEADER,
            what="`accountId`",
            reference="accountid",
            sample="accountId",
            cites="Header `accountid`.",
        ),
        Variant(
            kind=VariantKind.TYPE,
            what="`aId` and `queueId`",
            reference="both required",
            sample="one of them",
            cites=(
                "For an agent transfer send `aId`; for a queue transfer send `transferredType` "
                "with value `QUEUE` and `queueId`."
            ),
        ),
    ),
    unknown=_unknown({
        "what is posted to `callbackUrl`":
            "Success and failure messages are posted to `callbackUrl`. Their content: not shown.",
    }),
    chosen=_chosen({
        "`transferredType` is `QUEUE` if a queue but no agent is given":
            "A queue transfer needs it, and it has no other value.",
    }),
    callbacks=(CallbackUrl("callbackUrl", None, "when the transfer succeeds or fails"),),
)  # fmt: skip

E10: Final = Endpoint(
    number="E10",
    title="Create a contact list",
    name="contact_lists.create",
    method="POST",
    path="/agentdesk/api/v1/public/{IID}/campaign/contactList/createContactList",
    scope="Campaign Management",
    path_args=(Arg("app", "IID", is_required=True),),
    headers=_CAMPAIGN_HEADERS,
    body="campaigns.ContactListCreate",
    defaults=("source",),
    result="campaigns.ContactListCreated",
    expects=("status", "data"),
    unknown=_unknown(),
)

E11: Final = Endpoint(
    number="E11",
    title="Add contacts to a contact list",
    name="contact_lists.add",
    method="POST",
    path="/api/1.1/public/{IID}/campaign/contactList/addContacts",
    scope="Campaign Management",
    path_args=(Arg("app", "IID", is_required=True),),
    headers=_CAMPAIGN_HEADERS,
    body="campaigns.ContactsAdd",
    result="campaigns.ContactsAdded",
    expects=("message",),
    unknown=_unknown({
        "other members of a contact":
            "Contact record (added to a list): `phoneNumber` string, required. Other contact "
            "fields: not shown.",
        "how many contacts one request may have":
            "Maximum number of contacts per E11 request: not shown.",
    }),
)  # fmt: skip

E12: Final = Endpoint(
    number="E12",
    title="Create users",
    name="users.create",
    method="POST",
    path="/api/public/users",
    admin_scope="User Management > User Management",
    needs_admin_token=True,
    body="administration.UsersCreate",
    result="administration.UsersCreated",
    failures="failedUserDetails",
    variants=(
        Variant(
            kind=VariantKind.RECEIVED,
            what="`status` and `reason` of a failed user",
            reference="in `userInfo`",
            sample="next to `userInfo`",
            cites="each element has `userInfo` with `emailId`, `firstName`, `status` (`failure`)",
        ),
    ),
    chosen=_chosen({
        "a list of failed users is an answer, whatever its status":
            "The status of such an answer is not shown, and all other users were created.",
    }),
    unknown=_unknown(),
)  # fmt: skip

E13: Final = Endpoint(
    number="E13",
    title="Get hours of operation",
    name="hours.get",
    method="GET",
    path="/agentdesk/api/public/organizations/{orgId}/operationshours/{queueId}",
    scope="Configuration",
    path_args=(_ORG, Arg("queue", "queueId", is_required=True)),
    headers=(
        Header("accountId", "account", is_required=True),
        Header("Iid", "app", is_required=True),
    ),
    result="agents.Hours",
    expects=("id",),
    variants=(
        Variant(
            kind=VariantKind.HEADER,
            what="`iid`",
            reference="Iid",
            sample="iid",
            cites="header `iid` / `Iid` (application id)",
        ),
    ),
    unknown=_unknown(),
)

E14: Final = Endpoint(
    number="E14",
    title="Initiate training",
    name="training.start",
    method="POST",
    path="/api/public/bot/{botId}/train",
    scope="Train",
    path_args=(_BOT,),
    body="bots.TrainingStart",
    result="bots.TrainingJobGroup",
    expects=("_id", "status"),
    unknown=_unknown(),
    links=(Link("E15", {"jobGroupId": "/_id"}),),
)

E15: Final = Endpoint(
    number="E15",
    title="Get training status",
    name="training.get",
    method="GET",
    path="/api/public/bot/{botId}/job-group/{jobGroupId}",
    scope="Answer Generation",
    path_args=(_BOT, Arg("job", "jobGroupId", is_required=True)),
    result="bots.TrainingJobGroup",
    expects=("_id", "status"),
    final=_FINAL,
    waits_for={"job": "id"},
    chosen=(_WAITS,),
    variants=(
        Variant(
            kind=VariantKind.RECEIVED,
            what="`status` of a training that runs",
            reference="in progress",
            sample="running",
            cites="`running` (seen on initiation), `success`, `in progress`, `failed`",
        ),
    ),
    unknown=_unknown({
        "transitions of a training":
            "`running` (seen on initiation), `success`, `in progress`, `failed`. "
            "Transitions: not shown.",
    }),
)  # fmt: skip

E16: Final = Endpoint(
    number="E16",
    title="Get roles",
    name="roles.list",
    method="GET",
    path="/api/public/roles",
    cited_query="?roleType=<role_type>&limit=<n>",
    needs_admin_token=True,
    query=(
        Arg("role_type", "roleType", is_required=True, values=("bot", "admin")),
        Arg("limit", "limit", type="int", maximum=50),
    ),
    result=Paged(
        "administration.RolesFound",
        "administration.RoleRecord",
        items=("roles",),
        by=Paging.LIMIT_ONLY,
        more=("available_more",),
    ),
    expects=("roles", "availableMore"),
    unknown=_unknown({"scope": _SCOPE}),
)

E17: Final = Endpoint(
    number="E17",
    title="Get user roles",
    name="users.roles",
    method="GET",
    path="/api/public/alluserroles",
    cited_query="?limit=<n>",
    needs_admin_token=True,
    query=(Arg("limit", "limit", type="int"),),
    result=Paged(
        "administration.UserRolesFound",
        "administration.UserRoles",
        items=("users",),
        by=Paging.LIMIT_ONLY,
        more=("available_more",),
        identity="user_id",
    ),
    expects=("users", "availableMore"),
    unknown=_unknown({
        "scope": _SCOPE,
        "other parameters of the query":
            "The sample passes `limit`; other query parameters are not documented.",
    }),
)  # fmt: skip

E18: Final = Endpoint(
    number="E18",
    title="Bot import status",
    name="bots.import_status",
    method="GET",
    path="/api/public/bot/import/status/{BotImportBIR}",
    admin_scope="Bot Definition > Bot Import",
    needs_admin_token=True,
    path_args=(Arg("request", "BotImportBIR", is_required=True),),
    result="bots.BotImport",
    expects=("_id", "status"),
    final=_FINAL,
    chosen=(_WAITS,),
    unknown=_unknown(),
)

E19: Final = Endpoint(
    number="E19",
    title="Import a batch test suite",
    name="test_suites.upload",
    method="POST",
    path="/api/public/bot/{botId}/testsuite/import",
    scope="Batch Tests Management",
    path_args=(_BOT,),
    headers=(Header("bot-language", "bot_language"),),
    body="bots.TestSuiteImport",
    result="bots.TestSuite",
    expects=("_id",),
    variants=(
        Variant(
            kind=VariantKind.PATH,
            what="path",
            reference="/api/public/bot/{botId}/testsuite/import",
            sample="/api/public/stream/{botId}/testsuite/import",
            sends="/api/public/bot/{botId}/testsuite/import",
            cites="the sample uses `/api/public/stream/{streamId}/testsuite/import`",
        ),
    ),
    unknown=_unknown(),
)

E20: Final = Endpoint(
    number="E20",
    title="FAQ training status",
    name="faqs.training_status",
    method="GET",
    path="/api/public/bot/{BotId}/faqs/train/status",
    cited_query="?language=<language_code>&state=<state>",
    scope="Train FAQ",
    admin_scope="Test and Train > Train FAQ",
    path_args=(Arg("bot", "BotId", is_required=True),),
    query=(
        Arg("language", "language", is_required=True),
        Arg("state", "state", values=("configured", "published")),
    ),
    result="bots.FaqTraining",
    expects=("status",),
    final=_FINAL,
    chosen=(_WAITS,),
    variants=(
        Variant(
            kind=VariantKind.RECEIVED,
            what="words for a training that runs or failed",
            reference="in-progress, failure",
            sample="in progress, failed (E15)",
            cites="FAQ training `status`: `success`, `in-progress`, `failure`.",
        ),
    ),
    unknown=_unknown({
        "transitions of an FAQ training":
            "FAQ training `status`: `success`, `in-progress`, `failure`. Transitions: not shown.",
    }),
)  # fmt: skip

E21: Final = Endpoint(
    number="E21",
    title="Agent-assistant webhook intake",
    name="conversations.send",
    method="POST",
    path="/agentdesk/api/v1/hooks/{botId}",
    path_args=(_BOT,),
    body="conversations.ConversationEvents",
    variants=(
        Variant(
            kind=VariantKind.AUTHENTICATION,
            what="header of the token",
            reference="auth",
            sample="token",
            sends="auth",
            cites=(
                "The webhook sample sends the JWT in a header named `token` although the reference "
                "names `auth`."
            ),
        ),
    ),
    unknown=_unknown({
        "the answer and its status": "Response body and status: not shown.",
        "scope": "Scope of E21: not shown.",
        "letter case of `transfertype`, and the type of `isExtAD`":
            "Letter case of `transfertype` values (samples use lowercase `cold`, `warm`, `redial`; "
            "structure uses uppercase) and whether `isExtAD` is boolean or string: not shown.",
    }),
)  # fmt: skip

E22: Final = Endpoint(
    number="E22",
    title="List agents",
    name="agents.list",
    method="GET",
    path="/agentdesk/api/v1/public/{streamId}/organizations/{orgId}/agents",
    cited_query="?page=1&includeQueues=True",
    scope="Analytics",
    path_args=(_STREAM, _ORG),
    query=(
        Arg("page", "page", type="int"),
        Arg("include_queues", "includeQueues", type="bool"),
    ),
    headers=(_ACCOUNT,),
    result=Paged("agents.AgentPage", "agents.Agent", items=("results",), by=Paging.PAGE),
    expects=("results",),
    variants=(
        Variant(
            kind=VariantKind.RECEIVED,
            what="`onlineStatus`",
            reference="Offline",
            sample="OFFLINE",
            cites="string (seen: `Offline`, `OFFLINE`)",
        ),
    ),
    unknown=_unknown({
        "the sign of the last page": "Pagination fields around `results`: not shown.",
    }),
    chosen=_chosen({
        "pages are read until one is empty or has nothing new":
            "The answer does not say which page is the last.",
        "a boolean in a query is `True` or `False`": "The sample has `includeQueues=True`.",
    }),
    links=(Link("E9", {"aId": "/results/0/id"}),),
)  # fmt: skip

E23: Final = Endpoint(
    number="E23",
    title="List campaigns",
    name="campaigns.list",
    method="POST",
    path="/agentdesk/api/v1/public/{IID}/campaign/getAllCampaignDetails",
    scope="Campaign Management",
    path_args=(Arg("app", "IID", is_required=True),),
    headers=_CAMPAIGN_HEADERS,
    body="campaigns.CampaignSearch",
    result=Paged(
        "campaigns.CampaignsFound",
        "campaigns.Campaign",
        items=("data", "results"),
        by=Paging.SKIP,
        more=("data", "has_more"),
    ),
    expects=("status", "data"),
    variants=(
        Variant(
            kind=VariantKind.TYPE,
            what="`skip`, `page` and `limit`",
            reference="number",
            sample="empty string",
            cites="`page` number optional (may be empty string)",
        ),
        Variant(
            kind=VariantKind.RECEIVED,
            what="`priority`",
            reference="numbers in a request",
            sample="strings in an answer",
            cites="Values 1 to 5 as strings in responses.",
        ),
        Variant(
            kind=VariantKind.TYPE,
            what="`filters.dialingMode`",
            reference="not named",
            sample="Progressive, Preview",
            cites="the sample also carries `filters.dialingMode` array of string",
        ),
    ),
    unknown=_unknown({
        "members of voice campaigns":
            "Fields specific to voice campaigns (for example dialing mode): not shown.",
    }),
    links=(Link("E24", {"campaignId": "/data/results/0/id"}),),
)  # fmt: skip

E24: Final = Endpoint(
    number="E24",
    title="Start a voice campaign",
    name="campaigns.start",
    method="POST",
    path="/campaign/api/v1/public/{IId}/campaign/{campaignId}",
    cited_query="?campaignType=<campaign_type>&trigger=<trigger>",
    scope="Campaign Management",
    path_args=(
        Arg("app", "IId", is_required=True),
        Arg("campaign", "campaignId", is_required=True),
    ),
    fixed={"campaignType": "voice", "trigger": "play"},
    headers=_CAMPAIGN_HEADERS,
    body="campaigns.CampaignStart",
    result="campaigns.CampaignStarted",
    expects=("status", "campaignInstanceId"),
    unknown=_unknown({
        "other transitions of a campaign": "Transitions other than the start above: not shown.",
    }),
)  # fmt: skip

E25: Final = Endpoint(
    number="E25",
    title="Session history",
    name="sessions.list",
    method="POST",
    path="/api/public/bot/{BotID}/getSessions",
    account_path="/api/public/getSessions",
    cited_query="?containmentType=<type>",
    scope="Bot Sessions",
    admin_scope="Bot Analytics > Bot Sessions",
    path_args=(Arg("bot", "BotID"),),
    query=(
        Arg("containment", "containmentType", values=("dropOff", "selfService", "agent")),
        Arg("call", "callId"),
    ),
    body="conversations.SessionSearch",
    result=Paged(
        "conversations.SessionsFound",
        "conversations.SessionRecord",
        items=("sessions",),
        by=Paging.SKIP,
        more=("more_available",),
        identity="session_id",
    ),
    expects=("sessions", "moreAvailable"),
    window_days=7,
    variants=(
        Variant(
            kind=VariantKind.MEMBER,
            what="`skip`",
            reference="skip",
            sample="offset",
            sends="skip",
            cites="skip / offset",
        ),
        Variant(
            kind=VariantKind.RECEIVED,
            what="`isDeveloper`",
            reference="boolean",
            sample="1 or 0",
            cites="Described as 1/0 in prose.",
        ),
        Variant(
            kind=VariantKind.TYPE,
            what="the default window",
            reference="7 days",
            sample="less than 7 days",
            cites="must be less than 7 days; default window 7 days",
        ),
    ),
    unknown=_unknown({
        "how a range of 7 days is refused":
            "a date range of 7 days or more between `dateFrom` and `dateTo` causes an error; the "
            "error format and status code: not shown.",
        "how many sessions one answer holds":
            "Maximum number of records returned by one E25 response (written only as a placeholder "
            "in the reference): not shown.",
        "which members came with versions 8.0 and 10.1.3":
            "Two further request-body annotations, version 8.0 and version 10.1.3, are attached to "
            "E25 body parameters without a stated mapping to a parameter: not shown.",
        "transitions of a session":
            "Session `sessionStatus`: `active`, `closed`. Transitions: not shown.",
    }, shows_errors=True),
    chosen=_chosen({
        "a longer range is split into windows of less than 7 days, the latest first":
            "Results are ordered by start time, latest first, and 7 days are an error.",
        "with several windows, the client itself skips the first `skip` sessions":
            "The platform would skip that number of sessions in every window.",
    }),
)  # fmt: skip

E26: Final = Endpoint(
    number="E26",
    title="Update language configuration",
    name="languages.update",
    method="PUT",
    path="/api/{version_id}/public/bot/{botId}/language",
    scope="Language Configuration",
    admin_scope="Language Settings > Language Management",
    path_args=(Arg("version", "version_id", is_required=True), _BOT),
    body="bots.LanguageUpdate",
    result="bots.LanguageUpdates",
    answers_array=True,
    variants=(
        Variant(
            kind=VariantKind.RECEIVED,
            what="`knowledgeTasks`",
            reference="knowledgetTasks",
            sample="knowledgeTasks",
            cites="{dialogs, alerts, actions, knowledgetTasks, smallTalk, panels, widgets}",
        ),
    ),
    unknown=_unknown({
        "the value of `{version_id}`": "a caller-supplied `{version_id}` segment in E26",
    }),
)  # fmt: skip

ENDPOINTS: Final = (
    E1, E2, E3, E4, E5, E6, E7, E8, E9, E10, E11, E12, E13, E14, E15, E16, E17, E18, E19, E20, E21,
    E22, E23, E24, E25, E26,
)  # fmt: skip
"""All 26 endpoints in the order of the specification, from E1 to E26."""

UNKNOWN_IN_GENERAL: Final = (
    Unknown("tokens", "How a JWT is generated, its claims and lifetime: not shown."),
    Unknown("rate limits", "Rate limits: not shown."),
    Unknown("deprecation", "Deprecation policy and compatibility rules: not shown."),
)
"""The details that the specification does not show for any endpoint, such as rate limits."""

_BY_NUMBER: Final = {row.number: row for row in ENDPOINTS}


def endpoint(number: str) -> Endpoint:
    """Return an endpoint by its number, such as `E4`.

    Raises:
        KeyError: No endpoint has this number.

    """
    return _BY_NUMBER[number]
