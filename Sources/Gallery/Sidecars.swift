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
    private let shown: Mutex<Set<Day>>

    /// Must be made before anything changes.
    package init(_ archive: Archive, areWanted: Bool) {
        self.archive = archive
        self.areWanted = areWanted
        shown = Mutex(areWanted ? Self.favorites(in: archive) : [])
    }

    private static func favorites(in archive: Archive) -> Set<Day> {
        Set(archive.favorites.known.subjects.lazy.map(\.day))
    }

    /// Brings up to date the sidecars of these days, and of those that became or ceased to be favorites; those of all
    /// days if `days` is nil, which also deletes sidecars that are not wanted, once. Cancelled, it leaves the rest undone.
    package func update(_ days: Set<Day>?) throws {
        let catalog = archive.catalog
        if !areWanted, try days != nil || catalog.fact(.sidecars) == 0 { return }
        if areWanted, days == nil { try catalog.setFact(.sidecars, 1) }
        let favorites = areWanted ? Self.favorites(in: archive) : []
        let changed = shown.withLock { shown in days.map { $0.union(shown.symmetricDifference(favorites)) } }
        for (path, folder) in try months(of: changed).sorted(by: { $0.path > $1.path }) {
            if Task.isCancelled { return }
            try update(path, folder, changed, favorites: favorites)
        }
        if !areWanted { try catalog.setFact(.sidecars, 0) }
        shown.withLock { $0 = favorites }
    }

    /// Of all days if `days` is nil.
    private func months(of days: Set<Day>?) throws -> [(path: String, folder: Folder)] {
        let root = archive.tree.root
        guard let days else { return try Tree.folders(in: root) }
        var months: [(String, Folder)] = []
        for path in Set(days.lazy.filter { !$0.isItem }.map(\.folder)) {
            if let folder = try Tree.existingFolder(path, in: root) { months.append((path, folder)) }
        }
        // Where an item is, its name alone says.
        let numbers = Set(days.map(\.listNumber))
        for list in Tree.listFolders(in: root) where numbers.contains(list.number) {
            months += try Tree.folders(in: root, of: list)
        }
        return months
    }

    /// `days`: nil: all of the month.
    private func update(_ path: String, _ month: Folder, _ days: Set<Day>?, favorites: Set<Day>) throws {
        func isMeant(_ name: FileName) -> Bool { name.folder == path && days?.contains(name.day) ?? true }
        let list = Tree.list(ofPath: path)
        do {
            let names = Set(try month.names())
            var stale = Set(names.compactMap { SidecarName($0, of: list) }.filter { isMeant($0.name) })
            var isChanged = false
            let documents = areWanted ? names.compactMap { FileName($0, suffix: FileName.json, of: list) } : []
            for name in documents where isMeant(name) {
                guard let document = try Document.of(name, in: archive.tree.root) else {
                    // Its JSON cannot be read now, and may name these sidecars: they stay.
                    stale = stale.filter { $0.name.day != name.day }
                    continue
                }
                let text = SidecarText(document: document, isFavorite: favorites.contains(name.day)).bytes
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
