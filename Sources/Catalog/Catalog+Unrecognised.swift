internal import Apod
package import Files

/// Things in the favorites folder that are not recognised: the first are listed, the others only counted.
extension Catalog {
    package static let mostUnrecognised = 1000
    /// So many more are remembered of links that lead elsewhere, and say what a link to a picture may say.
    package static let mostUnlistedLinks = 10_000

    /// How many more can be listed. Less than none where more links are remembered.
    package func roomForUnrecognised() throws(StorageError) -> Int {
        Self.mostUnrecognised - (try count("SELECT count(*) FROM link WHERE day IS NULL"))
    }

    /// How many things in the folder are listed, recognised or not.
    package func listed() throws(StorageError) -> Int { try count("SELECT count(*) FROM link") }

    private func count(_ sql: String) throws(StorageError) -> Int {
        try first(sql) { $0.integer(0) ?? 0 } ?? 0
    }
}
