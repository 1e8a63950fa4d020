"""Diagnose a log itself, before its conversations are judged.

- `samples` reads lines from several places of a log.
- `order` finds logs that are newest first or out of order.
- `copies` finds logs whose lines come twice.

`segue.logs.remark` has the remarks, as data and as sentences. An option that a remark names has
been tried on the log.
"""
