"""Logs that go on from one another: their order, and where they do not fit."""
