"""The map document: terrain, water, banks, hexsides and sites of a map set (design.md section 4)."""
