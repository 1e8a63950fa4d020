"""The diagrams show the legal moves of the page, and on request the others."""

from segue.core.lifecycle import Phase
from segue.core.lifecycle.diagram import arrows, dot, mermaid

LEGAL = {  # lifecycle.md §3, typed by hand
    ("waiting", "active"): ("NA entry", "redial entry (SG118)"),
    ("active", "released"): ("NA exit",),
    ("active", "transferring"): ("COLD exit",),
    ("waiting", "ended"): ("END_OF_CONVERSATION (SG122)",),
    ("active", "consulting"): ("WARM entry", "redial entry (SG123)"),
    ("consulting", "consulting"): (
        "WARM entry",
        "WARM exit (sometimes SG119)",
        "redial entry (SG123)",
    ),
    ("consulting", "transferring"): ("COLD exit (SG116)",),
    ("consulting", "active"): ("WARM exit (sometimes SG119)",),
    ("transferring", "active"): ("COLD entry (sometimes SG120)",),
    ("transferring", "consulting"): ("COLD entry (sometimes SG120)",),
    ("transferring", "transferring"): ("COLD exit", "WARM exit"),
    ("transferring", "released"): ("NA exit (sometimes SG105)",),
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


def test_offences_are_left_out_unless_asked_for() -> None:
    assert arrows() == arrows(offences=False)
    assert all(legal for _, _, legal in arrows())
    assert mermaid() == mermaid(offences=False)
    assert "SG103" in mermaid(offences=True)
    assert dot() == dot(offences=False)


def test_what_rests_on_an_assumption_is_no_arrow() -> None:
    everything = arrows(offences=True)

    assert (Phase.ACTIVE, Phase.ENDED, True) not in everything  # by a primary nobody named
    assert everything[Phase.ACTIVE, Phase.RELEASED, True] == ("NA exit",)
    assert everything[Phase.CONSULTING, Phase.TRANSFERRING, False] == ("COLD exit (SG201)",)
    shown = [label for labels in everything.values() for label in labels]
    assert not [label for label in shown if "message" in label or "end of the log" in label]


def test_a_digraph_is_one_graphviz_reads() -> None:
    lines = dot(offences=True).splitlines()

    assert lines[:6] == [
        "digraph lifecycle {",
        "    rankdir=LR;",
        '    node [shape=box, style="rounded,filled", fillcolor="#f4f6fb", fontname="sans-serif"];',
        '    edge [fontname="sans-serif", fontsize=10];',
        '    start [shape=point, label=""];',
        "    start -> waiting;",
    ]
    assert '    waiting -> active [label="NA entry\\nredial entry (SG118)"];' in lines
    assert (
        '    active -> released [label="NA exit (SG201)", '
        'style=dashed, color="#b3261e", fontcolor="#b3261e"];'
    ) in lines
    assert lines[-1] == "}"
    assert dot().endswith("}\n")


def test_a_mermaid_diagram_is_lines_of_arrows() -> None:
    assert "    waiting --> active: NA entry / redial entry (SG118)\n" in mermaid()
    assert mermaid().endswith("    ended --> [*]\n")
