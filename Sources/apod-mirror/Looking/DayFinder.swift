import Apod
import Archive
import Catalog
import Configuration
import Control
import Favorites
import Files
import Glibc
import Syncing

/// Finds the day for `show` and `open`, and reads the paths that `favorites` takes.
struct DayFinder {
    let settings: Settings

    /// The day on the command line; nil for the newest day with a picture.
    static func day(_ usage: Usage) throws(Usage.Mistake) -> Day? {
        guard usage.words.count <= 1 else { throw Usage.Mistake("one day at a time") }
        guard let word = usage.words.first, word != "latest" else { return nil }
        return try day(of: word)
    }

    /// The day of a date, or of the path of one of its files or of a link to one.
    static func day(of word: String) throws(Usage.Mistake) -> Day {
        if let day = LinkTarget(Array(word.utf8)).day ?? LinkTarget(linkAt: word)?.day { return day }
        let advice = "give a date like 2026-11-20, `latest`, or the path of one of the day's files or of a link to one"
        if word.contains(where: { "/.".contains($0) }), File.identity(at: word) == nil {
            throw Usage.Mistake("there is nothing at “\(Text.shown(word, atMost: 60))”; \(advice)")
        }
        return try Usage.day(word, advice: advice)
    }

    /// Returns a day's document; nil if it is not here, after saying why.
    func find(_ day: Day?) throws -> DayDocument? {
        if let closed = FileSystem.closedFolder(onWayTo: settings.root) {
            throw ArchiveError.hidden(by: closed)
        }
        if let document = try document(of: day) { return document }
        // With `state` elsewhere, the catalog is there while the mirror's disk is away.
        guard !KnownRoots(environment: Environment.current).haveLost(settings.root),
            let catalog = try settings.catalogToRead()
        else {
            _ = try nothingMirrored(in: settings)
            return nil
        }
        let (newest, picture) = (try catalog.newest(), try catalog.newestImage()?.day)
        guard let day = day ?? picture ?? newest else {
            Terminal.complain("there is no day here yet; \(ServiceAdvice(settings.root).fetching)")
            return nil
        }
        if let document = try document(of: day) { return document }
        Terminal.complain(try reason(for: day, newest, catalog))
        return nil
    }

    /// Reads the tree: everyone may, unlike the catalog.
    private func document(of day: Day?) throws(StorageError) -> DayDocument? {
        do throws(StorageError) {
            guard let day = if let day { day } else { try DayDocument.latest(root: settings.root) } else { return nil }
            return try DayDocument.of(day, root: settings.root)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Says why a day that is here has no files.
    func lack(of document: DayDocument) -> String {
        let day = document.name.day
        let catalog = try? settings.catalogToRead()
        if document.isPruned {
            let limits = settingsInForce.limits
            let why = limits.isEmpty ? "" : " (\(limits.joined(separator: ", ")))"
            return "the files of \(day) were deleted\(why); \(fetching(day, catalog, again: true))"
        }
        let status = try? catalog?.status(of: day)
        if status?.isCutOff == true {
            return "the picture of \(day) is not fetched yet; `apod-mirror sync \(day)` fetches it now"
        }
        if let status, status.state == .failed, let failure = status.failure {
            return "the picture of \(day) could not be fetched: \(failure); `apod-mirror sync \(day)` tries again"
        }
        return "\(day) has no picture, only its text"
    }

    /// The running service's settings, or else the command's own.
    private var settingsInForce: Settings { settings.service?.settings(in: settings.root) ?? settings }

    /// Names the command that fetches a day to stay: outside `keep` and `max-total`, only favorites do.
    private func fetching(_ day: Day, _ catalog: Catalog?, again: Bool = false) -> String {
        let settings = settingsInForce
        let keeps = catalog.map { try? MirrorRange(settings: settings, catalog: $0, now: time(nil)).keeps(day) } ?? nil
        if keeps ?? true { return "`apod-mirror sync \(day)` fetches \(again ? "them again" : "it")" }
        return "`apod-mirror favorites add \(day)` brings \(again ? "them back" : "it") to stay"
    }

    /// Says why a day is not here.
    private func reason(for day: Day, _ newest: Day?, _ catalog: Catalog) throws(StorageError) -> String {
        let now = time(nil)
        let today = NewYork.day(at: now)
        let status = try catalog.status(of: day)
        if let name = status?.stored?.name {
            let folder = try? Tree.existingFolder(of: day, in: Folder.open(settings.root))
            let isThere = (try? folder?.kind(of: name.with(Metadata.suffix))) != nil
            let lack = isThere ? "damaged" : "missing"
            return "the JSON file of \(day) is \(lack); `apod-mirror verify --repair` fetches it again"
        }
        if day > today { return "\(day) is not published yet" }
        var fetching: String { self.fetching(day, catalog) }
        switch status?.state {
        case .absent: return "NASA has no picture for \(day)"
        case .failed:
            let why = status?.failure.map { ": \($0)" } ?? ""
            return "\(day) could not be fetched\(why); `apod-mirror sync \(day)` tries again"
        default: break
        }
        let range = MirrorRange(settings: settings, catalog: catalog, now: now)
        let since = try range.since()
        if day < since { return "\(day) is not here, as the mirror begins with \(since) (since); \(fetching)" }
        guard try range.wanted(until: today)?.contains(day) == true else {
            return "\(day) is not here, as \(settings.words(notAllowing: "it")); \(fetching)"
        }
        if day == today, newest.map({ $0 < day }) ?? true {
            return "\(day) is not here yet, or not published yet; `apod-mirror sync` asks for it"
        }
        return "\(day) is not fetched yet; \(fetching) now"
    }
}

extension DayDocument {
    /// The path of a file, beginning with the root.
    func path(of file: StoredFile, in root: String) -> String {
        "\(root)/\(name.folder)/\(name.with(file.type.suffix))"
    }
}
