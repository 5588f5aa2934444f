"""``headwater endorse``"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from headwater.ask.durable import endorse, endorse_policy, read_asked
from headwater.cli.durable import asked_lines, diagnostics_option, reporting


@click.command("endorse")
@click.argument("request", required=False)
@click.option("--key", required=True, metavar="FILE", help="your private key")
@click.option("--as", "signer", metavar="NAME", help="who you are (default: the key's name)")
@click.option("--expires", metavar="TIME", help="when it ends, such as 2027-01-01T00:00:00Z")
@click.option("--out", metavar="FILE", help="where to write the endorsement")
@click.option("--yes", is_flag=True, help="sign without asking back")
@click.option("--policy", metavar="FILE", help="sign your section of a policy instead")
@diagnostics_option
def command(
    request: str | None,
    key: str,
    signer: str | None,
    expires: str | None,
    out: str | None,
    policy: str | None,
    diagnostics: str,
    *,
    yes: bool,
) -> None:
    """Show what REQUEST would do to your variables, and sign it.

    The signature covers the values that are shown.
    """
    if (request is None) == (policy is None):
        raise click.UsageError("give a request file, or --policy FILE")
    if policy is not None:
        with reporting(diagnostics):
            from headwater.ask.keys import public_key

            node = signer or public_key(key).name
            path = endorse_policy(policy, node, key)
        click.echo(f"signed what {policy} says for {node}: {path}")
        return
    assert request is not None
    if expires is not None:
        from headwater.langs.opal.runtime.statements import parse_time

        try:
            parse_time(expires)
        except ValueError:
            raise click.UsageError(
                f"{expires} is not a time such as 2027-01-01T00:00:00Z"
            ) from None
    with reporting(diagnostics):
        asked = read_asked(request)
        for line in asked_lines(asked):
            click.echo(line)
        if not yes and not click.confirm("sign it?", default=False, err=True):
            click.echo("not signed", err=True)
            sys.exit(1)
        target = Path(out) if out is not None else _beside(request)
        until = endorse(asked, key, signer, expires, target)
    click.echo(f"signed until {until}: {target}")


def _beside(request: str) -> Path:
    name = request.removesuffix(".request.json")
    return Path(f"{name}.endorsement.json")
