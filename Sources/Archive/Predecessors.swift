internal import Apod
internal import Files

/// The files that the mirror has written of some days before. What else has a day's name is somebody's.
struct Predecessors {
    /// Of each day that is there already.
    private(set) var files: [Day: Set<MediaType>] = [:]
    private(set) var replaced: [Standing] = []

    init(of names: [FileName], in catalog: Catalog) throws(CatalogError) {
        for day in names.map(\.day) {
            guard let standing = try catalog.standing(of: day), let entry = standing.entry else { continue }
            replaced.append(standing)
            // Also those that were to be removed when the program was killed.
            files[day] = Set(entry.files.map(\.type)).union(try catalog.former(of: day))
        }
    }

    /// Nothing is put in the place of a file that is not the mirror's.
    func refuseStrangers(in days: [Arrival.Ready], _ tree: Tree) throws(ArchiveError) {
        for ready in days {
            let folder = try ArchiveError.wrapping { () throws(DiskError) in try tree.folder(of: ready.name.day) }
            for suffix in ready.arrival.staged.keys where !isKnown(suffix, of: ready.name.day) {
                let name = ready.name.with(suffix)
                let facts = try ArchiveError.wrapping { () throws(DiskError) in try folder.facts(of: name) }
                // Of a publication that was cut off before the catalog knew of it; everything that the mirror writes
                // has the time of its day.
                let isOwn = facts?.isRegular == true && facts?.modified == ready.name.day.noon
                if facts != nil, !isOwn { throw .occupied(ready.name.day, path: folder.path(of: name)) }
            }
        }
    }

    private func isKnown(_ suffix: String, of day: Day) -> Bool { files[day]?.contains { $0.suffix == suffix } == true }

    /// A picture that came back in another format has left the one before it.
    func remove(behind days: [Arrival.Ready], _ tree: Tree) throws(DiskError) {
        for ready in days {
            let former = (files[ready.name.day] ?? []).subtracting(ready.types)
            if former.isEmpty { continue }
            let folder = try tree.folder(of: ready.name.day)
            for type in former {
                let name = ready.name.with(type.suffix)
                if try folder.facts(of: name)?.isRegular == true { try folder.remove(name) }
            }
            try folder.sync()
        }
    }
}

extension Arrival.Ready {
    /// Of the files that the day has now.
    var types: Set<MediaType> { Set(arrival.metadata.files.map(\.type)) }
}
