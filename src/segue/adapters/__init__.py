"""Shells: servers' requests to the hook, and its answers back.

They decide nothing: what two of them could disagree on belongs to the hook.  House rules: a shell
reads no more of a body than it is asked to; it answers without reading when the answer is there;
about 60 lines each.
"""

from segue.adapters.asgi_app import Asgi, asgi
from segue.adapters.lambda_handler import Lambda, aws_lambda
from segue.adapters.wsgi_app import Wsgi, wsgi

__all__ = ["Asgi", "Lambda", "Wsgi", "asgi", "aws_lambda", "wsgi"]
