package import Apod
import Decoders
import Files
import Store

/// Thumbnails for file managers, in `.sh_thumbnails` beside the pictures.
extension Thumbnails {
    /// Writes a day's thumbnails, and returns their paths; none where the folder cannot be written.
    func publishShared(_ thumbnails: [[UInt8]], of stored: Item.Stored) throws -> [String] {
        try tree.root.checkRoom()
        do {
            guard let month = try Tree.existingFolder(stored.name.folder, in: tree.root),
                let shared = try SharedMonth(month, makes: true)
            else { return [] }
            try shared.put(thumbnails, of: stored, through: tree.unfinished)
            try shared.removeOthers(of: stored.name, besides: stored.files)
            return Self.sharedPaths(of: stored)
        } catch {
            guard error.problem.isAboutPlace || error.problem.isWrongKind else { throw error }
            return []
        }
    }

    static func sharedPaths(of stored: Item.Stored) -> [String] {
        guard let image = stored.image else { return [] }
        let name = SharedThumbnailName(stored.name.with(image)).names[1]
        return SharedSize.allCases.map { stored.name.path(of: "\(Tree.sharedThumbnails)/\($0)/\(name)") }
    }

    func removeShared(of picture: PictureKey) throws {
        guard picture.number == 1 else { return }
        let item = try catalog.item(of: picture.key)
        guard let name = item?.stored?.name else { return }
        try passing {
            guard let month = try Tree.existingFolder(name.folder, in: tree.root), let shared = try SharedMonth(month)
            else { return }
            try shared.removeOthers(of: name)
            for size in SharedSize.allCases {
                try month.folder(Tree.sharedThumbnails)?.removeEmptyFolder(size.rawValue)
            }
            try month.removeEmptyFolder(Tree.sharedThumbnails)
        }
    }

    /// Compares the thumbnails of what has changed with their files: those of files that are gone are removed, and what is
    /// not right any more counts as missing.
    package func checkShared(of keys: Set<Key>) throws {
        guard uses.contains(.fileManagers) else { return }
        var incomplete: Set<PictureKey> = []
        for key in keys where !Task.isCancelled {
            let (record, stored) = (try catalog.thumbnail(of: PictureKey(key)), try catalog.item(of: key)?.whole)
            guard let record, let stored, record.uses.contains(.fileManagers), record.source == stored.image?.sha256
            else { continue }
            try passing {
                guard let month = try Tree.existingFolder(stored.name.folder, in: tree.root) else { return }
                let shared = try SharedMonth(month)
                try shared?.removeOthers(of: stored.name, besides: stored.files)
                if try shared?.isComplete(stored) != true { incomplete.insert(PictureKey(key)) }
            }
        }
        try forget(.fileManagers, of: incomplete)
    }

    /// Compares the thumbnails with the catalog: lost ones are made again, and unknown ones are removed.
    func tidyShared() throws {
        let all = Dictionary(grouping: try catalog.stored(in: .all).compactMap(\.stored), by: \.name.folder)
        try adopt(all)
        let known = try catalog.sharedThumbnails()
        let days = all.mapValues { $0.filter { known.contains($0.name.key) } }
        var incomplete: Set<PictureKey> = []
        for (path, month) in try Tree.folders(in: tree.root) where !Task.isCancelled {
            try passing {
                let days = days[path] ?? []
                let shared = try SharedMonth(month)
                for stored in days where !stored.files.isEmpty {
                    if Task.isCancelled { return }
                    if try shared?.isComplete(stored) != true { incomplete.insert(PictureKey(stored.name.key)) }
                }
                let names = Set(days.flatMap(SharedMonth.names))
                try SharedRepository.removeOwn(in: month, besides: names)
            }
        }
        try forget(.fileManagers, of: incomplete)
    }

    /// Records files that a new catalog does not know, if they were made since their day was stored.
    private func adopt(_ days: [String: [Item.Stored]]) throws {
        let known = try catalog.sharedThumbnails()
        var adopted: [Catalog.ThumbnailState] = []
        for (path, month) in try Tree.folders(in: tree.root) where !Task.isCancelled {
            try passing {
                let days = (days[path] ?? []).filter { !known.contains($0.name.key) && !$0.files.isEmpty }
                guard !days.isEmpty, let shared = try SharedMonth(month) else { return }
                for stored in days {
                    guard let image = stored.image, let bytes = try shared.bytes(of: stored) else { continue }
                    adopted.append(
                        .init(
                            PictureKey(stored.name.key), source: image.sha256, version: Worker.version,
                            sharedBytes: bytes))
                }
            }
        }
        try catalog.adopt(adopted)
    }

    /// Searches all months, as a new catalog does not know the files. When stopped, the next call begins again.
    func removeAllShared() throws {
        for (_, month) in try Tree.folders(in: tree.root) {
            try passing { try SharedRepository.removeOwn(in: month) }
            if Task.isCancelled { return }
        }
        try forget(.fileManagers, of: Set(try catalog.sharedThumbnails().map { PictureKey($0) }))
    }
}
