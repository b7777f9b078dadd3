"""Builds a module from a map set: the map document, its units and its settings."""
