package import Apod
import Files
package import Store
import Synchronization

/// The sidecars: beside each picture and video an XMP file (`SidecarName`), from which photo programs read title, text,
/// credit, day, tags, and a rating while the day is a favorite (`SidecarText`).
///
/// Sidecars are made from a day's JSON and the favorites, as the gallery's pages are. No JSON and no catalog lists them,
/// `max-total` does not count them, and `verify` does not look at them. After each change of a day or a favorite,
/// `update` writes the sidecars that differ and deletes those without a picture. The service looks at all days when it
/// starts, a command if the gallery was not up to date.
///
/// A sidecar is the mirror's if its toolkit is the mirror's signature. Programs that change XMP enter their own name
/// there. Such a file belongs to the user, and is neither changed nor deleted.
package final class Sidecars: Sendable {
    private let archive: Archive
    private let areWanted: Bool
    /// The favorites that the sidecars show.
    private let shown: Mutex<Set<Key>>

    /// Must be made before anything changes.
    package init(_ archive: Archive, areWanted: Bool) {
        self.archive = archive
        self.areWanted = areWanted
        shown = Mutex(areWanted ? Self.favorites(in: archive) : [])
    }

    private static func favorites(in archive: Archive) -> Set<Key> { archive.favorites.known.keys }

    /// Brings up to date the sidecars of these keys, and of those that became or ceased to be favorites; those of
    /// all if `keys` is nil, which also deletes sidecars that are not wanted, once. Cancelled, it leaves the rest undone.
    package func update(_ keys: Set<Key>?) throws {
        let catalog = archive.catalog
        if !areWanted, try keys != nil || catalog.fact(.sidecars) == 0 { return }
        if areWanted, keys == nil { try catalog.setFact(.sidecars, 1) }
        let favorites = areWanted ? Self.favorites(in: archive) : []
        let changed = shown.withLock { shown in keys.map { $0.union(shown.symmetricDifference(favorites)) } }
        for (path, folder) in try months(of: changed).sorted(by: { $0.path > $1.path }) {
            if Task.isCancelled { return }
            try update(path, folder, changed, favorites: favorites)
        }
        if !areWanted { try catalog.setFact(.sidecars, 0) }
        shown.withLock { $0 = favorites }
    }

    /// Of all if `keys` is nil.
    private func months(of keys: Set<Key>?) throws -> [(path: String, folder: Folder)] {
        let root = archive.tree.root
        guard let keys else { return try Tree.folders(in: root) }
        var months: [(String, Folder)] = []
        for path in Set(keys.map(\.folder)) {
            if let folder = try Tree.existingFolder(path, in: root) { months.append((path, folder)) }
        }
        return months
    }

    /// `keys`: nil: all of the month.
    private func update(_ path: String, _ month: Folder, _ keys: Set<Key>?, favorites: Set<Key>) throws {
        func isMeant(_ name: FileName) -> Bool { name.folder == path && keys?.contains(name.key) ?? true }
        let list = Tree.list(ofPath: path)
        do {
            let names = Set(try month.names())
            var stale = Set(names.compactMap { SidecarName($0, of: list) }.filter { isMeant($0.name) })
            var isChanged = false
            let documents = areWanted ? names.compactMap { FileName($0, suffix: FileName.json, of: list) } : []
            for name in documents where isMeant(name) {
                guard let document = try Document.of(name, in: archive.tree.root) else {
                    // Its JSON cannot be read now, and may name these sidecars: they stay.
                    stale = stale.filter { $0.name.key != name.key }
                    continue
                }
                let text = SidecarText(document: document, isFavorite: favorites.contains(name.key)).bytes
                let files = document.files.compactMap { SidecarName(of: $0, named: name) }
                for sidecar in files where names.contains(sidecar.file) {
                    stale.remove(sidecar)
                    if !names.contains("\(sidecar)") { try archive.tree.unfinished.checkRoom() }
                    if try GeneratedFile.write(
                        text, as: "\(sidecar)", in: month, through: archive.tree.unfinished)
                    {
                        isChanged = true
                    }
                }
            }
            for name in stale where try GeneratedFile.remove("\(name)", from: month) { isChanged = true }
            guard isChanged else { return }
            archive.hideFiles(in: month, path)
            try month.sync()
        } catch {
            // A month in which the mirror may not write must not stop the others.
            guard error.problem.isAboutPlace else { throw error }
        }
    }
}
