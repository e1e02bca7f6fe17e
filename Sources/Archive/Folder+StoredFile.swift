internal import Apod
internal import Catalog
internal import Files

extension Folder {
    /// Whether a day's file is intact, judged by its size or, `byContent`, by its SHA-256.
    func has(_ stored: StoredFile, as name: FileName, byContent: Bool = false) throws(StorageError) -> Bool {
        let name = name.with(stored.type.suffix)
        guard let facts = try facts(of: name), facts.isRegular, facts.bytes == stored.bytes else { return false }
        guard byContent else { return true }
        // A file that cannot be read is not intact.
        guard let file = try? file(name), let digest = try? Digest(of: file) else { return false }
        return digest == stored.sha256
    }
}
