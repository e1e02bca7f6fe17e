internal import Apod
package import Catalog
package import Files

extension Catalog {
    /// The albums in which the mirror could change nothing, with the last error codes (errno(3)).
    package func unwritable() throws(StorageError) -> [Album: Int32] {
        let albums = try condition(.unwritable)?.members ?? [:]
        return Dictionary(
            albums.compactMap { path, number in
                guard let album = Album(Array(path.utf8)), let number = number.integer else { return nil }
                return (album, Int32(clamping: number))
            }, uniquingKeysWith: { $1 })
    }

    /// Returns whether they are others than before. Names that are not UTF-8 become texts.
    func setUnwritable(_ albums: [Album: Int32]) throws(StorageError) -> Bool {
        let members = albums.map { (String(decoding: $0.path, as: UTF8.self), JSON.integer(Int($1))) }
        let data = members.isEmpty ? nil : JSON.object(members.sorted { $0.0 < $1.0 })
        if try condition(.unwritable).map({ String(decoding: $0.bytes, as: UTF8.self) }) == data?.line { return false }
        try setCondition(.unwritable, data)
        return true
    }
}
