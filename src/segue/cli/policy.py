"""The policy of what is live: the settings, and what the command line says instead.

House rule: a server and the commands that work on its store read the same settings alike.
"""

from collections.abc import Mapping
from typing import Any

from segue.cli.config import policy_from, settings_of
from segue.cli.options import selectors
from segue.findings import Policy

__all__ = ["live_policy"]


def live_policy(given: Mapping[str, Any]) -> Policy:
    """Return the policy of the settings, with `reject` of the command line if it has one."""
    settings = settings_of(given)
    for name in ("select", "ignore"):
        settings[name] = selectors(settings.get(name, ()))
    settings["reject"] = selectors(given.get("reject") or settings.get("reject", ()))
    ranks = settings.get("severity", {})
    settings["severity"] = {selectors((code,))[0]: rank for code, rank in ranks.items()}
    return policy_from(settings)
