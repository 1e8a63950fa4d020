"""Mount Segue at /segue in a Flask application.

SEGUE_SECRET=… waitress-serve samples.hosts.flask_app:app
"""

import atexit
import os

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

import segue

processor = segue.Processor(store=segue.SqliteStore(os.environ.get("SEGUE_STORE", "segue.db")))
atexit.register(processor.close)  # the first delivery starts it

app = Flask(__name__)
hook = segue.wsgi(processor, auth=segue.JwtAuth(secret=os.environ["SEGUE_SECRET"]))
app.wsgi_app = DispatcherMiddleware(app.wsgi_app, {"/segue": hook})  # type: ignore[method-assign]


@app.get("/")
def home() -> str:
    """Show that the host still answers its own routes."""
    return "the host's own page"
