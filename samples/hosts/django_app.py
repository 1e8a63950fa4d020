"""Mount Segue at /segue next to a Django project, in its asgi.py.

SEGUE_SECRET=… uvicorn samples.hosts.django_app:application
"""

import os
from typing import Any

import django
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

import segue


def home(_: HttpRequest) -> HttpResponse:
    """Show that the host still answers its own routes."""
    return HttpResponse("the host's own page")


urlpatterns = [path("", home)]

# A real project has these in its settings module.
settings.configure(
    ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY=os.environ["SEGUE_SECRET"]
)
django.setup(set_prefix=False)

host = get_asgi_application()
processor = segue.Processor(store=segue.SqliteStore(os.environ.get("SEGUE_STORE", "segue.db")))
auth = segue.JwtAuth(secret=os.environ["SEGUE_SECRET"])
hook = segue.asgi(processor, auth=auth, prefix="/segue")


async def application(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI's own
    """Pass requests below /segue/ and the lifespan, which Django ignores, to Segue."""
    ours = scope["type"] == "lifespan" or scope["path"].startswith("/segue/")
    await (hook if ours else host)(scope, receive, send)
