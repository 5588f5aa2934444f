"""From what a user typed to requests: which words are files, which are nodes.

A word that is the path of something, or has an ending that means a language, is a file; anything
else is a node.  With ``--node`` every word is a file.  Outside of a repository every word is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from headwater.ask.request import BadRequest, Request
from headwater.fleet.config import BadRepository
from headwater.fleet.site import Site, find_site
from headwater.langs import language_for, language_named
from headwater.langs.codes import FILE_UNREADABLE
from headwater.langs.repositories import HasNodes
from headwater.report import Diagnostic
from headwater.text import Source
from headwater.text.reading import exists, is_folder

NODE = "node"
"""The input that names a node; every language that has nodes calls it so."""

_OF_NODE = re.compile(r"([^:\[\]/\"'\s]++):(?!:)(.*)", re.DOTALL)


class Address(msgspec.Struct, frozen=True):
    """``web1:File[/etc/motd].content``: a value of a node, or of no node that is named."""

    node: str | None
    value: str | None


def address(text: str) -> Address:
    """The node and the value that a text names."""
    found = _OF_NODE.fullmatch(text)
    if found is None:
        return Address(None, text)
    return Address(found[1], found[2] or None)


def is_node(word: str) -> bool:
    """Whether a word is the name of a node of the repository around us, or its host's name."""
    try:
        site = find_site()
        return site is not None and bool(site.inventory.named(word))
    except BadRepository:
        return False


def is_file_word(word: str) -> bool:
    """Whether a word means a file and not a node."""
    return word == "-" or os.sep in word or exists(word) or language_for(word) is not None


def no_such_word(word: str, reason: str) -> Diagnostic | None:
    """What is told of a word that is no file, and could only be the name of a node, of which none
    is known for a reason."""
    if is_file_word(word):
        return None
    at = Source(word, "").span(0, 0)
    help = f"if {word} is a node: {reason}"
    return FILE_UNREADABLE.at(at, file=word, reason="no such file or directory", help=help)


def no_such_words(one: str, other: str) -> Diagnostic | None:
    """What is told of two words that are no files and no nodes: they may mean revisions."""
    for word in (one, other):
        if is_file_word(word) or "+" in word or is_node(word):
            return None
    at = Source(one, "").span(0, 0)
    help = f"if they are two revisions: headwater diff {one}..{other}"
    reason = f"neither it nor {other} is a file or a node"
    return FILE_UNREADABLE.at(at, file=one, reason=reason, help=help)


def is_part_of_nodes(file: str) -> bool:
    """Whether a file is in the language of nodes, or in none that is told by its ending."""
    lang = language_for(file)
    return lang is None or isinstance(language_named(lang), HasNodes)


def resolved(request: Request, words: Sequence[str]) -> Request:
    """The request about files or about one node, with what their repository says.

    Raises `BadRequest` and `BadRepository`.
    """
    site = find_site()
    nodes = [w for w in words if not is_file_word(w)] if NODE not in request.inputs else []
    if site is not None and nodes:
        if len(words) > 1:
            raise BadRequest(f"one node at a time, and no files beside it: {', '.join(words)}")
        return site.request(request, site.node(words[0]))
    if words:
        return _of_files(replace(request, files=tuple(w for w in words if w != "-")))
    return request if site is None else node_request(site, request)


def node_request(site: Site, request: Request) -> Request:
    """The request about the node of ``--node``, or about the only one there is."""
    given = request.inputs.get(NODE)
    name = site.only_node() if given is None else site.node(str(given))
    inputs = {k: v for k, v in request.inputs.items() if k != NODE}
    return site.request(replace(request, inputs=inputs), name)


def _of_files(request: Request) -> Request:
    """A request about files, with what the repository around them says to its programs."""
    if not request.files:
        return request
    first = request.files[0]
    folder = is_folder(first)
    site = find_site(first if folder else os.path.dirname(first) or os.curdir)
    lang = request.lang or (site and (site.repository.language if folder else language_for(first)))
    if site is None or lang != site.repository.language:
        return request
    given = request.inputs.get(NODE)
    known = [] if given is None else site.inventory.named(str(given))
    if len(known) != 1:
        return site.request(request, None, first)
    inputs = {k: v for k, v in request.inputs.items() if k != NODE}
    return site.request(replace(request, inputs=inputs), known[0], first)


__all__ = ["Address", "address", "is_file_word", "is_node", "node_request", "resolved"]
