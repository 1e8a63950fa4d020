"""The explanation of a conversation: its mistakes, as the least edits after which it is right.

The search is imported when the first explanation is made. Most conversations need none.
"""

from typing import TYPE_CHECKING

from segue.core.lazy import lazy_names

if TYPE_CHECKING:
    from segue.core.explain.costs import EditKind as EditKind
    from segue.core.explain.edits import (
        NOTHING as NOTHING,
        Alternative as Alternative,
        Completeness as Completeness,
        Edit as Edit,
        Explanation as Explanation,
        Mistake as Mistake,
    )
    from segue.core.explain.explanation import (
        BUDGET as BUDGET,
        LIVE_BUDGET as LIVE_BUDGET,
        explain as explain,
    )

_NAMES = {
    "segue.core.explain.costs": "EditKind",
    "segue.core.explain.edits": "Alternative Completeness Edit Explanation Mistake NOTHING",
    "segue.core.explain.explanation": "BUDGET LIVE_BUDGET explain",
}

if not TYPE_CHECKING:  # type checkers would accept any name of a module with `__getattr__`
    __getattr__, __dir__, __all__ = lazy_names(__name__, _NAMES)
