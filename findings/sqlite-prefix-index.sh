#!/usr/bin/env bash
# SQLite up to 3.40 stops using an index on an expression when the query also compares the column itself.
#
# Version: SQLite 3.40.1 and 3.51.3, as apsw 3.40.1.0 and 3.51.3.0. Debian 12 has 3.40.1.
# The table has an index on substr(id, 1, 100). A query for that prefix uses it. With `AND id = ?`
# added, which can only make the result smaller, SQLite 3.40 replaces `id` in the expression by the
# value before it looks for an index, and reads the whole table. `id || '' = ?` keeps the index.
# Output: 3.40.1: prefix SEARCH, prefix and id SCAN, prefix and id without propagation SEARCH
#         3.51.3: prefix SEARCH, prefix and id SEARCH, prefix and id without propagation SEARCH
# Why care: an index on a prefix is the usual way to look up long ids of a sender, with a second
# comparison to be exact. The query is right, passes its tests, and slows down with every row.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/plans.py" <<'EOP'
import sys

import apsw

connection = apsw.Connection(":memory:")
connection.execute("create table t (id text not null)")
connection.execute("create index by_prefix on t (substr(id, 1, 100))")
queries = {
    "prefix": "substr(id, 1, 100) = ?1",
    "prefix and id": "substr(id, 1, 100) = ?1 and id = ?2",
    "prefix and id without propagation": "substr(id, 1, 100) = ?1 and id || '' = ?2",
}
found = []
for name, where in queries.items():
    plan = f"explain query plan select 1 from t where {where}"
    values = ("a", "a")[: 1 + ("?2" in where)]
    ((*_, detail),) = connection.execute(plan, values)
    found.append(f"{name} {detail.split()[0]}")
print(f"{apsw.sqlitelibversion()}: {', '.join(found)}")
if [each.split()[-1] for each in found] != sys.argv[1:]:
    sys.exit("the behavior has changed")
EOP
plans() { # VERSION WORD...: run the queries with a version of apsw
  python3 -m venv "$work/$1"
  "$work/$1/bin/pip" install --quiet --disable-pip-version-check "apsw==$1"
  "$work/$1/bin/python" "$work/plans.py" "${@:2}"
}
plans 3.40.1.0 SEARCH SCAN SEARCH
plans 3.51.3.0 SEARCH SEARCH SEARCH
