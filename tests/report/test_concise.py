"""One line a finding, and the totals."""

from textwrap import dedent

from tests.report.story import early, log, rendered

from segue.report.look import Look


def test_a_finding_is_a_line_with_its_place_severity_code_conversation_message_and_name() -> None:
    lines = ["{", *early(), *log("NA entry a-1", "NA exit a-1", conversation="c-2")]

    assert rendered("concise", lines) == dedent("""\
        line 1: error SG501 a body could not be read: cut off [unreadable-body]
        line 5: error SG103 c-1 agent a-2 took over by COLD entry while a-1 was still primary \
[cold-entry-before-exit]
        line 10: error SG108 c-2 the log closed on a conversation still released, without \
END_OF_CONVERSATION [missing-end]

        findings by rule ───────────────────────────────────────────────────────────────
          1  SG103  cold-entry-before-exit  error
          1  SG108  missing-end             error
          1  SG501  unreadable-body         error

        2 conversations, 0 valid, 0 clean, 9 events, 1 line without a conversation
        3 errors
        """)


def test_a_brief_text_is_findings_only() -> None:
    assert rendered("concise", log("NA entry a-1", "NA exit a-1", "END"), is_brief=True) == ""
    assert rendered("concise", early(), is_brief=True).count("\n") == 1


def test_severity_is_told_by_colour_too() -> None:
    text = rendered("concise", early(), Look(color=True), is_brief=True)

    assert text.startswith(
        "\x1b[2mline 4: \x1b[0m\x1b[1;31merror SG103\x1b[0m c-1 agent a-2 took over"
    )
