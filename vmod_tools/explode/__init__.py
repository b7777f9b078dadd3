"""A VASSAL file as a folder of small files that git can compare, and back, byte for byte."""
