"""The platform's 26 endpoints as one table, and the models of what they take and answer."""

from segue.platform.rows import Arg, Endpoint, Paged, Unknown, Variant, VariantKind
from segue.platform.table import ENDPOINTS, UNKNOWN_IN_GENERAL, endpoint

__all__ = [
    "ENDPOINTS",
    "UNKNOWN_IN_GENERAL",
    "Arg",
    "Endpoint",
    "Paged",
    "Unknown",
    "Variant",
    "VariantKind",
    "endpoint",
]
