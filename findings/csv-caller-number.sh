#!/usr/bin/env bash
# pyarrow reads the caller +442079460958 of a CSV file as the floating-point number 442079460958.0.
#
# Versions: pyarrow 26.0.1, pandas 3.1.1, DuckDB 2.0.1, polars 2.1.0.
# A column with E.164 numbers, all with their plus. pyarrow takes no plus in integers, but does in
# floating-point numbers, so the column becomes double. pandas makes it int64. DuckDB and polars
# keep the text. Without the plus all four read integers.
# Output: pyarrow double 442079460958.0, pandas int64 442079460958, DuckDB VARCHAR '+442079460958',
#         polars String '+442079460958'
# Why care: call records go from CSV to Parquet by one of these and are joined by caller in another.
# The text "442079460958.0" or "442079460958" equals no caller, so the join is empty, and the plus
# that told an international number from a national one is lost.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
  pyarrow==26.0.1 pandas==3.1.1 duckdb==2.0.1 polars==2.1.0
cd "$work"
printf 'call,caller\nc-1,+442079460958\nc-2,+12025550100\n' >calls.csv
env/bin/python - <<'EOF'
import sys

import duckdb
import pandas
import polars
import pyarrow.csv

arrow = pyarrow.csv.read_csv("calls.csv")["caller"]
frame = pandas.read_csv("calls.csv")["caller"]
table = duckdb.sql("SELECT caller FROM 'calls.csv'")
series = polars.read_csv("calls.csv")["caller"]
found = {
    "pyarrow": f"{arrow.type} {arrow[0].as_py()!r}",
    "pandas": f"{frame.dtype} {frame.tolist()[0]!r}",
    "DuckDB": f"{table.types[0]} {table.fetchall()[0][0]!r}",
    "polars": f"{series.dtype} {series[0]!r}",
}
print(", ".join(f"{name} {value}" for name, value in found.items()))
if list(found.values()) != [
    "double 442079460958.0",
    "int64 442079460958",
    "VARCHAR '+442079460958'",
    "String '+442079460958'",
]:
    sys.exit("the behavior has changed")
EOF
