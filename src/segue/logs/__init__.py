"""Read logs of any layout and replay them to a report for each conversation.

`replay` is `segue.replay`. A `FieldMapping` says where the parts of an envelope are in the lines of
a log.
"""

from typing import TYPE_CHECKING

from segue.core.lazy import lazy_names

if TYPE_CHECKING:
    from segue.logs.field_mapping import FieldMapping as FieldMapping
    from segue.logs.replaying import replay as replay

_NAMES = {
    "segue.logs.field_mapping": "FieldMapping",
    "segue.logs.replaying": "replay",
}

if not TYPE_CHECKING:  # type checkers would accept any name of a module with `__getattr__`
    __getattr__, __dir__, __all__ = lazy_names(__name__, _NAMES)
