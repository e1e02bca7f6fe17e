internal import Apod
internal import Archive
internal import Catalog
internal import Decoders
internal import Files
import Glibc

/// Thumbnails for screens, in `gallery/`.
extension Thumbnails {
    /// Brings a day's files to the disk, and returns their paths.
    func publish(_ files: [[UInt8]], of day: Day) throws(StorageError) -> [String] {
        try tree.root.checkRoom()
        guard let gallery = try GalleryFolder.make(in: tree.root) else {
            throw StorageError("write in", tree.root.path(of: GalleryFolder.name), code: EEXIST)
        }
        let folder = try gallery.makeFolder("\(day.year)")
        for (size, bytes) in zip(GallerySize.allCases, files) {
            let name = size.name(of: day)
            try Staged(bytes, in: tree.unfinished, as: name).publish(in: folder, as: name)
        }
        try folder.sync()
        return Self.paths(of: day)
    }

    static func paths(of day: Day) -> [String] { GallerySize.allCases.map { $0.path(of: day) } }

    func removeScreens() throws(StorageError) {
        // Searched, as a new catalog does not know the files.
        guard let found = try filesHere() else { return }
        try removeFiles(of: Set(found.keys))
        if Task.isCancelled { return }
        try forget(.screens, of: Set(try catalog.screenBytes().keys))
        guard let gallery = try openGallery() else { return }
        for (year, _) in try GalleryFolder.years(in: gallery) { try gallery.removeEmptyFolder(year) }
        try GalleryFolder.removeIfDone(from: tree.root)
    }

    func tidyScreens() throws(StorageError) {
        guard let found = try filesHere() else { return }
        let before = Set(try catalog.screenBytes().keys)
        try adopt(found.filter { !before.contains($0.key) })
        let known = try catalog.screenBytes()
        try removeFiles(of: Set(found.keys).subtracting(known.keys))
        let incomplete = known.filter { day, bytes in
            found[day]?.count != GallerySize.allCases.count || found[day]?.reduce(0) { $0 + $1.bytes } != bytes
        }
        // Files that stay might be adopted by a new catalog.
        let gone = try removeFiles(of: Set(incomplete.keys))
        try forget(.screens, of: gone)
        // The gallery must stop showing these.
        archive.noteChanges(of: gone)
    }

    /// Records files that a new catalog does not know, if they were made since their day was stored.
    private func adopt(_ found: [Day: [File.Facts]]) throws(StorageError) {
        var adopted: [Catalog.ThumbnailState] = []
        for (day, files) in found where files.count == GallerySize.allCases.count {
            guard let stored = try catalog.status(of: day)?.whole, let image = stored.image,
                files.allSatisfy({ $0.modified >= stored.fetched && $0.bytes > 0 })
            else { continue }
            adopted.append(
                .init(
                    day: day, source: image.sha256, version: Worker.version,
                    screenBytes: files.reduce(0) { $0 + $1.bytes }))
        }
        try catalog.adopt(adopted)
    }

    /// The thumbnails of each day; nil when stopped.
    private func filesHere() throws(StorageError) -> [Day: [File.Facts]]? {
        var found: [Day: [File.Facts]] = [:]
        guard let gallery = try openGallery() else { return found }
        for (year, folder) in try GalleryFolder.years(in: gallery) {
            for name in try folder.names() {
                if Task.isCancelled { return nil }
                guard let day = GallerySize.day(of: name), "\(day.year)" == year else { continue }
                if let facts = try folder.facts(of: name), facts.isRegular { found[day, default: []].append(facts) }
            }
        }
        return found
    }

    /// Returns the days whose files are gone.
    @discardableResult
    func removeFiles(
        of days: Set<Day>
    ) throws(StorageError) -> Set<Day> {
        guard let gallery = try openGallery() else { return days }
        var gone: Set<Day> = []
        for (year, days) in Dictionary(grouping: days, by: \.year) where !Task.isCancelled {
            let folder = try gallery.folder("\(year)")
            for day in days where !Task.isCancelled {
                for size in GallerySize.allCases { try folder?.remove(size.name(of: day)) }
                gone.insert(day)
            }
            // Before the catalog forgets these files.
            try folder?.sync()
        }
        return gone
    }

    func openGallery() throws(StorageError) -> Folder? { try GalleryFolder.own(in: tree.root) }
}
