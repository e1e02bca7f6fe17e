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
        let earlier = try ArchiveError.wrapping { () throws(CatalogError) in
            var earlier: [Day: Entry] = [:]
            for ready in days { earlier[ready.name.day] = try catalog.standing(of: ready.name.day)?.entry }
            return earlier
        }
        try ArchiveError.wrapping { () throws(DiskError) in try publish() }
        try ArchiveError.wrapping { () throws(CatalogError) in
            try catalog.record(days.map { Catalog.Change($0.standing, $0.arrival.metadata.picture) })
        }
        try tree.pointLatest(by: catalog)
        try ArchiveError.wrapping { () throws(DiskError) in try removeReplaced(earlier) }
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

    /// A picture that came back in another format has left its predecessor behind.
    private func removeReplaced(_ earlier: [Day: Entry]) throws(DiskError) {
        for ready in days {
            guard let entry = earlier[ready.name.day] else { continue }
            let current = Set(ready.arrival.metadata.files.map(\.type.suffix))
            for file in entry.files where !current.contains(file.type.suffix) {
                try tree.folder(of: ready.name.day).remove(entry.name.with(file.type.suffix))
            }
        }
    }
}

extension Tree {
    /// Lets `latest` lead to the newest picture, and `latest.json` to what is known of it.
    func pointLatest(by catalog: Catalog) throws(ArchiveError) {
        let newest = try ArchiveError.wrapping { () throws(CatalogError) in try catalog.newestImage() }
        guard let entry = newest?.entry, let image = entry.files.first(where: \.isImage) else {
            return try unlinkLatest()
        }
        try ArchiveError.wrapping { () throws(DiskError) in
            let path = "\(entry.name.folder)/"
            let moved = try point("latest", to: path + entry.name.with(image.type.suffix))
            let described = try point("latest.json", to: path + entry.name.with(Metadata.suffix))
            if moved || described { try root.sync() }
        }
    }
    /// Nothing to look at is left.
    private func unlinkLatest() throws(ArchiveError) {
        try ArchiveError.wrapping { () throws(DiskError) in
            for name in ["latest", "latest.json"] where root.target(of: name) != nil { try root.remove(name) }
        }
    }
}
