package import Apod
package import Files

/// Days that have the same.
extension Catalog {
    /// Of each of these contents, the days that have a file of it.
    package func days(having contents: [Digest]) throws(StorageError) -> [Digest: [Day]] {
        var days: [Digest: [Day]] = [:]
        for content in contents {
            days[content] = try all("SELECT day FROM file WHERE sha256 = ?", .blob(content.bytes)) { $0.day }
                .compactMap(\.self)
        }
        return days
    }
}
