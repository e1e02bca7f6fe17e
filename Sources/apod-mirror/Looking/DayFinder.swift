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
    /// The placeholder in `help` for the word that gives the day.
    static let words = "[DATE|PATH|latest]"
    static let explanation = """
        A day is given by its DATE (2026-11-20), or by the PATH of one of its files or
        of a favorite. `latest`, or nothing, is the newest day with a picture.
        """

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
        guard let day = try day ?? catalog.newestImage()?.day ?? catalog.newest() else {
            Terminal.complain("there is no day here yet; \(Keeping(settings.root).fetching)")
            return nil
        }
        if let document = try document(of: day) { return document }
        Terminal.complain(try reason(for: day, catalog))
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
        if document.isPruned {
            return "the files of \(day) were deleted; `apod-mirror sync \(day)` fetches them again"
        }
        let status = try? settings.catalogToRead()?.status(of: day)
        return status?.words(ofFailure: "the picture of \(day)") ?? "\(day) has no picture, only its text"
    }

    /// Says why a day is not here.
    private func reason(for day: Day, _ catalog: Catalog) throws(StorageError) -> String {
        if day > NewYork.day(at: time(nil)) { return "\(day) is not published yet" }
        let status = try catalog.status(of: day)
        if status?.state == .absent { return "NASA has no picture for \(day)" }
        return status?.words(ofFailure: "\(day)") ?? "\(day) is not here; `apod-mirror sync \(day)` fetches it"
    }
}

extension DayStatus {
    /// Says that something could not be fetched, and why; nil if the last attempt did not fail.
    fileprivate func words(ofFailure what: String) -> String? {
        guard state == .failed else { return nil }
        let why = failure.map { ": \($0)" } ?? ""
        return "\(what) could not be fetched\(why); `apod-mirror sync \(day)` tries again"
    }
}

extension DayDocument {
    /// The path of a file, beginning with the root.
    func path(of file: StoredFile, in root: String) -> String {
        "\(root)/\(name.path(file))"
    }
}
