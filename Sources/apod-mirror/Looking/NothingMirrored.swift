import Apod
import Archive
import Glibc

/// Says why there is no mirror in `root`, often a wrong setting. Always returns `.incomplete`.
func nothingMirrored(in root: String, state: String? = nil) -> ExitStatus {
    do throws(ArchiveError) { try Archive.checkVisible(root: root, state: state) } catch {
        Terminal.complain(error.told(in: root))
        return .incomplete
    }
    if KnownRoots(environment: Environment.current).haveLost(root) {
        Terminal.complain(ArchiveError.away(root: root).told(in: root))
        return .incomplete
    }
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
