# shellcheck shell=bash
# What building needs and this machine lacks: found, and installed with apt-get; and what builds. For systemd/try,
# systemd/install, systemd/package and Tests/prepare.

say() { echo "$*" >&2; }

# lack PACKAGE COMMAND…: the package is missing when the command, which looks for what it brings, fails.
missing=()
lack() { "${@:2}" >/dev/null 2>&1 || missing+=("$1"); }

lack_for_building() {
    lack pkg-config command -v pkg-config
    lack libcurl4-openssl-dev pkg-config --exists libcurl
    lack libsqlite3-dev pkg-config --exists sqlite3
    lack libsystemd-dev pkg-config --exists libsystemd
    lack libxml2-dev pkg-config --exists libxml-2.0
    lack libvips-dev pkg-config --exists vips
    lack libssl-dev pkg-config --exists libcrypto
    lack libmicrohttpd-dev pkg-config --exists libmicrohttpd
    lack zlib1g-dev pkg-config --exists zlib
    # It has no description for pkg-config.
    lack libinotifytools0-dev test -e /usr/include/inotifytools/inotifytools.h
    lack ca-certificates test -e /etc/ssl/certs/ca-certificates.crt
    lack tzdata test -e /usr/share/zoneinfo/America/New_York
}

lack_for_packing() {
    lack_for_building
    lack dpkg-dev command -v dpkg-shlibdeps
}

# What apt would install for them, where its lists tell.
size_of_missing() {
    LC_ALL=C apt-get install --assume-no --no-install-recommends -o Debug::NoLocking=1 "${missing[@]}" 2>/dev/null |
        sed -n 's/.* \([0-9]*\) newly.*/ (\1 with what they need,/p; s/^Need to get \(.*\) of.*/\1 to fetch,/p
            s/^After this operation, \(.*\) of.*/\1 on disk)/p' | paste -sd ' '
}

# propose FIND WHY MOST: says what the command FIND finds to be missing, and how much that is, or at most is where apt's lists
# do not tell; and asks who sits at a terminal. Fails where that person does not want it.
propose() {
    local answer='' size
    missing=()
    "$1"
    [ ${#missing[@]} -gt 0 ] || return 0
    size=$(size_of_missing)
    say "$2: ${missing[*]}${size:- (with what they need, at most $3)}"
    [ -t 0 ] && [ -z "${CI:-}" ] || return 0
    read -r -p "Install them$([ "$(id -u)" = 0 ] || echo " with sudo")? [Y/n] " answer && [[ $answer != [nN]* ]] ||
        { say "Nothing was installed."; return 1; }
}

# install_missing FIND: installs what the command FIND finds to be missing, and says what cannot be had.
install_missing() {
    missing=()
    "$1"
    [ ${#missing[@]} -gt 0 ] || return 0
    if command -v apt-get >/dev/null; then
        say "installing ${missing[*]}"
        # What failed shows in what is still missing.
        { apt update; apt install -y --no-install-recommends "${missing[@]}"; } || :
        missing=()
        "$1"
    fi
    [ ${#missing[@]} -eq 0 ] || { say "please install, by the names of Debian: ${missing[*]}"; return 1; }
}

apt() {
    local sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >&2
}

# swift_is_recent COMMAND…: what runs Swift, as the person who builds.
swift_is_recent() {
    local version
    version=$("$@" --version 2>/dev/null | grep -oE 'Swift version [0-9]+\.[0-9]+') || return 1
    version=${version##* }
    [ "${version%.*}" -gt 6 ] || { [ "${version%.*}" -eq 6 ] && [ "${version#*.}" -ge 2 ]; }
}

require_swift() {
    local words
    ! swift_is_recent "$@" || return 0
    words=$("$@" --version 2>&1) || :
    # As on a machine where it was only unpacked.
    if [[ $words == *"cannot open shared object"* ]]; then
        say "$(grep -m 1 "cannot open shared object" <<<"$words")"
        say "Swift is there, and lacks what it needs: sudo apt install g++ libcurl4 libncurses6 libsqlite3-0 libxml2"
    else
        say "Swift 6.2 or newer is needed: https://www.swift.org/install/linux/"
    fi
    return 1
}

# build_programs PRODUCT…, as they are installed. The same flags in a terminal and in a pipe: with other flags, all is
# compiled again.
build_programs() {
    local product place
    place=$(dirname "${BASH_SOURCE[0]}")/..
    for product in "$@"; do
        swift build --package-path "$place" --scratch-path "$place/.build/install" -c release --static-swift-stdlib \
            --no-color-diagnostics --product "$product" >&2 || return
    done
}
