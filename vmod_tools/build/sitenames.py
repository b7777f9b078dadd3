"""Sites whose hex and whose name in VASSAL differ.

A site lies in its hexagon; VASSAL names points by rectangles, so near a slanted hexside (8.4 % of a
hexagon) it shows the neighbour's name for it.  Nothing is wrong then, but a maintainer should know.
"""

from __future__ import annotations

from collections.abc import Iterator

from vmod_tools.boards import location_name, place_boards
from vmod_tools.build.mapwindow import map_name
from vmod_tools.mapdoc.geometry import hex_name, layout, pixel
from vmod_tools.mapdoc.model import MapDocument
from vmod_tools.modules import Module


def differing_names(document: MapDocument, module: Module) -> Iterator[str]:
    """A sentence for each site that VASSAL names otherwise than its hex."""
    for hex_map in document.maps:
        window = module.map(map_name(hex_map))
        if window is None:
            continue
        plan, boards = layout(hex_map), place_boards(window, ())
        for place in hex_map.hexes.values():
            name = hex_name(hex_map, place.cell)
            for site in place.sites:
                x, y = pixel(plan, place.cell, site.at)
                shown = location_name(window, boards, x + window.edge_width, y + window.edge_height)
                if shown != name:
                    yield f"site {site.id} lies in {name}; VASSAL names its point {shown}"
