package import Apod
package import Files

extension Catalog {
    /// The days that have a file with these bytes.
    package func days(having content: Digest) throws(StorageError) -> [Day] {
        try all("SELECT day FROM file WHERE sha256 = ?", .blob(content.bytes)) { $0.day }.compactMap(\.self)
    }
}
