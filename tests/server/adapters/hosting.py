"""Start a server that has no command: `python -m tests.server.adapters.hosting NAME PORT`."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

from tests.server.adapters.fresh import wsgi


def twisted(port: int) -> None:
    reactor = import_module("twisted.internet.reactor")
    resource = import_module("twisted.web.wsgi").WSGIResource
    site = import_module("twisted.web.server").Site
    served = site(resource(reactor, reactor.getThreadPool(), wsgi))
    reactor.listenTCP(port, served, interface="127.0.0.1")
    reactor.run()


def tornado(port: int) -> None:
    container = import_module("tornado.wsgi").WSGIContainer
    server = import_module("tornado.httpserver").HTTPServer

    async def serve() -> None:
        server(container(wsgi, ThreadPoolExecutor(4))).listen(port, "127.0.0.1")
        await asyncio.Event().wait()

    asyncio.run(serve())


def eventlet(port: int) -> None:
    listen, module = import_module("eventlet").listen, import_module("eventlet.wsgi")
    module.server(listen(("127.0.0.1", port)), wsgi, log_output=False)


if __name__ == "__main__":
    {"twisted": twisted, "tornado": tornado, "eventlet": eventlet}[sys.argv[1]](int(sys.argv[2]))
