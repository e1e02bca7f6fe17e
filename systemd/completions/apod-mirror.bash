# shellcheck shell=bash
# Completion of apod-mirror's command line in bash.

_apod_mirror() {
    local commands="run sync status favorites search show open revert verify prune thumbnails serve config help"
    local place="--root --state --config --help"
    local fetching="--since --upstream --pictures --videos --max-file --rate --connections --recheck-days --contact"
    local settings="$place $fetching --keep --max-total --gallery --thumbnails --sidecars --web-favorites --web-names"
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command
    # Bash takes `--root=/srv` for three words.
    if [ "$current" = = ]; then
        current=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    _apod_mirror_value "$before" && return
    command=$(_apod_mirror_command "$commands")
    case $command:$current in
        :-*) _apod_mirror_among "$settings --version" ;;
        :*) _apod_mirror_among "$commands" ;;
        sync:-*) _apod_mirror_among "$place $fetching --until" ;;
        status:-* | show:-* | thumbnails:-*) _apod_mirror_among "$place --json" ;;
        favorites:-*) _apod_mirror_among "$place --album --since --paths --json" ;;
        search:-*) _apod_mirror_among "$place --paths --json" ;;
        config:-*) _apod_mirror_among "$settings --check" ;;
        prune:-*) _apod_mirror_among "$place --keep --max-total --dry-run" ;;
        verify:-*) _apod_mirror_among "$place --repair --json" ;;
        serve:-*) _apod_mirror_among "$place --web-names --listen --allow" ;;
        run:-*) _apod_mirror_among "$settings" ;;
        *:-*) _apod_mirror_among "$place" ;;
        sync:* | revert:* | thumbnails:*) _apod_mirror_days ;;
        favorites:*) _apod_mirror_favorites "$before" ;;
        show:* | open:*) _apod_mirror_days latest ;;
        help:*) _apod_mirror_among "${commands% help} settings" ;;
    esac
}

# The first word that is one of the commands.
_apod_mirror_command() {
    local word
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ " $1 " != *" $word "* ]] || { echo "$word"; return; }
    done
}

# The value of an option; fails if the option takes none.
_apod_mirror_value() {
    case $1 in
        --root | --state) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
        --config) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        --since) _apod_mirror_days 1995-06-16 ;;
        --until) _apod_mirror_days ;;
        --pictures) _apod_mirror_among "original screen" ;;
        --videos) _apod_mirror_among "yes poster" ;;
        --gallery | --thumbnails | --sidecars | --web-favorites) _apod_mirror_among "yes no" ;;
        --keep) _apod_mirror_among "forever 90d 12m 5y" ;;
        --contact | --web-names) _apod_mirror_among "none" ;;
        --max-total) _apod_mirror_among "none 20G" ;;
        --upstream | --max-file | --rate | --connections | --recheck-days) ;;
        *) return 1 ;;
    esac
}

_apod_mirror_favorites() {
    case $1 in
        favorites) _apod_mirror_among "list add remove restore history" ;;
        list | history) ;;
        *)
            compopt -o filenames
            mapfile -t COMPREPLY < <(
                compgen -W "latest $(apod-mirror favorites list 2>/dev/null | cut -d ' ' -f 1)" -- "$current"
                [[ " ${COMP_WORDS[*]} " == *" remove "* ]] || compgen -f -- "$current")
            ;;
    esac
}

# The last days, and those that are given.
_apod_mirror_days() {
    local age days=$*
    for age in {0..30}; do days+=" $(date -d "$age days ago" +%F)"; done
    _apod_mirror_among "$days"
}

_apod_mirror_among() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }

complete -F _apod_mirror apod-mirror
