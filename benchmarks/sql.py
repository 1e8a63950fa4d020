"""Check a log with SQL, as far as a simple query can.

DuckDB extracts the fields from the JSON, encodes the events of each conversation as one word, and
matches the word with a regular expression. The query has no agents, findings or segments.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

_QUESTION: Final = r"""
    WITH lines AS (
        SELECT row_number() OVER () AS n,
               body.conversationId AS conversation,
               body.events[1].name AS name,
               upper(body.events[1].transfertype) AS kind,
               lower(body.events[1].transition) AS way
        FROM read_json(?, format => 'newline_delimited', ignore_errors => true, columns => {
            body: 'STRUCT(conversationId VARCHAR, events STRUCT(
                name VARCHAR, transfertype VARCHAR, transition VARCHAR)[])'})
    ), letters AS (
        SELECT n, conversation, CASE
            WHEN name = 'END_OF_CONVERSATION' THEN 'E'
            WHEN name = 'TRIGGER_SUMMARY_EVENT' THEN 'S'
            WHEN kind IS NULL THEN 'm'
            WHEN way = 'entry' THEN upper(kind[1]) ELSE lower(kind[1]) END AS letter
        FROM lines
    )
    SELECT conversation,
           regexp_full_match(string_agg(letter, '' ORDER BY n), 'm*[NR][mNRCWnrcwS]*E')
    FROM letters GROUP BY conversation
"""


def sql(path: Path, threads: int) -> list[Any]:
    """Return pairs of a conversation id and whether the conversation matches the expression.

    `threads` is the number of threads that DuckDB may use.
    """
    import duckdb  # noqa: PLC0415 - an extra

    with duckdb.connect(config={"threads": threads}) as connection:
        return connection.execute(_QUESTION, [str(path)]).fetchall()
