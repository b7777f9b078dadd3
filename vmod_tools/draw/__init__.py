"""Pictures of ours as SVG 1.1: the board of a map document, unit counters, markers and site symbols."""
