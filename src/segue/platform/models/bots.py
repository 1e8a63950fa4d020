"""Models of trainings, bot imports, test suites and languages (E14, E15, E18 to E20, E26)."""

from typing import Any, Literal

from pydantic import AliasChoices, Field

from segue.platform.models.base import PlatformModel


class TrainingStart(PlatformModel):
    """The body of a request to start a training (endpoint E14)."""

    contents: list[str] | None = Field(default=None, alias="contentIds")


class TrainingJob(PlatformModel):
    """One step of a training, such as `EXTRACTION`, with its status and duration."""

    job_id: str | None = None
    type: Literal["PARSING", "EXTRACTION", "INDEXING"] | str | None = None
    status: str | None = None
    err_msg: str | None = None
    time_took: int | float | None = None


class ExecutionLog(PlatformModel):
    """The three steps of a training. Each is None if the answer does not contain it."""

    parsing: TrainingJob | None = None
    extraction: TrainingJob | None = None
    indexing: TrainingJob | None = None


class TrainingJobGroup(PlatformModel):
    """A training with its status and steps, as endpoints E14 and E15 return it."""

    id: str | None = Field(default=None, alias="_id")
    op_type: Literal["Manual", "Auto"] | str | None = None
    search_index_id: str | None = None
    extraction_source_id: str | None = None
    content_id: list[Any] | None = None
    status: Literal["running", "success", "in progress", "failed"] | str | None = None
    execution_log: ExecutionLog | None = None
    is_hide: bool | None = None
    created_by: str | None = None
    l_mod_by: str | None = None
    l_mod: str | None = None
    created_on: str | None = None
    track_event_logs: bool | None = None
    version: int | float | None = Field(default=None, alias="__v")


class ImportStep(PlatformModel):
    """One step of a bot import, with its type, name and status."""

    task_type: str | None = None
    task_name: str | None = None
    status: str | None = None


class BotImport(PlatformModel):
    """A request to import a bot, with its status and steps, as endpoint E18 returns it."""

    id: str | None = Field(default=None, alias="_id")
    status: Literal["success"] | str | None = None
    stream_ref_id: str | None = None
    stream_id: str | None = None
    status_logs: list[ImportStep] | None = None
    created_by: str | None = None
    request_type: str | None = None
    created_on: str | None = None
    version: int | float | None = Field(default=None, alias="__v")


class TestSuiteImport(PlatformModel):
    """The body of a request to import a test suite from a file (endpoint E19)."""

    __test__ = False

    file_name: str
    file_type: Literal["json"] | str | None = None
    import_type: Literal["new", "update"] | str | None = None
    delimiter: str
    description: str
    name: str | None = None
    engine: Literal["regression", "", "dgpt"] | str | None = None


class TestSuite(PlatformModel):
    """A test suite that was imported, as endpoint E19 returns it."""

    __test__ = False

    id: str | None = Field(default=None, alias="_id")
    name: str | None = None
    description: str | None = None
    stream_id: str | None = None
    language: str | None = None
    file_id: str | None = None
    file_name: str | None = None
    created_by: str | None = None
    created_on: str | None = None
    modified_on: str | None = None
    version: int | float | None = Field(default=None, alias="__v")


class FaqTraining(PlatformModel):
    """The status of the training of frequently asked questions, as endpoint E20 returns it."""

    id: str | None = Field(default=None, alias="_id")
    message: str | None = None
    status: Literal["success", "in-progress", "failure"] | str | None = None
    modified_on: str | None = None
    last_modified_by: str | None = None
    version: int | float | None = Field(default=None, alias="__v")


class LanguageConfigurations(PlatformModel):
    """The translation settings of a language: whether user input and responses are translated."""

    nlu_language: str
    input_translation: bool
    response_translation: bool


class LanguageUpdate(PlatformModel):
    """The body of a request to update the configuration of a language (endpoint E26)."""

    language: str = Field(alias="updateLanguage")
    configurations: LanguageConfigurations = Field(alias="multiLingualConfigurations")
    file: str | None = Field(default=None, alias="fileId")


class ConfigurationCounts(PlatformModel):
    """The number of configured dialogs, alerts, actions and other items of a bot.

    The specification misspells one member as `knowledgetTasks`. Both spellings are read.
    """

    dialogs: int | float | None = None
    alerts: int | float | None = None
    actions: int | float | None = None
    knowledge_tasks: int | float | None = Field(
        default=None,
        alias="knowledgetTasks",
        validation_alias=AliasChoices("knowledgetTasks", "knowledgeTasks"),
    )
    small_talk: int | float | None = None
    panels: int | float | None = None
    widgets: int | float | None = None


class LanguageUpdated(PlatformModel):
    """One item of `LanguageUpdates.results`: a message and the number of configured items."""

    message: str | None = None
    configuration_details: ConfigurationCounts | None = None


class LanguageUpdates(PlatformModel):
    """The answer of endpoint E26. The response body is a JSON array, stored here as `results`."""

    results: list[LanguageUpdated] | None = None
