"""Reads, writes and builds VASSAL files and maps; knows no rules of any game."""
