package import Catalog
package import Files

/// A walk over the favorites folder and the albums in it, outer ones first, down to `Album.deepest`. One folder may hold
/// more than fits in memory: each is read for what is in it, and then once more for its albums, one after the other.
package final class AlbumWalk: Sequence, IteratorProtocol {
    /// A folder, or why it cannot be opened. It comes a second time if the albums in it cannot all be listed, with the
    /// reason.
    package typealias Step = (album: Album, folder: Result<Folder, StorageError>)

    private var first: Result<Folder, StorageError>?
    /// The folders around the next one. The last of them may still have to be listed.
    private var outer: [(album: Album, folder: Folder, entries: Entries?)] = []
    private let isStopped: () -> Bool

    /// `root`: the mirror's; `top`: its favorites folder, if that is open already. `isStopped`: whether to end early.
    package init(in root: Folder, top: Folder? = nil, isStopped: @escaping () -> Bool = { false }) {
        first = Result { () throws(StorageError) in
            if let top { top } else { try root.existingFavorites() }
        }
        self.isStopped = isStopped
    }

    /// Returns the next folder; nil at the end.
    package func next() -> Step? {
        if let first {
            self.first = nil
            return handOut(.top, first)
        }
        while !isStopped(), let (album, folder, listed) = outer.popLast() {
            do throws(StorageError) {
                let entries = if let listed { listed } else { try folder.entries() }
                while !isStopped(), let (name, kind) = try entries.next() {
                    let kind = if name.isHidden || kind != nil { kind } else { try folder.kind(of: name) }
                    guard kind == .folder, !name.isHidden else { continue }
                    let inner = Result { () throws(StorageError) in try folder.existingFolder(name) }
                    outer.append((album, folder, entries))
                    return handOut(album.inner(name), inner)
                }
            } catch {
                return (album, .failure(error))
            }
        }
        return nil
    }

    private func handOut(_ album: Album, _ folder: Result<Folder, StorageError>) -> Step {
        if case .success(let folder) = folder, album.depth < Album.deepest { outer.append((album, folder, nil)) }
        return (album, folder)
    }

    /// Leaves out the albums in the folder that was handed out last.
    package func skipAlbums() {
        if let last = outer.last, last.entries == nil { outer.removeLast() }
    }

    /// Visits everything in the folder that was handed out last, in no order, with its kind where the file system tells
    /// it. A folder without albums is not listed again.
    package func visit(_ folder: Folder, _ body: (Name, File.Kind?) throws(StorageError) -> Void) throws(StorageError) {
        var hasAlbums = false
        defer { if !hasAlbums { skipAlbums() } }
        let entries = try folder.entries()
        while !isStopped(), let (name, kind) = try entries.next() {
            if kind == nil || kind == .folder && !name.isHidden { hasAlbums = true }
            try body(name, kind)
        }
    }
}
