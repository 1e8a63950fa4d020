"""Says what is the matter with a log itself, before its conversations are judged.

- `remark` has the remarks, as data and as a sentence.
- `samples` reads lines from several places of a log.
- `order` finds logs that are newest first or out of order.
- `copies` finds logs whose lines come twice.

A remark that names an option has been tried on the log.
"""
