"""Extensions (`.vmdx`): what a module gets added, and where.

An extension's build file holds wrappers, each with the path of a component of the module and the one
element that is added to it.  VASSAL crashes on an empty wrapper and loads only the first of two elements.

Source: build/module/ModuleExtension.java, ExtensionElement.java; vassal-format.md section 9.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from vmod_tools.archive import Archive
from vmod_tools.buildfile import (
    EXTENSION_DATA,
    MODULE_DATA,
    BuildFile,
    Component,
    Metadata,
    read_metadata,
)
from vmod_tools.components import VassalPath, find_vassal, parse_vassal_path
from vmod_tools.errors import ArchiveError, BuildFileError

WRAPPER = "ExtensionElement"


@dataclass(frozen=True, slots=True)
class Addition:
    """One wrapper: where its elements go; an honest one has exactly one."""

    target: VassalPath
    elements: tuple[Component, ...]
    line: int


@dataclass(frozen=True)
class Extension:
    """An extension that was read."""

    archive: Archive = field(repr=False)
    build: BuildFile = field(repr=False)
    id: str
    """The prefix of its gpids."""
    module: str
    module_version: str
    version: str
    any_module: bool
    metadata: Metadata | None
    module_metadata: Metadata | None
    """The copy of the module's own metadata."""

    @classmethod
    def read(cls, archive: Archive) -> Self:
        """The extension in `archive`; raises BuildFileError when it holds a module."""
        build = BuildFile.read(archive)
        if build is None:
            raise ArchiveError("the archive holds no buildFile", code="NOT_AN_EXTENSION")
        if not build.is_extension:
            raise BuildFileError("this is a module, not an extension", code="NOT_AN_EXTENSION")
        root = build.root
        return cls(
            archive=archive,
            build=build,
            id=root.get("extensionId"),
            module=root.get("module"),
            module_version=root.get("moduleVersion"),
            version=root.get("version"),
            any_module=root.get("anyModule") == "true",
            metadata=read_metadata(archive, EXTENSION_DATA),
            module_metadata=read_metadata(archive, MODULE_DATA),
        )

    @cached_property
    def additions(self) -> tuple[Addition, ...]:
        """The wrappers in order."""
        return tuple(
            Addition(parse_vassal_path(c.get("target")), tuple(c.children()), c.line)
            for c in self.build.root.children(WRAPPER)
        )

    def targets(self, module: BuildFile) -> tuple[Component | None, ...]:
        """For each wrapper the component of the module that it adds to; None where there is none."""
        return tuple(find_vassal(module.root, addition.target) for addition in self.additions)

    def problems(self) -> Iterator[str]:
        """What VASSAL will trip over, a sentence each."""
        for addition in self.additions:
            count = len(addition.elements)
            if not count:
                yield f"line {addition.line}: a wrapper is empty; VASSAL cannot load the extension"
            elif count > 1:
                yield f"line {addition.line}: {count} elements in one wrapper; VASSAL loads the first only"
