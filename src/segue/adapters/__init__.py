"""Adapters from servers to `segue.http`: ASGI, WSGI and AWS Lambda; observers for metrics, traces.

They decide nothing, so they cannot disagree: each builds a request, performs the reading of its
body as far as `segue.http` asks for it, and sends the response.
"""

from segue.adapters.asgi_app import AsgiApp, asgi
from segue.adapters.build import AppOptions
from segue.adapters.lambda_handler import LambdaHandler, aws_lambda
from segue.adapters.wsgi_app import WsgiApp, wsgi

__all__ = ["AppOptions", "AsgiApp", "LambdaHandler", "WsgiApp", "asgi", "aws_lambda", "wsgi"]
