internal import Apod
internal import Files

/// Gives the files of some days their final names, the JSON last, and remembers them.
///
/// In this order, so that wherever it is cut off nothing is half there: what has a final name is whole, a JSON file's
/// files are there, the catalog knows only what is there, and `latest` leads to a file.
struct Publication {
    let tree: Tree
    let catalog: Catalog
    let days: [Arrival.Ready]

    func run() throws(ArchiveError) {
        let predecessors = try ArchiveError.wrapping { () throws(CatalogError) in
            try Predecessors(of: days.map(\.name), in: catalog)
        }
        try predecessors.refuseStrangers(in: days, tree)
        let pruned = Set(days.filter(\.staysPruned).map(\.name.day))
        try mark(predecessors.replaced.filter { !pruned.contains($0.day) })
        try ArchiveError.wrapping { () throws(DiskError) in try publish() }
        // What is replaced is not done before its predecessors are gone; until then the catalog names them.
        try record { ready in
            guard let former = predecessors.files[ready.name.day] else { return (ready.standing, nil) }
            return (ready.staysPruned ? ready.standing : ready.standing.interrupted, former.subtracting(ready.types))
        }
        try tree.pointLatest(by: catalog)
        if predecessors.replaced.isEmpty { return }
        let incomplete = try ArchiveError.wrapping { () throws(DiskError) in try daysWithLosses() }
        // What is not complete takes nothing away.
        let complete = days.filter { !incomplete.contains($0.name.day) && $0.standing.state != .failed }
        try ArchiveError.wrapping { () throws(DiskError) in try predecessors.remove(behind: complete, tree) }
        let done = Set(complete.map(\.name.day))
        try record { ready in
            let day = ready.name.day
            return (
                incomplete.contains(day) ? ready.standing.interrupted : ready.standing, done.contains(day) ? [] : nil
            )
        }
    }

    /// The days whose other files, which were to stay as they are, were let go of meanwhile.
    private func daysWithLosses() throws(DiskError) -> Set<Day> {
        var days: Set<Day> = []
        for ready in self.days where ready.arrival.staged.count < ready.arrival.metadata.files.count {
            let folder = try tree.folder(of: ready.name.day)
            for type in ready.arrival.metadata.files.map(\.type) {
                if try folder.facts(of: ready.name.with(type.suffix)) == nil { days.insert(ready.name.day) }
            }
        }
        return days
    }

    /// While a day is replaced, the catalog knows it as failed: cut off in between, the next sync does it again.
    private func mark(_ replaced: [Standing]) throws(ArchiveError) {
        if replaced.isEmpty { return }
        try ArchiveError.wrapping { () throws(CatalogError) in
            try catalog.record(replaced.map { Catalog.Change($0.interrupted) })
        }
    }

    /// With what of each day's former files is still to be removed; nil: as before.
    private func record(_ outcome: (Arrival.Ready) -> (Standing, former: Set<MediaType>?)) throws(ArchiveError) {
        try ArchiveError.wrapping { () throws(CatalogError) in
            try catalog.record(
                days.map { ready in
                    let (standing, former) = outcome(ready)
                    return Catalog.Change(standing, ready.arrival.metadata.picture, former: former)
                })
        }
    }

    private func publish() throws(DiskError) {
        var folders: [String: Folder] = [:]
        for ready in days where folders[ready.name.folder] == nil {
            folders[ready.name.folder] = try tree.folder(of: ready.name.day)
        }
        for ready in days {
            for (suffix, file) in ready.arrival.staged {
                try file.publish(in: folders[ready.name.folder]!, as: ready.name.with(suffix))
            }
        }
        for folder in folders.values { try folder.sync() }
        for ready in days {
            try ready.json.publish(in: folders[ready.name.folder]!, as: ready.name.with(Metadata.suffix))
        }
        for folder in folders.values { try folder.sync() }
    }
}

extension Arrival.Ready {
    /// Nothing but the JSON changes: cut off, the day is not to be asked for, only to have its files deleted again.
    fileprivate var staysPruned: Bool { standing.state == .pruned && arrival.staged.isEmpty }
}

extension Standing {
    private static let interruption = "interrupted while it was replaced"

    var interrupted: Standing {
        var standing = self
        standing.state = .failed
        standing.reason = Self.interruption
        standing.retryAfter = nil
        return standing
    }

    var isInterrupted: Bool { state == .failed && reason == Self.interruption }
}

extension Tree {
    /// Lets `latest` lead to the newest picture, and `latest.json` to what is known of it.
    func pointLatest(by catalog: Catalog) throws(ArchiveError) {
        guard let (entry, image) = try Self.newestImage(in: root, by: catalog) else { return try unlinkLatest() }
        let path = "\(entry.name.folder)/"
        try ArchiveError.wrapping { () throws(DiskError) in
            let moved = try point("latest", to: path + entry.name.with(image.type.suffix))
            let described = try point("latest.json", to: path + entry.name.with(Metadata.suffix))
            if moved || described { try root.sync() }
        }
    }

    /// The newest that is really there.
    static func newestImage(
        in root: Folder, by catalog: Catalog
    ) throws(ArchiveError) -> (entry: Entry, image: StoredFile)? {
        var limit: Day?
        while true {
            let newest = try ArchiveError.wrapping { () throws(CatalogError) in try catalog.newestImage(before: limit) }
            guard let newest else { return nil }
            limit = newest.day
            guard let entry = newest.entry, let image = entry.files.first(where: \.isImage) else { continue }
            let isThere = try ArchiveError.wrapping { () throws(DiskError) in
                guard let folder = try Tree.existingFolder(of: newest.day, in: root) else { return false }
                let picture = try folder.facts(of: entry.name.with(image.type.suffix))
                let metadata = try folder.facts(of: entry.name.with(Metadata.suffix))
                return picture?.isRegular == true && metadata?.isRegular == true
            }
            if isThere { return (entry, image) }
        }
    }

    /// Nothing to look at is left.
    private func unlinkLatest() throws(ArchiveError) {
        try ArchiveError.wrapping { () throws(DiskError) in
            let links = ["latest", "latest.json"].filter { root.target(of: $0) != nil }
            for link in links { try root.remove(link) }
            if !links.isEmpty { try root.sync() }
        }
    }
}
