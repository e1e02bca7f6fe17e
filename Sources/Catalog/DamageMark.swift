import Glibc

/// A file beside a catalog in which damage was found: the next writer sets the catalog aside.
package enum DamageMark {
    package static func path(beside catalog: String) -> String { catalog + ".suspect" }

    package static func isSet(beside catalog: String) -> Bool { access(path(beside: catalog), F_OK) == 0 }

    static func set(beside catalog: String) {
        close(open(path(beside: catalog), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
    }
}
