internal import Apod
package import Files
import Synchronization

/// What links say that have led out of the mirror, for the time when their ends are away.
extension Catalog {
    /// More are not remembered, and links that are not known are somebody's own from then on.
    static let mostElsewhere = 500_000

    package func ledElsewhere(_ target: [UInt8]) throws(StorageError) -> Bool {
        try first("SELECT 1 FROM led_elsewhere WHERE target = ?", Self.stored(target)) { _ in true } ?? false
    }

    /// From then on, whether their links stay or go.
    package func noteElsewhere(_ targets: [[UInt8]]) throws(StorageError) {
        if targets.isEmpty { return }
        try database.withLock { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                for target in targets {
                    try database.run(
                        """
                        INSERT OR IGNORE INTO led_elsewhere (target)
                            SELECT ? WHERE coalesce((SELECT max(number) FROM led_elsewhere), 0) < ?
                        """, Self.stored(target), .integer(Self.mostElsewhere))
                }
            }
        }
    }

    /// Texts may be long, and there may be very many.
    private static func stored(_ target: [UInt8]) -> Database.Value { .blob(Digest(of: target).bytes) }

    /// Whether a link may have led out of the mirror though that is not remembered: the catalog was made anew, or is an older
    /// one, and not all links have been looked at since; or there were too many.
    package var isForgetful: Bool {
        get throws(StorageError) {
            if try fact(.forgetful) == 1 { return true }
            return try first("SELECT max(number) FROM led_elsewhere") { $0.integer(0) ?? 0 } ?? 0 >= Self.mostElsewhere
        }
    }

    /// All links have been looked at.
    package func noteAllSeen() throws(StorageError) {
        if try fact(.forgetful) != 0 { try setFact(.forgetful, 0) }
    }

    /// The mirror is there now.
    package func noteRoot(_ path: String) throws(StorageError) {
        let path = Array(path.utf8)
        if try isRoot(path) { return }
        try database.withLock { database throws(StorageError) in
            try database.run("INSERT OR IGNORE INTO root VALUES (?)", .blob(path))
        }
    }

    /// Whether the mirror is there, or was before.
    package func isRoot(_ path: [UInt8]) throws(StorageError) -> Bool {
        try first("SELECT 1 FROM root WHERE path = ?", .blob(path)) { _ in true } ?? false
    }
}
