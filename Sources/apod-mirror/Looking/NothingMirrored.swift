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
    let name = Text.shown(root)
    if access(root, F_OK) != 0 {
        Terminal.complain("there is no \(name); `apod-mirror sync` makes it. \(elsewhere)")
    } else if KnownRoots.isMirror(root) {
        Terminal.complain(
            "there is no catalog of a mirror in \(name) yet; `apod-mirror sync` makes it from what is there")
    } else if let others = WrongRoot.otherThings(in: root) {
        Terminal.complain(others)
    } else {
        Terminal.complain("there is no mirror in \(name); `apod-mirror sync` begins one there. \(elsewhere)")
    }
    return .incomplete
}
