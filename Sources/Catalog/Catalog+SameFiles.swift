package import Apod
package import Files

/// Days that have the same file.
extension Catalog {
    /// `unlessFrom`: files from this address do not count.
    package func days(having content: Digest, unlessFrom address: WebAddress? = nil) throws(StorageError) -> [Day] {
        try all(
            "SELECT day FROM file WHERE sha256 = ? AND address IS NOT ?", .blob(content.bytes),
            .optional(address?.description)
        ) { $0.day }.compactMap(\.self)
    }
}
