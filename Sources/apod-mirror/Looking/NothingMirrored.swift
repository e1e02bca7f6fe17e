import Apod
import Archive
import Configuration
import Glibc

/// Says why there is no mirror in the root, often a wrong setting. Returns `.incomplete`, or throws.
func nothingMirrored(in settings: Settings) throws(ArchiveError) -> ExitStatus {
    let root = settings.root
    try Archive.checkVisible(root: root, state: settings.state)
    if KnownRoots(environment: Environment.current).haveLost(root) { throw .away(root: root) }
    let elsewhere = "If the mirror is elsewhere, set `root` to where it is"
    let (name, advice) = (Text.shown(root), ServiceAdvice(root))
    let service = advice.isSystems || advice.isAnothers ? "the service, when it runs: \(advice.start)" : nil
    let lack =
        if access(root, F_OK) != 0 {
            advice.isSystems
                ? "there is no \(name); mount its disk, or correct `root` in \(Configuration.everybodys), then: \(advice.moving)"
                : "there is no \(name); `apod-mirror sync` makes it. \(elsewhere)"
        } else if KnownRoots.isMirror(root), settings.isServed {
            """
            there is no catalog in \(name) now; the service makes a new one from the files when it looks there next. \
            To have it look at once: \(advice.restart)
            """
        } else if KnownRoots.isMirror(root) {
            "there is no catalog of a mirror in \(name) yet; it is made from what is there by \(service ?? "`apod-mirror sync`")"
        } else if let others = WrongRoot.otherThings(in: root) {
            others
        } else {
            "there is no mirror in \(name); one is begun there by \(service ?? "`apod-mirror sync`. \(elsewhere)")"
        }
    Terminal.complain(lack)
    return .incomplete
}
