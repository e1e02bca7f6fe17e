internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Glibc

/// Those for screens, in `gallery/`.
extension Thumbnails {
    /// Gives a day's files their names, and returns when they are on the disk.
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

    func removeScreens(unless isStopped: () -> Bool) throws(StorageError) {
        // Also those that a catalog does not know which was made anew.
        let isDone = try filesHere(besides: [], unless: isStopped) != nil
        if !isDone { return }
        let days = try catalog.daysWithThumbnails()
        if !days.isEmpty { try forget(.screens, of: days) }
        guard let gallery = try openGallery() else { return }
        for (year, _) in try GalleryFolder.years(in: gallery) { try gallery.removeEmptyFolder(year) }
        try GalleryFolder.removeIfDone(from: tree.root)
    }

    func hasAllYears() throws(StorageError) -> Bool {
        let years = try catalog.yearsWithThumbnails()
        guard let gallery = try openGallery() else { return years.isEmpty }
        for year in years where try gallery.kind(of: "\(year)") != .folder { return false }
        return true
    }

    func tidyScreens(unless isStopped: () -> Bool) throws(StorageError) {
        let known = try catalog.screenBytes()
        let found = try filesHere(besides: Set(known.keys), unless: isStopped)
        guard let found else { return }
        let incomplete = known.filter { day, bytes in
            // Of those made by an earlier program, it is not known how large they are.
            found[day]?.count != GallerySize.allCases.count || bytes != 0 && found[day]?.reduce(0, +) != bytes
        }
        try forget(.screens, of: Set(incomplete.keys))
        // The gallery does not show what is not there.
        archive.noteChanges(of: incomplete.keys)
    }

    /// How large those of each day are; the others are removed, with what was left unfinished. nil when it was stopped.
    private func filesHere(
        besides known: Set<Day>, unless isStopped: () -> Bool
    ) throws(StorageError) -> [Day: [Int]]? {
        for name in try tree.unfinished.names() where GallerySize.day(of: name) != nil {
            try tree.unfinished.remove(name)
        }
        var found: [Day: [Int]] = [:]
        guard let gallery = try openGallery() else { return found }
        for (year, folder) in try GalleryFolder.years(in: gallery) {
            for name in try folder.names() {
                if isStopped() { return nil }
                guard let day = GallerySize.day(of: name), "\(day.year)" == year else { continue }
                if !known.contains(day) {
                    try folder.remove(name)
                } else if let facts = try folder.facts(of: name), facts.isRegular {
                    found[day, default: []].append(facts.bytes)
                }
            }
        }
        return found
    }

    /// Returns of which days none are there now.
    @discardableResult
    func removeFiles(
        of days: Set<Day>, unless isStopped: () -> Bool = { false }
    ) throws(StorageError) -> Set<Day> {
        guard let gallery = try openGallery() else { return days }
        var gone: Set<Day> = []
        for (year, days) in Dictionary(grouping: days, by: \.year) where !isStopped() {
            let folder = try gallery.folder("\(year)")
            for day in days where !isStopped() {
                for size in GallerySize.allCases { try folder?.remove(size.name(of: day)) }
                gone.insert(day)
            }
            // Before it is forgotten that they were there.
            try folder?.sync()
        }
        return gone
    }

    /// Throws if nothing can be put into the folder of a day's year.
    func checkFolder(of day: Day) throws(StorageError) { _ = try openGallery()?.folder("\(day.year)") }

    func openGallery() throws(StorageError) -> Folder? { try GalleryFolder.own(in: tree.root) }
}
