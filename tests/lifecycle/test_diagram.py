"""The diagrams show the legal moves of the page, and on request the others."""

from segue.lifecycle import Phase
from segue.lifecycle.diagram import arrows, dot, mermaid

LEGAL = {  # lifecycle.md §3, typed by hand
    ("waiting", "active"): ("NA entry", "redial entry (SG118)"),
    ("active", "released"): ("NA exit",),
    ("active", "transferring"): ("COLD exit",),
    ("active", "consulting"): ("WARM entry",),
    ("consulting", "consulting"): ("WARM entry", "WARM exit (sometimes SG119)"),
    ("consulting", "active"): ("WARM exit (sometimes SG119)",),
    ("transferring", "active"): ("COLD entry (sometimes SG120)",),
    ("transferring", "consulting"): ("COLD entry (sometimes SG120)",),
    ("transferring", "transferring"): ("WARM exit",),
    ("transferring", "released"): ("NA exit",),
    ("released", "active"): ("redial entry (sometimes SG207)",),
    ("released", "summarized"): ("TRIGGER_SUMMARY_EVENT",),
    ("released", "ended"): ("END_OF_CONVERSATION",),
    ("summarized", "ended"): ("END_OF_CONVERSATION",),
}


def test_the_legal_arrows_are_those_of_the_page() -> None:
    drawn = {
        (source.value, to.value): tuple(sorted(labels))
        for (source, to, legal), labels in arrows().items()
        if legal
    }

    assert drawn == {arrow: tuple(sorted(labels)) for arrow, labels in LEGAL.items()}


def test_offences_are_drawn_on_request_and_dashed() -> None:
    assert "SG103" not in dot()
    dashed = [line for line in dot(offences=True).splitlines() if "style=dashed" in line]
    assert any(
        "active -> active" in line and "COLD entry (SG103, SG203)" in line for line in dashed
    )


def test_an_arrow_names_a_kind_of_event_once() -> None:
    found = arrows(offences=True)
    for labels in found.values():
        kinds = [label.partition(" (")[0] for label in labels]
        assert len(kinds) == len(set(kinds))
    assert found[Phase.CONSULTING, Phase.RELEASED, False] == ("NA exit (SG201, SG204)",)


def test_mermaid_begins_and_ends_the_conversation() -> None:
    lines = mermaid().splitlines()

    assert lines[:2] == ["stateDiagram-v2", "    [*] --> waiting"]
    assert lines[-1] == "    ended --> [*]"
    assert all(";" not in line for line in lines)
