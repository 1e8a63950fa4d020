"""Decides how a log is read, from its contents.

- `known` lists the forms of logs, and the names of times and ids.
- `places` finds the time, the URL and the ids next to bodies.
- `ways` makes a field mapping of them, and `decision` chooses among the mappings.
- `evidence` says what a mapping finds.

`segue.logs.file_kinds` lists the kinds of files that are refused before that.
"""
