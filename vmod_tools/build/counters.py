"""Pieces as build files hold them: the units' prototype, slots of units and markers, sites.

Field counts follow VASSAL 3.6 (vassal-format.md section 8.2), which every later version reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vmod_tools.build.settings import AFTER_MOVE, NEXT_STEP, Marker, Property, Settings, UnitRow
from vmod_tools.mapdoc.model import Site
from vmod_tools.pieces import NULL, chain_of
from vmod_tools.sequence import Sequence

UNIT_PROTOTYPE = "Unit"
AFTER_MOVE_KEY, NEXT_STEP_KEY = "AfterMove", "NextStep"
_CLEAR_KEYS = {AFTER_MOVE: AFTER_MOVE_KEY, NEXT_STEP: NEXT_STEP_KEY}

UNIT_LAYER, SITE_LAYER = "units", "sites"

TraitText = tuple[str, str]
"""The type and the state of one trait."""


def named_key(name: str) -> str:
    """A named key stroke; only the name counts, the code is handed out anew in each run."""
    return f"57344,0,{name}"


def _list(delimiter: str, *tokens: str) -> str:
    return Sequence.of(tokens, delimiter).encode()


def add_piece(traits: Iterable[TraitText], image: str, name: str, gpid: str) -> str:
    """The AddPiece command of a slot: outermost trait first, no id and no map yet."""
    types, states = zip(*traits, strict=True) if (traits := tuple(traits)) else ((), ())
    basic_type = "piece;" + _list(";", "", "", image, name)
    basic_state = _list(";", NULL, "0", "0", gpid, "0")
    return "+/" + _list("/", NULL, chain_of((*types, basic_type)), chain_of((*states, basic_state)))


def markers(values: Mapping[str, str]) -> TraitText:
    """A Marker trait with these properties."""
    return "mark;" + _list(",", *values), _list(",", *values.values())


def dynamic_property(known: Property, sites: Iterable[str], initial: str = "") -> TraitText:
    """A Dynamic Property: its menu entries, and silent keys that clear it."""
    commands = [
        _list(
            ":",
            choice.text,
            named_key(f"{known.name}-{choice.value or 'none'}"),
            _list(",", "P", choice.value),
        )
        for choice in known.choices
    ]
    prompt = known.ask or known.menu
    if known.choose:
        listed = _list(",", *(sites if known.choose == "sites" else known.choose.split()))
        commands.append(
            _list(
                ":",
                f"{known.menu}…",
                named_key(f"{known.name}-choose"),
                _list(",", "E", prompt, listed),
            )
        )
    if known.ask:
        commands.append(
            _list(":", f"{known.menu}…", named_key(f"{known.name}-ask"), _list(",", "R", prompt))
        )
    commands += [
        _list(":", "", named_key(_CLEAR_KEYS[moment]), _list(",", "P", ""))
        for moment in sorted(known.clear)
    ]
    constraints = _list(",", "false", "0", "100", "false")
    return "PROP;" + _list(";", known.name, constraints, _list(",", *commands), ""), initial


def menu_texts(known: Property) -> list[str]:
    """The menu entries of a property."""
    asked = [f"{known.menu}…"] if known.choose or known.ask else []
    return [choice.text for choice in known.choices] + asked


def _choice_keys(known: Property) -> list[str]:
    return [named_key(f"{known.name}-{choice.value or 'none'}") for choice in known.choices]


def _asking_keys(known: Property) -> list[str]:
    keys = [named_key(f"{known.name}-choose")] if known.choose else []
    return keys + ([named_key(f"{known.name}-ask")] if known.ask else [])


def _report(keys: list[str], what: str) -> TraitText:
    """A Report Action: what was said, in the chat of both players."""
    text = f"$newPieceName$ ($location$): {what} *"
    return "report;" + _list(";", _list(",", *keys), text, "", "", "", "false"), "-1"


def unit_prototype(
    settings: Settings, sites: tuple[str, ...], place_gpids: Mapping[str, str]
) -> str:
    """The prototype of all units: reports, menus, properties, markers to place, trail, delete."""
    traits: list[TraitText] = [
        ("markmoved;" + _list(";", "moved.svg", "0", "0", "Mark Moved", "77,130", ""), "false"),
        (
            "footprint;"
            + ";".join(
                [
                    "84,130",
                    "Movement Trail",
                    "false",
                    "false",
                    "10",
                    "255,255,255",
                    "0,0,0",
                    "100",
                    "50",
                    "20",
                    "30",
                    "1.0",
                    "",
                    "",
                    "",
                    "",
                ]
            ),
            f"false;;0;{'false'}",
        ),
    ]
    chosen = [key for known in settings.properties for key in _choice_keys(known)]
    traits.append(_report(chosen, "$menuCommand$"))
    traits += [
        _report([key], f"{known.menu} = ${known.name}$")
        for known in settings.properties
        for key in _asking_keys(known)
    ]
    for known in settings.properties:
        entries = menu_texts(known)
        if len(entries) > 1:
            traits.append(("submenu;" + _list(";", known.menu, _list(",", *entries), ""), ""))
    traits += [dynamic_property(known, sites) for known in settings.properties]
    for marker in settings.markers:
        spec = marker_piece(marker, place_gpids[marker.name])
        fields = (
            marker.menu,
            named_key(f"Place-{marker.name}"),
            spec,
            NULL,
            "0",
            "0",
            "false",
            "",
            "",
            place_gpids[marker.name],
            "0",
            "false",
        )
        traits.append(("placemark;" + _list(";", *fields), ""))
    traits.append(("delete;" + _list(";", "Delete", "68,130", ""), ""))
    return add_piece(traits, "", "", "")


def unit_piece(unit: UnitRow, settings: Settings, gpid: str) -> str:
    """A unit of the palette.  A property with a value of its own stands outside the prototype."""
    own = {
        "Side": unit.side,
        "Class": unit.unit_class,
        "Name": unit.name,
        "NameJa": unit.name_ja,
        "UnitId": unit.id,
        "Layer": UNIT_LAYER,
    }
    traits = [markers(own), ("prototype;" + UNIT_PROTOTYPE, "")]
    given = [p for p in settings.properties if unit.properties.get(p.name)]
    traits = [dynamic_property(p, (), unit.properties[p.name]) for p in given] + traits
    return add_piece(traits, f"unit-{unit.id}.svg", unit.name, gpid)


def marker_piece(marker: Marker, gpid: str) -> str:
    """A marker: it stacks with units, and can be deleted."""
    traits = [
        markers({"Marker": marker.name, "Layer": UNIT_LAYER}),
        ("delete;" + _list(";", "Delete", "68,130", ""), ""),
    ]
    return add_piece(traits, f"marker-{marker.name}.svg", marker.name, gpid)


def site_piece(site: Site, gpid: str) -> str:
    """A site: a counter that cannot be selected, moved or stacked by accident."""
    values = {"SiteId": site.id, "SiteKind": site.kind, "Bank": site.bank or ""}
    values |= {
        "Name": site.names.get("en", ""),
        "NameJa": site.names.get("ja", ""),
        "Layer": SITE_LAYER,
    }
    traits = [("immob;n;V;R;", ""), markers(values)]
    return add_piece(traits, f"site-{site.kind}.svg", site_title(site), gpid)


def site_title(site: Site) -> str:
    """How the counter of a site is called."""
    return f"{site.names.get('en', site.id)} ({site.kind})"
