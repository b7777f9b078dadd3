"""War in Europe, 5th edition addendum: conditions of combat, positions in the hex, attack kinds.

Source: the numbered rules A1–A50, tables T1–T4 and gaps G-A1–G-A28 that CONTRIBUTING.md names; each
citation is the addendum's own paragraph.
"""
