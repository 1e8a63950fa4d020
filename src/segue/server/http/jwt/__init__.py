"""Authentication by JWT with PyJWT. It needs the extra `jwt`."""

from segue.core.errors import ConfigurationError

try:
    from segue.server.http.jwt.authenticator import JwtAuth
except ModuleNotFoundError as error:
    raise ConfigurationError('JwtAuth needs PyJWT: pip install "segue[jwt]"') from error

__all__ = ["JwtAuth"]
