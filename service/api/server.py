"""`arbiter serve`: the application on this machine, for one person; deploy/ is for many."""

from __future__ import annotations

import socket

import click
from werkzeug.serving import make_server

from service.api.app import create_app
from vmod_tools.errors import InputFileError


def serve_forever(host: str, port: int, *, announce: bool) -> None:
    """Serves until interrupted; port 0 takes a free one.  Raises InputFileError when the port is taken."""
    try:
        # Tried first, because werkzeug prints lines of its own and exits when it cannot.
        socket.create_server((host, port)).close()
    except OSError as error:
        raise InputFileError(
            f"port {port} on {host} cannot be opened: {error.strerror}", code="PORT"
        ) from None
    server = make_server(host, port, create_app(), threaded=True)
    if announce:
        click.echo(f"vassal-arbiter listens on http://{host}:{server.server_port}/", err=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        click.echo("", err=True)
    finally:
        server.server_close()
