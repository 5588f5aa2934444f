"""``headwater endorse``"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from headwater.ask.durable import Problem, problems
from headwater.ask.endorse import (
    agreed,
    endorse,
    read_asked,
    read_domain,
    sign_domain,
    signer_of,
    until,
)
from headwater.cli.commands import command as plain_command
from headwater.cli.durable import diagnostics_option, reporting
from headwater.cli.showing import asked_lines, name, page, policy_lines, say
from headwater.text import Source, visible


def _gone(_: click.Context, __: click.Parameter, given: bool) -> None:
    if given:
        raise click.UsageError(
            "--yes is gone: sign what you have read with --yes-to HASH, the hash on its last line"
        )


@plain_command("endorse", "headwater endorse w1.db.request.json --key db.key")
@click.argument("request", required=False)
@click.option("--key", required=True, metavar="FILE", help="your private key")
@click.option("--as", "signer", metavar="NAME", help="who you are (default: the key's name)")
@click.option("--expires", metavar="TIME", help="when it ends, such as 2027-01-01T00:00:00Z")
@click.option("--out", metavar="FILE", help="where to write the endorsement")
@click.option("--show-to", metavar="FILE", help="write what you are asked to this file")
@click.option("--yes-to", metavar="HASH", help="sign, if this is the hash of what is shown")
@click.option("--yes", is_flag=True, hidden=True, expose_value=False, callback=_gone)
@click.option("--policy", metavar="FILE", help="sign your section of a policy instead")
@click.option("--store", metavar="FILE", help="the store that the policy is for")
@diagnostics_option
def command(request: str | None, policy: str | None, diagnostics: str, **settings: Any) -> None:
    """Show what REQUEST would do to your variables, and sign it.

    The signature covers all that is shown, by the hash on the last line.
    """
    if (request is None) == (policy is None):
        raise click.UsageError("give a request file, or --policy FILE")
    if policy is not None:
        with reporting(diagnostics):
            _sign_policy(policy, settings)
        return
    assert request is not None
    from headwater.langs.opal.runtime.statements import iso

    try:
        ends = until(settings["expires"])
    except ValueError:
        raise click.UsageError(
            visible(f"{settings['expires']} is not a time such as 2027-01-01T00:00:00Z")
        ) from None
    with reporting(diagnostics):
        asked = read_asked(request)
        key = signer_of(settings["key"])
        signer = settings["signer"] or key.name
        signed = f"as {name(signer)} until {iso(ends)}"
        _agree(list(asked_lines(asked, signed)), asked.hash, settings)
        out = settings["out"]
        target = Path(out) if out is not None else _beside(request)
        expires = endorse(asked, key, signer, ends, target)
    say(f"signed until {expires}: {target}")


def _sign_policy(policy: str, settings: dict[str, Any]) -> None:
    from headwater.store.records import sha256

    key = signer_of(settings["key"])
    domain, store = read_domain(policy, settings["signer"] or key.name, settings["store"])
    hash = sha256(domain.signed_text(store))
    _agree(list(policy_lines(domain, store, hash)), hash, settings)
    path = sign_domain(policy, domain, store, key)
    say(f"signed what {policy} says for {domain.node}: {path}")


def _agree(lines: Sequence[str], hash: str, settings: dict[str, Any]) -> None:
    """Shows what is to be signed, and goes on only if somebody says yes to that."""
    show_to, given = settings["show_to"], settings["yes_to"]
    if show_to is None:
        page(lines)
    else:
        from headwater.langs.opal.runtime.documents import write_whole

        with problems():
            write_whole(Path(show_to), "".join(f"{visible(line)}\n" for line in lines))
        say(f"written to {show_to}")
        say(lines[-1])
    if given is not None:
        agreed(hash, given)
    elif not (sys.stdin.isatty() and sys.stdout.isatty()):
        from headwater.langs.opal.runtime.codes import UNSEEN

        at = Source("(endorse)", "").span(0, 0)
        raise Problem(UNSEEN.at(at, help=f"read what is shown, then sign with --yes-to {hash}"))
    elif not click.confirm("sign it?", default=False, err=True):
        say("not signed", err=True)
        sys.exit(1)


def _beside(request: str) -> Path:
    return Path(f"{request.removesuffix('.request.json')}.endorsement.json")
