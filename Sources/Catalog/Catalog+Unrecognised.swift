internal import Apod
package import Files

/// Things in the favorites folder that are not recognised: the first are listed, the others only counted.
extension Catalog {
    package static let mostUnrecognised = 1000

    /// How many more can be listed.
    package func roomForUnrecognised() throws(StorageError) -> Int {
        Self.mostUnrecognised - (try count("SELECT count(*) FROM link WHERE day IS NULL"))
    }

    /// How many things in the folder are listed, recognised or not.
    package func listed() throws(StorageError) -> Int { try count("SELECT count(*) FROM link") }

    private func count(_ sql: String) throws(StorageError) -> Int {
        try first(sql) { $0.integer(0) ?? 0 } ?? 0
    }
}
