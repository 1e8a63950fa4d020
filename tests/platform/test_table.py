"""The table has the specification's 26 endpoints, and every row what the specification admits."""

import re
from collections import Counter

import pytest
from tests.platform.vectors import ANSWERS, REFUSED, REQUESTS

from segue.core.events import TRANSCRIPTION
from segue.core.wire.json_schema import schema_of
from segue.platform.rows import Endpoint, Paged, VariantKind, load_model
from segue.platform.table import ENDPOINTS, UNKNOWN_IN_GENERAL, endpoint

HEADINGS = """
E1. Control transcription
E2. Start an outbound call
E3. Create a queue
E4. List queues
E5. Update a queue
E6. Update a skill group
E7. Update an agent group
E8. Create a task
E9. Transfer a conversation to an agent or queue
E10. Create a contact list
E11. Add contacts to a contact list
E12. Create users
E13. Get hours of operation
E14. Initiate training
E15. Get training status
E16. Get roles
E17. Get user roles
E18. Bot import status
E19. Import a batch test suite
E20. FAQ training status
E21. Agent-assistant webhook intake
E22. List agents
E23. List campaigns
E24. Start a voice campaign
E25. Session history
E26. Update language configuration
""".strip().splitlines()

NOT_SHOWN = {
    "Other fields of the agent group record: not shown.": "E7",
    "Other contact fields: not shown.": "E11",
    "Fields specific to voice campaigns (for example dialing mode): not shown.": "E23",
    "states of the session are not named. Transitions: not shown.": "E1",
    "`completed`, `failed`. Transitions: not shown.": "E2",
    "Transitions other than the start above: not shown.": "E24",
    "`success`, `in progress`, `failed`. Transitions: not shown.": "E15",
    "`success`, `in-progress`, `failure`. Transitions: not shown.": "E20",
    "`active`, `closed`. Transitions: not shown.": "E25",
    "Response body: not shown.": "E1",
    "Which location the service reads: not shown.": "E2",
    "Query parameters (page, page size, filters): not shown.": "E4",
    "Request body fields: not shown beyond the sample carrying an empty body.": "E5",
    "other query parameters are not documented.": "E17",
    "Response body and status: not shown.": "E21",
    "Pagination fields around `results`: not shown.": "E22",
    "whether it is required: not shown.": "E1",
    "Scopes of E16, E17: not shown.": "E16 E17",
    "Scope of E21: not shown.": "E21",
    "How a JWT is generated, its claims and lifetime: not shown.": "",
    "and whether `isExtAD` is boolean or string: not shown.": "E21",
    "Success and failure messages are posted to `callbackUrl`. Their content: not shown.": "E9",
    "Retries, signing or delivery guarantees of outbound notifications: not shown.": "E2",
    "the error format and status code: not shown.": "E25",
    "Error envelope, HTTP status codes and error codes for all other endpoints: not shown.": (
        " ".join(f"E{number}" for number in range(1, 27) if number != 25)
    ),
    "Rate limits: not shown.": "",
    "(written only as a placeholder in the reference): not shown.": "E25",
    "Maximum number of contacts per E11 request: not shown.": "E11",
    "without a stated mapping to a parameter: not shown.": "E25",
    "Deprecation policy and compatibility rules: not shown.": "",
}
"""Every place where the specification says so, and the rows that it is about."""


@pytest.mark.parametrize(("heading", "row"), list(zip(HEADINGS, ENDPOINTS, strict=True)))
def test_a_row_is_a_heading_of_the_specification(heading: str, row: Endpoint) -> None:
    assert f"{row.number}. {row.title}" == heading
    assert endpoint(row.number) is row
    assert row.cites.startswith(f"{row.method} {{base_url}}{row.path}")


@pytest.mark.parametrize(("words", "numbers"), NOT_SHOWN.items())
def test_what_is_not_shown_has_its_row(words: str, numbers: str) -> None:
    rows = [row.number for row in ENDPOINTS if any(words in each.cites for each in row.unknown)]
    is_general = any(words in each.cites for each in UNKNOWN_IN_GENERAL)

    assert (rows, is_general) == (numbers.split(), not numbers)


def test_every_parameter_of_a_path_has_its_argument() -> None:
    for row in ENDPOINTS:
        for path in (row.path, *(each.sends for each in row.variants if each.kind == "path")):
            assert re.findall(r"\{(\w+)\}", path) == [arg.wire for arg in row.path_args]


def test_every_model_of_the_table_is_there() -> None:
    for row in ENDPOINTS:
        assert row.model.__name__
        assert (row.body_model is None) == (row.method == "GET")
        assert (row.item_model is not None) == isinstance(row.result, Paged)
        for callback in row.callbacks:
            assert callback.posts is None or load_model(callback.posts)


def test_the_attributes_of_a_page_are_those_of_its_models() -> None:
    for row in ENDPOINTS:
        if isinstance(row.result, Paged) and row.item_model:
            assert row.result.identity in row.item_model.model_fields
            assert row.result.items[0] in row.model.model_fields
            assert not row.result.more or row.result.more[0] in row.model.model_fields


def test_what_an_answer_must_have_is_in_its_model() -> None:
    for row in ENDPOINTS:
        aliases = {field.alias for field in row.model.model_fields.values()}
        assert aliases.issuperset(row.expects), row.number


def test_a_verb_is_repeatable_as_http_says() -> None:
    assert {row.number for row in ENDPOINTS if row.repeatable} == {
        row.number for row in ENDPOINTS if row.method in {"GET", "PUT"}
    }


def test_transcription_is_controlled_as_the_intake_reads_it() -> None:
    named = {
        name for shape in schema_of(TRANSCRIPTION)["$defs"].values() for name in shape["properties"]
    }
    model = endpoint("E1").body_model

    assert model
    assert {field.alias for field in model.model_fields.values()} == named


def test_every_row_has_three_vectors() -> None:
    vectors = Counter(each[0] for each in (*REQUESTS, *ANSWERS, *REFUSED))

    assert {row.number for row in ENDPOINTS if vectors[row.number] < 3} == set()


def test_what_differs_in_a_request_names_what_is_sent() -> None:
    sent = {VariantKind.VERB, VariantKind.PARAMETERS, VariantKind.MEMBER, VariantKind.PATH}
    for row in ENDPOINTS:
        for variant in row.variants:
            if variant.kind in sent:
                assert variant.sends in {variant.reference, variant.sample}, row.number
