package import Apod
package import Catalog
package import Files
import Glibc
internal import Watching

/// A look at the favorites folder for somebody who may not note anything: which days it stands for now.
package struct FavoritesSnapshot {
    private let resolver: LinkResolver
    package private(set) var days: Set<Day> = []
    /// The folders, as they were before they were read.
    private var folders: [Album: File.Facts] = [:]
    private let begin: Int
    private let isComparing: Bool

    /// `comparing`: also what is a copy of which picture, by reading it. `isStopped`: nobody waits for the rest, and what
    /// is known is not all.
    package init(
        at root: Folder, _ catalog: Catalog, now: Int = time(nil), comparing: Bool = true,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        resolver = LinkResolver(root: root, catalog: catalog, isStopped: isStopped)
        begin = now
        isComparing = comparing
        let walk = AlbumWalk(in: root, isStopped: isStopped)
        for case (let album, .success(let folder)) in walk { visit(folder, album, walk) }
    }

    /// What has come, of which the catalog does not know, and the favorites that it knows and whose links are gone.
    private func changes() throws(StorageError) -> (new: Set<Day>, gone: Set<Day>) {
        let favorites = try resolver.catalog.favoriteDays()
        return (days.subtracting(favorites), try gone(among: favorites.subtracting(days)))
    }

    /// The same, as far as it can be seen soon: where links lead may not answer.
    package static func changes(
        at root: Folder, _ catalog: Catalog, now: Int = time(nil), comparing: Bool = false
    ) throws(StorageError) -> (new: Set<Day>, gone: Set<Day>) {
        let end = ContinuousClock.now + .seconds(3)
        return try FavoritesSnapshot(at: root, catalog, now: now, comparing: comparing, isStopped: { .now > end })
            .changes()
    }

    /// Of what could not be looked at, nothing is gone.
    private func gone(among favorites: Set<Day>) throws(StorageError) -> Set<Day> {
        if favorites.isEmpty || resolver.isStopped() { return [] }
        let links = try resolver.catalog.links().filter { favorites.contains($0.day) }
        var gone = Set(links.map(\.day))
        for link in links where gone.contains(link.day) {
            if resolver.isStopped() { return [] }
            if !isGone(link) { gone.remove(link.day) }
        }
        return gone
    }

    private func isGone(_ link: Link) -> Bool {
        do throws(StorageError) {
            guard let folder = try resolver.root.favorites(link.place.album) else { return true }
            switch resolver.look(at: link.place, in: folder).finding {
            case .unknown, .file(mayBeCopy: true): return false
            // A copy stays one until somebody changes it.
            case .file(mayBeCopy: false): return try resolver.catalog.meaning(of: link.place)?.isLink == true
            case .meaning, .album, .nothing: return true
            }
        } catch {
            return error.isNoFolder
        }
    }

    /// Whether something else may be there now.
    package func isOutdated(at root: Folder) -> Bool {
        if hasChanged(at: root) { return true }
        // What happens in a folder at the time that it already shows cannot be seen from that.
        let isYoung = folders.values.contains { $0.changed >= begin - 2 }
        return isYoung || folders.isEmpty
    }

    /// Whether something has come or gone since a folder was read, or while it was.
    func hasChanged(at root: Folder) -> Bool {
        folders.contains { album, facts in facts != (try? root.favorites(album)?.facts(of: ".")) }
    }

    private mutating func visit(_ folder: Folder, _ album: Album, _ walk: AlbumWalk) {
        folders[album] = Self.stableFacts(of: folder)
        try? walk.visit(folder) { name, kind in
            let place = Place(name, in: album)
            let sighting = resolver.look(at: place, in: folder, kind: kind)
            if let day = sighting.meaning?.day { days.insert(day) }
            if sighting.finding == .file(mayBeCopy: true) { days.formUnion(day(of: sighting, in: folder)) }
        }
    }

    /// What changes from then on can be told from them, by a clock as fine as the system's.
    private static func stableFacts(of folder: Folder) -> File.Facts? {
        if let facts = try? folder.facts(of: "."), !facts.showsNextChange { usleep(10_000) }
        return try? folder.facts(of: ".")
    }

    private func day(of sighting: Sighting, in folder: Folder) -> [Day] {
        if let known = known(sighting) { return [known] }
        let name = sighting.place.name
        guard isComparing, let file = try? folder.file(name),
            let original = try? resolver.original(of: file, named: name)
        else { return [] }
        return [original.day]
    }

    /// Of very many large copies, none is read again that was compared and has not changed since.
    private func known(_ sighting: Sighting) -> Day? {
        guard let facts = sighting.facts, facts.changed < begin - 60,
            case .day(let day, let file, isLink: false)? = try? resolver.catalog.meaning(of: sighting.place),
            resolver.files(ofSize: facts.bytes).contains(where: { $0.day == day && $0.name == file })
        else { return nil }
        return day
    }
}
