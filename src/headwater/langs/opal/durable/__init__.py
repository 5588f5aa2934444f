"""How programs of Opal run over a durable store: the facet that `ask` talks to."""

from __future__ import annotations

from headwater.langs.opal.durable import keys, running, signing


class DurableOpal:
    """The runtime of Opal; satisfies `headwater.langs.durable.Durable`."""

    run = staticmethod(running.run_program)
    commit_world = staticmethod(running.commit_world)
    drop_world = staticmethod(running.drop_world)
    worlds = staticmethod(running.list_worlds)
    show_world = staticmethod(running.show_world)

    log = staticmethod(running.log)
    values = staticmethod(running.values)
    verify = staticmethod(running.verify_store)
    backup = staticmethod(running.backup_store)
    history = staticmethod(running.explain_stored)

    read_head = staticmethod(running.read_head)
    show = staticmethod(running.show_data)
    lines = staticmethod(running.value_lines)

    read_request = staticmethod(signing.read_asked)
    read_key = staticmethod(signing.signer_of)
    until = staticmethod(signing.until)
    agreed = staticmethod(signing.agreed)
    unseen = staticmethod(signing.unseen)
    endorse = staticmethod(signing.endorse)
    read_section = staticmethod(signing.read_section)
    sign_section = staticmethod(signing.sign_section)
    write_text = staticmethod(signing.write_text)

    make_key = staticmethod(keys.make_key)
    public_line = staticmethod(keys.public_line)
    change_keys = staticmethod(keys.change)
    trusted = staticmethod(keys.trusted)


DURABLE = DurableOpal()
