internal import Apod
internal import Catalog
internal import Files

extension Folder {
    /// One of a day's files, as it was: by its size or, `byContent`, to the last byte.
    func has(_ stored: StoredFile, as name: FileName, byContent: Bool = false) throws(StorageError) -> Bool {
        let name = name.with(stored.type.suffix)
        guard let facts = try facts(of: name), facts.isRegular, facts.bytes == stored.bytes else { return false }
        guard byContent else { return true }
        // What cannot be read is not good.
        guard let file = try? file(name), let digest = try? Digest(of: file) else { return false }
        return digest == stored.sha256
    }
}
