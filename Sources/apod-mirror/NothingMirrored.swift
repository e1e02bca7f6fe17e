import Apod
import Archive
import Glibc

/// A folder in which nothing was ever mirrored is a mistake more often than not.
func nothingMirrored(in root: String) -> ExitStatus {
    if KnownRoots(environment: Environment.current).haveLost(root) {
        Terminal.complain("\(ArchiveError.away(root: root))")
        return .incomplete
    }
    let root = Text.shown(root)
    if access(root, F_OK) == 0 {
        Terminal.complain(
            "there is no catalog of a mirror in \(root) yet; `apod-mirror sync` makes it from what is there")
    } else {
        Terminal.complain(
            "there is no \(root); `apod-mirror sync` makes it. If the mirror is elsewhere, set `root` to where it is")
    }
    return .incomplete
}
