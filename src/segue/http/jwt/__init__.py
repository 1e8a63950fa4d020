"""Authentication by JWT, on PyJWT; needs the extra `jwt`.

It decides which tokens are accepted.  House rules: whatever a header holds, the outcome is a
principal or a problem; algorithms and keys are bound to each other by the configuration alone; no
token, secret or key in a `repr`, a log or an answer.
"""

from segue.errors import ConfigurationError

try:
    import jwt as _  # noqa: F401
except ModuleNotFoundError as error:
    raise ConfigurationError('JwtAuth needs PyJWT: pip install "segue[jwt]"') from error

from segue.http.jwt.authenticator import JwtAuth
from segue.http.jwt.jwks import FetchKeys

__all__ = ["FetchKeys", "JwtAuth"]
