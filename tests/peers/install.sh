#!/bin/sh
# Installs the peers that differential tests compare with, as far as this machine allows it:
# real Puppet, hiera-eyaml and sixty of the modules that Debian packages.  Never fails: a peer that is
# missing makes its tests skip with a visible reason.
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "peers: not root or no apt-get; tests against real Puppet will be skipped"
    exit 0
fi
if [ -f /usr/share/puppet/modules.available/.headwater-peers-2 ]; then
    exit 0
fi
export DEBIAN_FRONTEND=noninteractive
modules=$(apt-cache search --names-only '^puppet-module-' | cut -d' ' -f1 | sort | head -n 62)
if [ -z "$modules" ]; then
    apt-get update -q >/dev/null 2>&1
    modules=$(apt-cache search --names-only '^puppet-module-' | cut -d' ' -f1 | sort | head -n 62)
fi
# shellcheck disable=SC2086 # one word per package
if apt-get install -y -q puppet-agent hiera-eyaml $modules >/dev/null 2>&1; then
    touch /usr/share/puppet/modules.available/.headwater-peers-2
    echo "peers: real Puppet and its modules are installed"
else
    echo "peers: apt-get could not install them; tests against real Puppet will be skipped"
fi
exit 0
