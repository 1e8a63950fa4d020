"""An example call of each endpoint, with its response and a value read from the response."""

from typing import Any, Final, NamedTuple

__all__ = ["EXAMPLES", "Example"]


class Example(NamedTuple):
    """An example call, as the reference page of an endpoint shows it."""

    arguments: dict[str, Any]
    answer: Any
    reads: str
    """A Python expression that reads a value from `result`.

    If the response is a list, the expression reads from `item` instead.
    """
    value: Any


_QUEUE: Final = {"id": "qu-1", "name": "Billing", "isActive": True}
_TRAINING: Final = {"_id": "fjg-1", "opType": "Manual", "status": "running"}

EXAMPLES: Final = {
    "E1": Example(
        {"bot": "st-1", "conversation": "c-1", "action": "pause", "agent": "a-1", "handover": True},
        {},
        "result.raw.status",
        200,
    ),
    "E2": Example(
        {"bot": "st-1", "target": "tel:+4930123", "caller": "4711", "machine_detection": "detect",
         "notify_url": "https://backend.example.com/calls"},
        {"sid": "s-1", "callId": "5e01"},
        "result.call_id",
        "5e01",
    ),
    "E3": Example(
        {"stream": "st-1", "name": "Billing", "hours": "h-1"}, _QUEUE, "result.id", "qu-1"
    ),
    "E4": Example(
        {"stream": "st-1"}, {"results": [_QUEUE], "hasMore": False}, "item.name", "Billing"
    ),
    "E5": Example(
        {"stream": "st-1", "queue": "qu-1", "extra": {"name": "Billing"}}, _QUEUE,
        "result.name", "Billing",
    ),
    "E6": Example(
        {"stream": "st-1", "skill_group": "5f01", "name": "Languages", "color": "#ff0000"},
        {"id": "5f01", "name": "Languages", "description": "", "color": "#ff0000"},
        "result.color",
        "#ff0000",
    ),
    "E7": Example(
        {"stream": "st-1", "agent_group": "ag-1", "name": "Night", "description": "From ten",
         "managers": [{"user_id": "u-1", "access_level": "full"}]},
        {"name": "Night", "description": "From ten",
         "managers": [{"userId": "u-1", "accessLevel": "full"}]},
        "result.managers[0].access_level",
        "full",
    ),
    "E8": Example(
        {"stream": "st-1", "case": "ci-1", "case_ref": "C1", "template": "ttm-1", "source": "rtm",
         "desc": "Call back", "user": {"name": "Ada", "email_id": "ada@example.com"}},
        {"_id": "ti-1", "refId": "T1", "status": {"_id": "sts-1", "statusCategory": "open"}},
        "result.status.status_category",
        "open",
    ),
    "E9": Example(
        {"stream": "st-1", "org": "o-1", "session": "5e01", "queue": "qu-1",
         "callback_url": "https://backend.example.com/transfers"},
        {"sessionId": "5e01", "queueId": "qu-1", "status": "transferred",
         "requestCompletedAt": 1772355600000},
        "result.status",
        "transferred",
    ),
    "E10": Example(
        {"name": "March", "description": "Customers of March"},
        {"status": "success", "message": "created",
         "data": {"_id": "cl-1", "status": "Ready", "totalRecordCount": 0, "isListInUse": False}},
        "result.data.id",
        "cl-1",
    ),
    "E11": Example(
        {"contact_list_name": "March", "contacts": [{"phone_number": "+4930123"}]},
        {"message": "Adding is in progress"},
        "result.message",
        "Adding is in progress",
    ),
    "E12": Example(
        {"users": [{"user_info": {"email_id": "ada@example"}}]},
        {"failedUserDetails": [{"userInfo": {"emailId": "ada@example", "status": "failure"},
                                "reason": {"errors": [{"msg": "INVALID_EMAIL", "code": 400}]}}]},
        "result.failed[0].reason.errors[0].msg",
        "INVALID_EMAIL",
    ),
    "E13": Example(
        {"org": "o-1", "queue": "qu-1"},
        {"id": "h-1", "timezone": "Europe/Berlin", "standardDays": {"frequency": "WEEKLY", "days": [
            {"start": "9:00 am", "end": "5:00 pm", "day": "MO"}]}},
        "result.standard_days.days[0].day",
        "MO",
    ),
    "E14": Example({"bot": "st-1"}, _TRAINING, "result.status", "running"),
    "E15": Example(
        {"bot": "st-1", "job": "fjg-1"}, {**_TRAINING, "status": "success"},
        "result.status", "success",
    ),
    "E16": Example(
        {"role_type": "bot", "limit": 50},
        {"total": 1, "availableMore": False, "roles": [
            {"roleType": "bot", "_id": "5a01", "role": "Owner", "permissions": {"Train": ["FULL"]}}
        ]},
        "item.permissions",
        {"Train": ["FULL"]},
    ),
    "E17": Example(
        {"limit": 50},
        {"total": 1, "availableMore": False, "users": [{"userId": "u-1", "username": "ada"}]},
        "item.username",
        "ada",
    ),
    "E18": Example(
        {"request": "bir-1"},
        {"_id": "bir-1", "status": "success", "statusLogs": [
            {"taskType": "import", "taskName": "dialogs", "status": "success"}]},
        "result.status_logs[0].status",
        "success",
    ),
    "E19": Example(
        {"bot": "st-1", "file_name": "suite.json", "delimiter": ",", "description": "Smoke tests"},
        {"_id": "ts-1", "name": "suite", "fileId": "5b01"},
        "result.id",
        "ts-1",
    ),
    "E20": Example(
        {"bot": "st-1", "language": "en", "state": "published"},
        {"_id": "5c01", "message": "", "status": "in-progress"},
        "result.status",
        "in-progress",
    ),
    "E21": Example(
        {"bot": "st-1", "extra": {"conversationId": "c-1", "botId": "st-1", "events": [
            {"name": "INTERNAL_TRANSFER_EVENT", "transfertype": "NA", "transition": "entry",
             "isExtAD": False, "experience": "chat",
             "participant": {"identity": "a-1", "name": "Ada", "type": "agent"}}]}},
        {},
        "result.raw.status",
        200,
    ),
    "E22": Example(
        {"stream": "st-1", "org": "o-1", "include_queues": True},
        {"results": [{"id": "a-1", "firstName": "Ada", "queues": [{"id": "qu-1"}]}]},
        "item.queues[0].id",
        "qu-1",
    ),
    "E23": Example(
        {"kind": "voice", "filters": {"status": ["Ready"], "priority": [1, 2]}},
        {"status": "success", "message": "", "data": {"results": [
            {"id": "cd-1", "status": "Ready", "priority": "1"}], "hasMore": False}},
        "item.priority",
        "1",
    ),
    "E24": Example(
        {"campaign": "cd-1"},
        {"status": "Active", "message": "Campaign Started", "totalCallsCompleted": 0,
         "campaignInstanceId": "cid-1"},
        "result.campaign_instance_id",
        "cid-1",
    ),
    "E25": Example(
        {"bot": "st-1", "since": "2026-03-01", "until": "2026-03-05", "containment": "agent"},
        {"total": 1, "moreAvailable": False, "sessions": [
            {"sessionId": "5e01", "start_time": "2026-03-02T10:00:00.000Z"}]},
        "item.session_id",
        "5e01",
    ),
    "E26": Example(
        {"version": "1.1", "bot": "st-1", "language": "de", "configurations": {
            "nlu_language": "en", "input_translation": True, "response_translation": True}},
        [{"message": "updated", "configurationDetails": {"dialogs": 3, "knowledgetTasks": 1}}],
        "result.results[0].configuration_details.dialogs",
        3,
    ),
}  # fmt: skip
"""The examples by endpoint number, such as `E1`.

The client supplies the application and the account.
"""
