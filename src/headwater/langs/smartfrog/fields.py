"""What SmartFrog takes; all but `phase` is for the production dialect alone."""

from typing import Annotated

import msgspec

from headwater.langs.fields import About, Families


class Fields(msgspec.Struct, frozen=True):
    """Where to stop, and what ``PROPERTY``, ``ENVPROPERTY`` and the like may read."""

    phase: Annotated[
        str | None, About("production: stop after a phase", "raw", "--phase", "NAME")
    ] = None
    property: Annotated[
        list[str] | dict[str, str | int | float | bool] | None,
        About("what PROPERTY reads", {"port": "80"}, "--property", "K=V", many=True),
    ] = None
    env_allow: Annotated[
        list[str] | str | None,
        About("an environment variable that ENVPROPERTY may read", ["HOME"], "--env-allow", "NAME",
              many=True, unconfined=True),
    ] = None  # fmt: skip
    external: Annotated[
        bool | None, About("allow random, date and userinput", True, "--external")
    ] = None


FAMILIES = Families("SmartFrog", program=Fields)
