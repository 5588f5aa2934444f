"""Puppet's facet for the nodes of repositories; what answers is loaded when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwater.langs.protocol import Job
    from headwater.langs.puppet.fields import Fields, Section
    from headwater.langs.repositories import (
        Absent,
        Keys,
        NodeAbout,
        NodeChecked,
        NodeFiles,
        Surveyed,
    )
    from headwater.report import Diagnostic
    from headwater.text import Source


class PuppetNodes:
    """Satisfies `HasNodes` of langs/repositories.py."""

    def node_inputs(self, node: NodeFiles) -> dict[str, object]:
        """The inputs of a program for a node."""
        from headwater.langs.puppet.repository.nodes import node_inputs

        return node_inputs(node)

    def nodes_named(self, path: str) -> Iterable[str]:
        """The nodes that a list of facts is about."""
        from headwater.langs.puppet.facts.several import exported

        return exported(path)

    def about_node(self, inputs: Fields) -> NodeAbout:
        """What is known of a node before it is compiled."""
        from headwater.langs.puppet.repository.nodes import about_node

        return about_node(inputs)

    def read_classes(self, source: Source) -> Mapping[str, object]:
        """What a table of classes says of each node."""
        from headwater.langs.puppet.repository.nodes import read_classes

        return read_classes(source)

    def read_classified(self, source: Source) -> dict[str, object]:
        """The inputs that a classifier printed for a node."""
        from headwater.langs.puppet.repository.nodes import read_classified

        return read_classified(source)

    def environments(self, section: Section, root: str) -> Mapping[str, str]:
        """The environments of a repository."""
        from headwater.langs.puppet.repository.nodes import environments

        return environments(section, root)

    def absent_folders(self, inputs: Fields, environment: str) -> Iterable[Absent]:
        """The folders of the modulepath that are not there."""
        from headwater.langs.puppet.repository.nodes import absent_folders

        return absent_folders(inputs, environment)

    def chooser(self, expression: str) -> Callable[[Fields], bool]:
        """Whether a node fits an expression over its facts."""
        from headwater.langs.puppet.repository.choosing import chooser

        return chooser(expression)

    def check_node(self, job: Job[Fields]) -> NodeChecked:
        """The program of a node, compiled, and looked through for circles."""
        from headwater.langs.puppet.repository.checking import check_node

        return check_node(job)

    def check_environment(self, inputs: Fields) -> Iterable[Diagnostic]:
        """What is doubtful about modules, and what nothing uses."""
        from headwater.langs.puppet.repository.checking import check_environment

        return check_environment(inputs)

    def unasked_data(self, inputs: Fields, keys: Keys) -> Iterable[Diagnostic]:
        """Keys of the data that no node looks up."""
        from headwater.langs.puppet.repository.checking import unasked_data

        return unasked_data(inputs, keys)

    def survey(self, root: str) -> Surveyed:
        """What a folder looks like that shall be a repository."""
        from headwater.langs.puppet.repository.finding import survey

        return survey(root)
