"""`Compilation`: the parts that one compilation is made of.

Every scope leads to them.  What needs only one part is given that part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headwater.langs.puppet.catalog.table import Catalog
from headwater.langs.puppet.engine.inputs import Inputs
from headwater.langs.puppet.engine.messages import Messages
from headwater.langs.puppet.engine.type_names import Types
from headwater.langs.puppet.engine.work import Work
from headwater.langs.puppet.levels import LanguageLevel
from headwater.langs.puppet.program.program import Program
from headwater.langs.puppet.record.frames import Body
from headwater.langs.puppet.record.record import Record

if TYPE_CHECKING:
    from headwater.langs.puppet.hiera.lookup import Hiera

Function = Callable[..., Any]
"""What is called with a `Call`, its arguments and its block."""


class Services:
    """What programs ask for by name: types, functions, data, which are opened when needed."""

    def __init__(
        self, types: Types, open_data: Callable[[], Hiera], in_ruby: Callable[[str, str], Function]
    ) -> None:
        self.types = types
        self.in_ruby = in_ruby
        """The function of a name that a file has in Ruby."""
        self._open_data = open_data
        self._hiera: Hiera | None = None
        self.functions: dict[str, Function] = {}
        """The functions that have been called, however they are made."""
        self.plain: dict[str, Function] = {}
        """Those of them that are built in, as they are while nothing is unknown."""
        self.bodies: dict[str, Body] = {}
        """Those of them that are written in Puppet."""
        self.ruby: Any = None
        """The host of the Ruby that modules bring, made with the first that runs."""

    @property
    def hiera(self) -> Hiera:
        """The data of the compilation."""
        if self._hiera is None:
            self._hiera = self._open_data()
        return self._hiera


class Compilation:
    """One compilation: its inputs and program, what it makes, what it leaves, what it uses."""

    def __init__(
        self, inputs: Inputs, program: Program, catalog: Catalog, record: Record,
        services: Services, messages: Messages, work: Work,
    ) -> None:  # fmt: skip
        self.inputs = inputs
        self.program = program
        self.catalog = catalog
        self.record = record
        self.services = services
        self.messages = messages
        self.work = work

    def forget(self) -> None:
        """Lets go of everything: nothing can be asked about the compilation any more.

        Resources and scopes name each other in circles.  Left alone they would wait for Python
        to look for garbage, which takes as long as the compilation did.
        """
        for resource in self.catalog.resources:
            resource.let_go()
        self.record.forget()
        if self.services.ruby is not None:
            self.services.ruby.forget()
        vars(self).clear()

    @property
    def level(self) -> LanguageLevel:
        """The language level of the program."""
        return self.program.modules.reading.level

    @property
    def has_data(self) -> bool:
        """Whether there can be data of Hiera: a hiera.yaml, an environment, or modules."""
        inputs = self.inputs
        return bool(inputs.hiera or inputs.env or self.program.modules.folders)
