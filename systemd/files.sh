# shellcheck shell=bash
# The files that are installed, and where.

# Sets units, settings and fish, and the prefix: that of what is installed already, unless there is none.
find_places() {
    local usual=/usr/local installed
    units=/etc/systemd/system settings=/etc/apod-mirror.conf fish=/etc/fish/completions
    if [ $scope = user ]; then
        local configuration=${XDG_CONFIG_HOME:-$HOME/.config}
        usual=$HOME/.local
        units=$configuration/systemd/user settings=$configuration/apod-mirror.conf
        fish=${XDG_DATA_HOME:-$HOME/.local/share}/fish/vendor_completions.d
    fi
    unit=$units/apod-mirror.service
    additions=$unit.d/folders.conf
    installed=$(sed -n 's|^ExecStart=\(.*\)/bin/apod-mirror run.*$|\1|p' "$unit" 2>/dev/null || :)
    [ -z "$prefix" ] || [ "${installed:-$prefix}" = "$prefix" ] ||
        die "It is installed in $installed. Leave out --prefix, or run \`$installer --uninstall\` first."
    prefix=${prefix:-${installed:-$usual}}
    [ $scope = user ] || [ $action = uninstall ] || [[ $prefix/ != @(/home|/root|/tmp|/var/tmp|/run|/dev)/* ]] ||
        mistake "--prefix takes no folder that is hidden from the service: $prefix"
    # Which of the folders of these files were made for them.
    made=$prefix/share/apod-mirror/folders
}

# Fails before anything is done.
check_places() {
    for_each_file check_place
    check_place 644 "" "$unit"
    check_place 644 "" "$settings"
}

# check_place MODE SOURCE TARGET: whether it can be written.
check_place() {
    local folder
    folder=$(dirname -- "$3")
    while [ ! -e "$folder" ]; do folder=$(dirname -- "$folder"); done
    privileged test -d "$folder" -a -w "$folder" ||
        die "$3 cannot be written: $folder is read-only, not yours, or no folder. --prefix names another place."
}

# for_each_file COMMAND: runs it with the mode, the source and the target of each.
for_each_file() {
    "$1" 755 "${program:-}" "$prefix/bin/apod-mirror"
    "$1" 755 "${program:+${program%/*}/apod-thumbnailer}" "$prefix/libexec/apod-mirror/apod-thumbnailer"
    "$1" 644 "$here/apod-mirror.1" "$prefix/share/man/man1/apod-mirror.1"
    "$1" 644 "$here/completions/apod-mirror.bash" "$prefix/share/bash-completion/completions/apod-mirror"
    "$1" 644 "$here/completions/_apod-mirror" "$prefix/share/zsh/site-functions/_apod-mirror"
    "$1" 644 "$here/completions/apod-mirror.fish" "$fish/apod-mirror.fish"
    [ $scope = user ] || "$1" 644 "$here/sysusers.conf" /etc/sysusers.d/apod-mirror.conf
}

install_files() {
    local folder=$here folders
    folders=$(cat "$made" 2>/dev/null || :; for_each_file missing_folders; missing_folders 644 "" "$made"
        missing_folders 644 "" "$unit")
    sort -u <<<"$folders" | put "$made"
    for_each_file place
    [ $scope = system ] || folder=$here/user
    write_unit <"$folder/apod-mirror.service" | put "$unit"
}

# With this prefix, and with pauses that grow where systemd can have them grow.
write_unit() {
    local growth=
    [ "$(systemd_version)" -lt 254 ] || growth='/^RestartSec=/a RestartSteps=8\nRestartMaxDelaySec=10min'
    sed -e "s|^\(Exec[A-Za-z]*\)=.*/bin/apod-mirror |\1=$prefix/bin/apod-mirror |" -e "$growth"
}

systemd_version() {
    local version=
    version=$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p') || :
    echo "${version:-0}"
}

# place MODE SOURCE TARGET: there is no moment without a whole file.
place() {
    privileged install -D -m "$1" -- "$2" "$3.new"
    privileged mv -f -- "$3.new" "$3"
}

# put TARGET: the same with standard input.
put() {
    privileged install -D -m 644 /dev/stdin "$1.new"
    privileged mv -f -- "$1.new" "$1"
}

# missing_folders MODE SOURCE TARGET: those that are made with it.
missing_folders() {
    local folder
    folder=$(dirname "$3")
    while [ ! -d "$folder" ]; do
        echo "$folder"
        folder=$(dirname "$folder")
    done
}

remove() { privileged rm -f -- "$3"; }

# Those in others first.
remove_folders() {
    local folder folders=()
    [ ! -e "$made" ] || mapfile -t folders < <(sort -r "$made")
    privileged rm -f -- "$made"
    for folder in "${folders[@]}"; do
        [ ! -d "$folder" ] || privileged rmdir --ignore-fail-on-non-empty -- "$folder"
    done
}

remove_files() {
    for_each_file remove
    privileged rm -f -- "$unit" "$additions"
    [ $scope = user ] || privileged rm -f /etc/tmpfiles.d/apod-mirror.conf
    [ ! -d "$unit.d" ] || privileged rmdir --ignore-fail-on-non-empty -- "$unit.d"
    remove_folders
}
