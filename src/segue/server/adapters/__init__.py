"""Adapters from web servers to `segue.server.http`, and observers for metrics and traces.

The adapters make no decisions, so all of them answer alike. Each builds a `Request`, reads the body
when `segue.server.http` asks for it, and sends the `Response`.
"""

from segue.server.adapters.asgi_app import AsgiApp, asgi
from segue.server.adapters.build import AppOptions
from segue.server.adapters.lambda_handler import LambdaHandler, aws_lambda
from segue.server.adapters.wsgi_app import WsgiApp, wsgi

__all__ = ["AppOptions", "AsgiApp", "LambdaHandler", "WsgiApp", "asgi", "aws_lambda", "wsgi"]
