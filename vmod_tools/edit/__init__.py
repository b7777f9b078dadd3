"""Editing modules, extensions, saves and logs: what is asked for changes, every other byte stays."""
