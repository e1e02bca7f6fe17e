# shellcheck shell=bash
# Completion of apod-mirror's command line in bash, by what `apod-mirror help` says.

_apod_mirror() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command action help settings
    # Bash takes `--root=/srv` for three words.
    if [ "$current" = = ]; then
        current=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    command=$(_apod_mirror_given "$(apod-mirror help 2>/dev/null)")
    help=$(apod-mirror help ${command:+"$command"} 2>/dev/null)
    # Such as `add` of `favorites`.
    action=${command:+$(_apod_mirror_given "$help")}
    [ -z "$action" ] || help=$(apod-mirror help "$command" "$action" 2>/dev/null)
    settings=$(apod-mirror help settings 2>/dev/null)
    _apod_mirror_value "$before" && return
    case $command:$current in
        :-*) _apod_mirror_among "$(_apod_mirror_options "$settings") --help --version" ;;
        :*) _apod_mirror_among "$(_apod_mirror_names "$help")" ;;
        help:*) _apod_mirror_among "$(_apod_mirror_names "$(apod-mirror help)") settings" ;;
        *:-*)
            [[ $help != *"Every setting is an option"* ]] || help+=$settings
            _apod_mirror_among "$(_apod_mirror_options "$help") --help"
            ;;
        favorites:*) _apod_mirror_favorites ;;
        show:* | open:*) _apod_mirror_days latest ;;
        sync:* | revert:* | thumbnails:*) _apod_mirror_days ;;
    esac
}

# The first word of the line that a help text explains.
_apod_mirror_given() {
    local word names
    names=$(_apod_mirror_names "$1")
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $'\n'$names$'\n' != *$'\n'"$word"$'\n'* ]] || { echo "$word"; return; }
    done
}

# The words that a help text explains, and the options that it names.
_apod_mirror_names() { sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' <<<"$1"; }
_apod_mirror_options() { grep -o -e '--[a-z][a-z-]*' <<<"$1"; }

# The value of an option; fails if the option takes none.
_apod_mirror_value() {
    local value
    [[ $1 == --* ]] || return
    value=$(sed -n "s/^  $1 \([^ ]\{1,\}\).*/\1/p" <<<"$help"$'\n'"$settings" | tail -n 1)
    case $value in
        "") return 1 ;;
        FOLDER) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
        FILE) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        DATE | TIME) _apod_mirror_days 1995-06-16 ;;
        NAME) [ "$1" != --list ] || _apod_mirror_among "$(_apod_mirror_lists)" ;;
        *) _apod_mirror_among "$(tr '|' '\n' <<<"$value" | grep '[a-z]')" ;;
    esac
}

# Lists that the settings name; for `prune`, those that are here beside them.
_apod_mirror_lists() {
    local named
    named=$(apod-mirror config 2>/dev/null | sed -n 's/^list\.\([^. ]*\) = .*/\1/p')
    [ "$command" = prune ] || { echo "$named"; return; }
    apod-mirror status 2>/dev/null | sed -n 's/^list \([^ ]*\) .*/\1/p' | grep -vxFf <(echo "${named:-none}")
}

_apod_mirror_favorites() {
    local favorites
    favorites=$(apod-mirror favorites list 2>/dev/null | sed -n 's/^\([0-9-]*\)  .*/\1/p')
    case $action in
        "") _apod_mirror_among "$(_apod_mirror_names "$help")" ;;
        remove) _apod_mirror_among "latest $favorites" ;;
        add) _apod_mirror_others "latest"$'\n'"$(_apod_mirror_last)" ;;
        restore)
            _apod_mirror_others "$(apod-mirror favorites history 2>/dev/null |
                sed -n 's/^.\{16\}  went  *\([0-9-]*\)  .*/\1/p' | sort -u)"
            ;;
    esac
}

# Those of some days that are no favorites, and files.
_apod_mirror_others() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(
        compgen -W "$(grep -vxFf <(echo "${favorites:-none}") <<<"$1")" -- "$current"
        compgen -f -- "$current")
}

# The last days.
_apod_mirror_last() {
    local age
    for age in {0..30}; do date -d "$age days ago" +%F; done
}

# The last days, and those that are given.
_apod_mirror_days() { _apod_mirror_among "$* $(_apod_mirror_last)"; }

_apod_mirror_among() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }

complete -F _apod_mirror apod-mirror
