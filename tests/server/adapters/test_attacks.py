"""The command that attacks servers changes only the rows of what it has tried."""

from tests.attacks import replaced

PAGE = """above
<!-- tried -->
| attack | tried by | tests |
|---|---|---|
| old | x | 1 |
<!-- end of tried -->
<!-- attacks -->
| server | with |
|---|---|
| a | old |
| a | older |
| b | old |
<!-- end of attacks -->
below
"""


def test_rows_of_one_server_are_replaced() -> None:
    expected = PAGE.replace("| a | old |\n| a | older |\n", "| a | new |\n")

    assert replaced(PAGE, "a", ["| a | new |\n"]) == expected
    assert replaced(PAGE, "c", ["| c | new |\n"]) == PAGE.replace(
        "| b | old |\n", "| b | old |\n| c | new |\n"
    )


def test_all_rows_of_the_tests_are_replaced() -> None:
    rows = ["| one | y | 2 |\n", "| two | z | 3 |\n"]

    assert replaced(PAGE, "tests", rows) == PAGE.replace("| old | x | 1 |\n", "".join(rows))
