"""Fixtures of the service's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.h_service import material

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient


@pytest.fixture(scope="session")
def module_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The module as a file."""
    path = tmp_path_factory.mktemp("module") / "weu-denmark.vmod"
    path.write_bytes(material.module_data())
    return path


@pytest.fixture
def client() -> FlaskClient:
    """The API in this process."""
    from service.api.app import create_app

    return create_app({"TESTING": False, "PROPAGATE_EXCEPTIONS": False}).test_client()
