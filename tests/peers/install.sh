#!/bin/sh
# Installs the peers that differential tests compare with, as far as this machine allows it: real
# Puppet 7, hiera-eyaml and every module that Debian packages, octocatalog-diff, PostgreSQL, and Puppet 8,
# which is only unpacked into a folder.  Never fails: a peer that is missing makes its tests skip with a visible reason.
PEERS="${HEADWATER_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/headwater-peers}"

install_7() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        echo "peers: not root or no apt-get; tests against real Puppet will be skipped"
        return
    fi
    if [ -f /usr/share/puppet/modules.available/.headwater-peers-3 ]; then
        return
    fi
    export DEBIAN_FRONTEND=noninteractive
    modules=$(apt-cache search --names-only '^puppet-module-' | cut -d' ' -f1 | sort)
    if [ -z "$modules" ]; then
        apt-get update -q >/dev/null 2>&1
        modules=$(apt-cache search --names-only '^puppet-module-' | cut -d' ' -f1 | sort)
    fi
    # shellcheck disable=SC2086 # one word per package
    if apt-get install -y -q puppet-agent hiera-eyaml $modules >/dev/null 2>&1; then
        touch /usr/share/puppet/modules.available/.headwater-peers-3
        echo "peers: real Puppet and its modules are installed"
    else
        echo "peers: apt-get could not install them; tests against real Puppet will be skipped"
    fi
}

# Puppet 8.10 is a package of Debian 13.  It is fetched from where this machine gets its packages,
# by an apt-get with lists of its own, and never installed.
unpack_8() {
    if [ -d "$PEERS/puppet8/usr/lib/ruby/vendor_ruby/puppet" ]; then
        return
    fi
    if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-deb >/dev/null 2>&1; then
        echo "peers: no apt-get; tests against Puppet 8 will be skipped"
        return
    fi
    site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' | head -n 1)
    work=$(mktemp -d)
    mkdir -p "$work/lists/partial" "$work/archives/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site trixie main" >"$work/sources"
    own="-q -o Dir::Etc::sourcelist=$work/sources -o Dir::Etc::sourceparts=- -o Dir::State::lists=$work/lists"
    own="$own -o Dir::Cache=$work -o APT::Sandbox::User=$(id -un)"
    # shellcheck disable=SC2086 # one word per option
    if [ -n "$site" ] && apt-get $own update >/dev/null 2>&1 &&
        (cd "$work" && apt-get $own download puppet-agent >/dev/null 2>&1) &&
        mkdir -p "$PEERS" && dpkg-deb -x "$work"/puppet-agent_8*.deb "$work/puppet8" &&
        mv "$work/puppet8" "$PEERS/puppet8"; then
        echo "peers: Puppet 8 is unpacked"
    else
        echo "peers: Puppet 8 could not be fetched; tests against it will be skipped"
    fi
    rm -rf "$work"
}

# For the fleet: another tool that compares catalogs, and a server to keep results in.
install_others() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        return
    fi
    for each in octocatalog-diff postgresql; do
        if ! dpkg -s "$each" >/dev/null 2>&1; then
            DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$each" >/dev/null 2>&1 ||
                echo "peers: apt-get could not install $each; its tests will be skipped"
        fi
    done
}

install_7
unpack_8
install_others
exit 0
