package import Apod
internal import Archive
internal import Catalog
package import Files

/// Those for file managers, beside the pictures.
extension Thumbnails {
    /// Writes what was made of a day's picture. Returns its paths; where nothing can be written, there are none.
    func publishShared(_ thumbnails: [PNG], of stored: StoredDay) throws(StorageError) -> [String] {
        try tree.root.checkRoom()
        do throws(StorageError) {
            guard let month = try Tree.existingFolder(of: stored.name.day, in: tree.root),
                let shared = try SharedMonth(month, makes: true)
            else { return [] }
            try shared.put(thumbnails, of: stored)
            try shared.removeOthers(of: stored.name, besides: stored.files)
            return Self.sharedPaths(of: stored)
        } catch {
            guard error.isAboutPlace || error.isInTheWay else { throw error }
            return []
        }
    }

    static func sharedPaths(of stored: StoredDay) -> [String] {
        guard let image = stored.image else { return [] }
        let name = SharedThumbnailName(stored.name.with(image.type.suffix)).names[1]
        return SharedSize.allCases.map { "\(stored.name.folder)/\(Tree.sharedThumbnails)/\($0)/\(name)" }
    }

    func removeShared(of day: Day) throws(StorageError) {
        let status = try catalog.status(of: day)
        guard let name = status?.stored?.name else { return }
        try passing { () throws(StorageError) in
            guard let month = try Tree.existingFolder(of: day, in: tree.root), let shared = try SharedMonth(month)
            else { return }
            try shared.removeOthers(of: name)
            for size in SharedSize.allCases {
                try month.folder(Tree.sharedThumbnails)?.removeEmptyFolder(size.rawValue)
            }
            try month.removeEmptyFolder(Tree.sharedThumbnails)
        }
    }

    /// Some days have become others: brings what file managers are shown of them in step, as far as nothing has to be
    /// decoded for that.
    package func follow(_ days: Set<Day>, unless isStopped: () -> Bool = { false }) throws(StorageError) {
        guard uses.contains(.fileManagers) else { return }
        var incomplete: Set<Day> = []
        for day in days where !isStopped() {
            let (record, stored) = (try catalog.thumbnail(of: day), try catalog.status(of: day)?.whole)
            guard let record, let stored, record.uses.contains(.fileManagers), record.source == stored.image?.sha256
            else { continue }
            try passing { () throws(StorageError) in
                guard let month = try Tree.existingFolder(of: day, in: tree.root),
                    !SharedRepository.isImpossible(in: month)
                else { return }
                let shared = try SharedMonth(month)
                try shared?.removeOthers(of: stored.name, besides: stored.files)
                if try shared?.complete(stored, record.sharedBytes) != true { incomplete.insert(day) }
            }
        }
        try forget(.fileManagers, of: incomplete)
    }

    /// Compares them with the catalog: those that were lost are made again, and those of which it knows nothing go.
    func tidyShared(unless isStopped: () -> Bool) throws(StorageError) {
        let all = Dictionary(grouping: try catalog.storedDays().compactMap(\.stored), by: \.name.folder)
        try adopt(all, unless: isStopped)
        let known = try catalog.sharedThumbnails()
        let days = all.mapValues { $0.filter { known[$0.name.day] != nil } }
        var incomplete: Set<Day> = []
        let months = try Tree.months(in: tree.root)
        for (path, month) in months where !isStopped() && !SharedRepository.isImpossible(in: month) {
            try passing { () throws(StorageError) in
                let days = days[path] ?? []
                let shared = try SharedMonth(month)
                for stored in days {
                    if isStopped() { return }
                    guard let bytes = known[stored.name.day], !stored.files.isEmpty else { continue }
                    if try shared?.complete(stored, bytes) != true { incomplete.insert(stored.name.day) }
                }
                let names = Set(days.flatMap(SharedMonth.names))
                try SharedRepository.removeOwn(in: month, besides: names, unless: isStopped)
            }
        }
        try forget(.fileManagers, of: incomplete)
    }

    /// Takes over those that a new catalog does not know: all that were made since their day was put there.
    private func adopt(_ days: [String: [StoredDay]], unless isStopped: () -> Bool) throws(StorageError) {
        let known = try catalog.sharedThumbnails()
        var adopted: [Catalog.ThumbnailState] = []
        for (path, month) in try Tree.months(in: tree.root) where !isStopped() {
            try passing { () throws(StorageError) in
                let days = (days[path] ?? []).filter { known[$0.name.day] == nil && !$0.files.isEmpty }
                guard !days.isEmpty, let shared = try SharedMonth(month) else { return }
                for stored in days {
                    guard let image = stored.image, let bytes = try shared.sizes(of: stored) else { continue }
                    adopted.append(
                        .init(
                            day: stored.name.day, source: image.sha256, version: Worker.version, hasScreens: false,
                            sharedBytes: bytes))
                }
            }
        }
        try catalog.adopt(adopted)
    }

    /// Takes all of them away. What is done is done again where it was stopped.
    func removeAllShared(unless isStopped: () -> Bool) throws(StorageError) {
        // Then there is nothing to look for in all months.
        if try catalog.sharedThumbnails().isEmpty { return }
        let months = try Tree.months(in: tree.root)
        for (_, month) in months {
            try passing { () throws(StorageError) in try SharedRepository.removeOwn(in: month, unless: isStopped) }
            if isStopped() { return }
        }
        try catalog.forgetThumbnails(for: .fileManagers)
    }
}
