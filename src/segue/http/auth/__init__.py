"""Who may do what: the interface of authenticators, and how to do without one.

The authenticator for JWTs is a room of its own, `segue.http.jwt`, since it needs an extra.
"""

from segue.http.auth.credentials import credential
from segue.http.auth.principal import SENDER, Authenticator, NoAuth, Operation, Principal

__all__ = ["SENDER", "Authenticator", "NoAuth", "Operation", "Principal", "credential"]
