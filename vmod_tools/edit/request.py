"""One whole edit, as the command line asks for it: what to choose, what to do to it, what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from vmod_tools.archive import Archive
from vmod_tools.buildfile import EXTENSION_DATA, MODULE_DATA, SAVE_DATA
from vmod_tools.components import Step, find
from vmod_tools.edit.changes import Change
from vmod_tools.edit.making import PieceMaker
from vmod_tools.edit.metadata import set_metadata, stated_metadata
from vmod_tools.edit.modules import ModuleEditor
from vmod_tools.edit.pieceedits import (
    AddTrait,
    PieceEdit,
    RemoveTrait,
    SetField,
    SetProperty,
    SetState,
    levels_of,
)
from vmod_tools.edit.saves import SaveEditor
from vmod_tools.edit.selectors import Selector, nothing_matched
from vmod_tools.edit.setuptable import Row
from vmod_tools.errors import VmodError
from vmod_tools.modules import Module
from vmod_tools.pieces import Piece, Place
from vmod_tools.saves import SAVED_GAME


@dataclass(frozen=True, slots=True)
class Target:
    """Where pieces are moved to; `map` None keeps the map of each."""

    map: str | None
    x: int
    y: int


@dataclass(frozen=True)
class Request:
    """What is to be edited.  Pieces: `edits`, `target` and `delete`, in this order, on what `selector` fits."""

    selector: Selector | None = None
    edits: tuple[PieceEdit, ...] = ()
    target: Target | None = None
    delete: bool = False
    added: tuple[Row, ...] = ()
    """Pieces to be put into a save."""
    attributes: tuple[tuple[tuple[Step, ...], str, str], ...] = ()
    """Path, name and value."""
    globals: tuple[tuple[str, str], ...] = ()
    metadata: tuple[tuple[str, str | None, str], ...] = ()
    """Field, language and value."""
    steps: bool = False

    @property
    def asks_for_pieces(self) -> bool:
        """Whether it does something to chosen pieces."""
        return bool(self.edits or self.target or self.delete)


@dataclass
class Outcome:
    """What an edit gave: the new archive, how many pieces were matched, and everything that changed."""

    archive: Archive
    matched: tuple[str, ...] | None = None
    """The names of the matched pieces; None when no selector was given."""
    changes: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def apply_request(archive: Archive, request: Request, module: Module | None = None) -> Outcome:
    """Makes the edit; raises VmodError, with code NOTHING_MATCHED where nothing fits."""
    if request.asks_for_pieces and request.selector is None:
        raise VmodError("which pieces? (* is all)", code="EDIT_SELECT", field="--select")
    if archive.find(SAVED_GAME) is not None:
        return _edit_save(archive, request, module)
    return _edit_module(archive, request)


def _edit_save(archive: Archive, request: Request, module: Module | None) -> Outcome:
    if request.attributes:
        raise VmodError("a save has no components", code="EDIT_KIND", field="--set-attribute")
    editor = SaveEditor(archive, module, steps=request.steps)
    outcome = Outcome(archive)
    if request.selector is not None:
        chosen = editor.select(request.selector)
        if not chosen:
            raise nothing_matched(f"the selector {request.selector.text!r}")
        outcome.matched = tuple(editor.label(i) for i in chosen)
        for edit in request.edits:
            _check(edit, map(editor.piece, chosen), outcome)
            editor.edit(chosen, edit)
        if request.target is not None:
            for piece_id in chosen:
                editor.move((piece_id,), _target(request.target, editor.place(piece_id)))
        if request.delete:
            editor.remove(chosen)
    for name, value in request.globals:
        plain, _, container = name.rpartition("@")
        if not editor.set_global(name, value) and not (
            plain and editor.set_global(plain, value, container)
        ):
            raise nothing_matched(f"the global property {name!r}")
    if request.added:
        _add(editor, request.added, module)
    outcome.changes = editor.changes
    outcome.archive = _with_metadata(editor.finish(), SAVE_DATA, request, outcome)
    return outcome


def _add(editor: SaveEditor, rows: Iterable[Row], module: Module | None) -> None:
    if module is None:
        raise VmodError("new pieces need the module", code="MODULE_NEEDED", field="--module")
    maker = PieceMaker(module)
    for row in rows:
        boards = editor.boards(maker.map_of(row))
        editor.add(maker.piece_of(row), maker.place(row, boards))


def _target(target: Target, now: Place) -> Place:
    if target.map is None and now.map is None:
        raise VmodError("a piece is on no map; say MAP:X,Y", code="EDIT_MOVE", field="--move")
    return Place(target.map or now.map, target.x, target.y)


def _edit_module(archive: Archive, request: Request) -> Outcome:
    if request.target or request.delete or request.globals or request.added or request.steps:
        raise VmodError(
            "only pieces of a save can be moved, deleted or added, and only it has global values "
            "and steps; a module has attributes (--set-attribute)",
            code="EDIT_KIND",
        )
    editor = ModuleEditor(archive)
    outcome = Outcome(archive)
    if request.selector is not None:
        chosen = editor.select(request.selector)
        if not chosen:
            raise nothing_matched(f"the selector {request.selector.text!r}")
        outcome.matched = tuple(slot.label for slot in chosen)
        for edit in request.edits:
            _check(edit, (slot.piece for slot in chosen), outcome)
            editor.edit(chosen, edit)
    for path, name, value in request.attributes:
        editor.set_attribute(find(editor.root, path), name, value)
    outcome.changes = editor.changes
    document = EXTENSION_DATA if editor.build.is_extension else MODULE_DATA
    outcome.archive = _with_metadata(editor.finish(), document, request, outcome)
    return outcome


def _with_metadata(archive: Archive, document: str, request: Request, outcome: Outcome) -> Archive:
    for name, language, value in request.metadata:
        edited = set_metadata(archive, document, name, value, language)
        if edited is not archive:
            what = name if language is None else f"{name}[{language}]"
            before = stated_metadata(archive, document, name, language)
            outcome.changes.append(Change(document, what, before, value))
        archive = edited
    return archive


def _check(edit: PieceEdit, pieces: Iterable[Piece], outcome: Outcome) -> None:
    """Raises where no chosen piece has what the edit speaks of; notes how many have not, and dangers."""
    if any(text.endswith("\\") for text in _texts(edit)):
        # Seen in VASSAL: it reads such a token, and writes it back without quotes.
        outcome.notes.append(
            "a text ends in a backslash: VASSAL reads it here, but spoils the piece when it saves it"
        )
    if isinstance(edit, SetProperty):
        what = f"property {edit.name!r}"
        having = [edit.is_stated_by(piece) for piece in pieces]
    elif isinstance(edit, SetState | SetField | RemoveTrait):
        what = f"trait {edit.prefix!r}"
        having = [bool(levels_of(piece, edit.prefix)) for piece in pieces]
    else:
        return
    if not any(having):
        raise VmodError(f"no matched piece has the {what}", code="NOTHING_MATCHED")
    if not all(having):
        outcome.notes.append(f"{having.count(False)} of {len(having)} have no {what}")


def _texts(edit: PieceEdit) -> tuple[str, ...]:
    if isinstance(edit, AddTrait):
        return edit.type, edit.state
    if isinstance(edit, SetProperty | SetField):
        return (edit.value,)
    return (edit.state,) if isinstance(edit, SetState) else ()
