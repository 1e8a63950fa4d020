"""Serve the hook as a view in the urls.py of a Django project that runs under WSGI.

SEGUE_SECRET=… waitress-serve samples.programs.django_urls:application
"""

import atexit
import os
from collections.abc import Iterable
from typing import Any

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path, re_path
from django.views.decorators.csrf import csrf_exempt

import segue

# A real project has these in its settings module.
settings.configure(
    ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY=os.environ["SEGUE_SECRET"]
)
django.setup(set_prefix=False)

processor = segue.Processor(store=segue.SqliteStore(os.environ.get("SEGUE_STORE", "segue.db")))
atexit.register(processor.close)  # the first delivery starts it
hook = segue.wsgi(processor, auth=segue.JwtAuth(secret=os.environ["SEGUE_SECRET"]), prefix="/segue")


@csrf_exempt
def segue_view(request: WSGIRequest) -> HttpResponse:
    """Pass the request to the hook and return its response, header by header."""
    response = HttpResponse()

    def start_response(status: str, headers: Iterable[tuple[str, str]], *_: Any) -> None:
        response.status_code = int(status.split(maxsplit=1)[0])
        for name, value in headers:
            response[name] = value

    response.content = b"".join(hook(request.environ, start_response))
    return response


def home(_: HttpRequest) -> HttpResponse:
    """Show that the project still answers its own routes."""
    return HttpResponse("the project's own page")


urlpatterns = [path("", home), re_path("^segue/", segue_view)]
application = get_wsgi_application()
