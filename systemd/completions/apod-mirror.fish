# Completion of apod-mirror's command line in fish.

set -l commands run sync status favorites search show open revert verify prune thumbnails serve config help
set -l changes add remove restore

function __apod_mirror_days
    for age in (seq 0 30)
        date -d "$age days ago" +%F
    end
end

function __apod_mirror_favorites
    apod-mirror favorites list 2>/dev/null | string replace -r '^(\S+)  (.*)' '$1\t$2'
end

complete -c apod-mirror -f
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a run -d "the service, in the foreground"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a sync -d "fetch what is missing"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a status -d "what is there, and what is missing"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a favorites -d "list and change them"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a search -d "find days by words"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a show -d "the text and the files of a day"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a open -d "open the picture of a day"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a revert -d "bring back what a correction replaced"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a verify -d "check every file"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a prune -d "delete now what is not to be kept"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a thumbnails -d "make the smaller copies of pictures that are missing"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a serve -d "answer browsers and other programs on the web"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a config -d "the settings in force"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -a help -d "the options of a command"
complete -c apod-mirror -n "not __fish_seen_subcommand_from $commands" -l version -d "print the version"
complete -c apod-mirror -s h -l help -d "tell more"

complete -c apod-mirror -n "__fish_seen_subcommand_from help" -a "$commands settings"
complete -c apod-mirror -n "__fish_seen_subcommand_from show open" -a "latest (__apod_mirror_days)"
complete -c apod-mirror -n "__fish_seen_subcommand_from sync revert" -a "(__apod_mirror_days)"
complete -c apod-mirror -n "__fish_seen_subcommand_from sync" -l until -x -a "(__apod_mirror_days)" -d "the last day"
complete -c apod-mirror -n "__fish_seen_subcommand_from prune" -l dry-run -d "only tell what would be done"
complete -c apod-mirror -n "__fish_seen_subcommand_from status favorites search show verify thumbnails" -l json -d "for programs"
complete -c apod-mirror -n "__fish_seen_subcommand_from favorites search" -l paths -d "only the files"
complete -c apod-mirror -n "__fish_seen_subcommand_from add" -l album -x -d "the folder to add to"
complete -c apod-mirror -n "__fish_seen_subcommand_from serve" -l listen -x -d "where, like 127.0.0.1:8095"
complete -c apod-mirror -n "__fish_seen_subcommand_from serve" -l allow -x -d "a network to let in, like 203.0.113.0/24"
complete -c apod-mirror -n "__fish_seen_subcommand_from config" -l check -d "say what is wrong with them"
complete -c apod-mirror -n "__fish_seen_subcommand_from verify" -l repair -d "fetch again what is damaged"
complete -c apod-mirror -n "__fish_seen_subcommand_from favorites; and not __fish_seen_subcommand_from list history $changes" \
    -a "list history $changes"
complete -c apod-mirror -n "__fish_seen_subcommand_from favorites; and __fish_seen_subcommand_from $changes" \
    -a "latest (__apod_mirror_favorites)"
complete -c apod-mirror -n "__fish_seen_subcommand_from favorites; and __fish_seen_subcommand_from add restore" -F

set -l fetches "not __fish_seen_subcommand_from status search show open verify prune thumbnails serve favorites help"
set -l limits "not __fish_seen_subcommand_from sync status search show open verify thumbnails serve favorites help"
set -l others "not __fish_seen_subcommand_from sync status search show open verify prune thumbnails serve favorites help"
set -l names "not __fish_seen_subcommand_from sync status search show open verify prune thumbnails favorites help"

complete -c apod-mirror -l root -x -a "(__fish_complete_directories)" -d "where the pictures are"
complete -c apod-mirror -n "not __fish_seen_subcommand_from status search show open verify prune thumbnails serve help" -l since -x -a "1995-06-16 (__apod_mirror_days)" -d "the first day"
complete -c apod-mirror -n "$fetches" -l upstream -x -d "the server to mirror"
complete -c apod-mirror -n "$fetches" -l pictures -x -a "original screen" -d "as uploaded, or smaller"
complete -c apod-mirror -n "$fetches" -l videos -x -a "yes poster" -d "with the videos, or only a still"
complete -c apod-mirror -n "$fetches" -l max-file -x -d "larger files are left out"
complete -c apod-mirror -n "$limits" -l keep -x -a "forever 90d 12m 5y" -d "how long pictures are kept"
complete -c apod-mirror -n "$limits" -l max-total -x -a "none 20G" -d "how much all may take up"
complete -c apod-mirror -n "$fetches" -l rate -x -d "requests for JSON a second"
complete -c apod-mirror -n "$fetches" -l connections -x -d "pictures to fetch at once"
complete -c apod-mirror -n "$fetches" -l recheck-days -x -d "how many days before the newest are checked again"
complete -c apod-mirror -n "$others" -l gallery -x -a "yes no" -d "a gallery and a feed for browsers"
complete -c apod-mirror -n "$others" -l thumbnails -x -a "yes no" -d "smaller copies of pictures for file managers"
complete -c apod-mirror -n "$others" -l sidecars -x -a "yes no" -d "XMP files for photo programs"
complete -c apod-mirror -n "$others" -l web-favorites -x -a "yes no" -d "favorites can be changed on the web"
complete -c apod-mirror -n "$names" -l web-names -x -a none -d "further names of this machine"
complete -c apod-mirror -l state -x -a "(__fish_complete_directories)" -d "where the catalog is"
complete -c apod-mirror -n "$fetches" -l contact -x -a none -d "tells the upstream whom to write to"
complete -c apod-mirror -l config -r -F -d "read this file instead"
