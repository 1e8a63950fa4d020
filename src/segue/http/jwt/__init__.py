"""Authentication by JWT, with PyJWT; needs the extra `jwt`."""

from segue.errors import ConfigurationError

try:
    import jwt as _  # noqa: F401
except ModuleNotFoundError as error:
    raise ConfigurationError('JwtAuth needs PyJWT: pip install "segue[jwt]"') from error

from segue.http.jwt.authenticator import JwtAuth
from segue.http.jwt.jwks import FetchKeys

__all__ = ["FetchKeys", "JwtAuth"]
