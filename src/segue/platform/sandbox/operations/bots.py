"""Functions that perform requests for bots (E14, E15, E18 to E20, E26).

They start or show trainings, bot imports, test suites, FAQ trainings and languages.
"""

from typing import Any, Final

from segue.platform.sandbox.requests import RefusedRequest, SandboxRequest
from segue.platform.sandbox.seeding import ADMIN
from segue.platform.sandbox.state import SandboxState
from segue.platform.timestamps import timestamp

_STEPS: Final = ("parsing", "extraction", "indexing")
_COUNTED: Final = ("dialogs", "alerts", "actions", "knowledgetTasks", "smallTalk", "panels",
                   "widgets")  # fmt: skip


def start_training(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Start a training of a bot, and return it in the state `running` (endpoint E14)."""
    identity, now = state.new_id("fjg"), timestamp(state.clock.now)
    group = state.add("trainings", identity, {
        "bot": request.argument("bot"),
        "_id": identity, "opType": "Manual", "searchIndexId": state.new_id("sidx"),
        "contentId": request.body.get("contentIds", []), "status": "running",
        "executionLog": {
            step: {"jobId": state.new_id("fj"), "type": step.upper(), "status": "running"}
            for step in _STEPS
        },
        "isHide": False, "createdBy": ADMIN, "lModBy": ADMIN, "lMod": now, "createdOn": now,
        "__v": 0,
    })  # fmt: skip
    answer = _shown(group) | {"executionLog": dict(group["executionLog"])}
    state.start("training", identity)
    return answer


def _shown(group: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in group.items() if name != "bot"}


def show_training_steps(state: SandboxState, key: str) -> None:
    """Update the steps in a training's execution log after its status has changed."""
    group = state.get("trainings", key)
    ended = group["status"] if group["status"] in ("success", "failed") else None
    for number, step in enumerate(_STEPS):
        log = group["executionLog"][step]
        if ended or number == 0:  # a training in progress has finished its first step
            log["status"] = ended or "success"
            log["timeTook"] = 1


def get_training(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return the training with the requested id (endpoint E15).

    Raises:
        RefusedRequest: The training does not exist, or belongs to another bot (404).

    """
    job = request.argument("job")
    if state.get("trainings", job)["bot"] != request.argument("bot"):
        raise RefusedRequest(404, "the training belongs to another bot")
    return _shown(state.read("trainings", job))


def show_import_steps(state: SandboxState, key: str) -> None:
    """Set the status of all steps of a bot import to the status of the import."""
    thing = state.get("bot_imports", key)
    for step in thing["statusLogs"]:
        step["status"] = thing["status"]


def get_bot_import(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return the bot import with the requested id (endpoint E18)."""
    return state.read("bot_imports", request.argument("request"))


def import_test_suite(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Store a new test suite, and return it (endpoint E19)."""
    identity, now = state.new_id("ts"), timestamp(state.clock.now)
    return state.add("test_suites", identity, {
        "_id": identity, "name": request.body.get("name", request.body["fileName"]),
        "description": request.body["description"], "streamId": request.argument("bot"),
        "language": request.headers.get("bot_language", "en"), "fileId": state.new_id(),
        "fileName": request.body["fileName"], "createdBy": ADMIN, "createdOn": now,
        "modifiedOn": now, "__v": 0,
    })  # fmt: skip


def get_faq_training(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return the FAQ training of the requested language (endpoint E20)."""
    return state.read("faq_trainings", request.query["language"])


def update_language(state: SandboxState, request: SandboxRequest) -> list[dict[str, Any]]:
    """Enable a language, and return a list with one confirmation (endpoint E26)."""
    language = request.body["updateLanguage"]
    state.add("languages", language, dict(request.body))
    counts = dict.fromkeys(_COUNTED, 0)
    return [{"message": f"Language {language} is enabled", "configurationDetails": counts}]
