import Apod
import Configuration
import Favorites
import Files
import Glibc
import Service
import Store
import Syncing

/// Finds the day, or the item of another list, for `show` and `open`, and reads the paths that `favorites` takes.
struct DayFinder {
    /// The placeholder in `help` for the word that gives the day.
    static let words = "[DATE|PATH|latest]"
    static let explanation = """
        Name the day by its DATE (2026-11-20), or by the PATH of one of its files or of
        a favorite; a picture of another list by its path. `latest`, or nothing, is the
        newest day with a picture.
        """

    let settings: Settings

    /// The day on the command line; nil for the newest day with a picture.
    static func key(_ usage: Usage) throws(Usage.Mistake) -> Key? {
        guard usage.words.count <= 1 else { throw Usage.Mistake("one day at a time") }
        guard let word = usage.words.first, word != "latest" else { return nil }
        return try key(of: word)
    }

    /// The day of a date, or what the path of a file or of a link to one leads to.
    static func key(of word: String) throws(Usage.Mistake) -> Key {
        let path = FileSystem.resolved(word)
        if let key = LinkTarget(word.bytes).key ?? LinkTarget(linkAt: word)?.key
            ?? path.flatMap({ LinkTarget($0).key })
        {
            return key
        }
        let advice = "give a date like 2026-11-20, `latest`, or the path of one of the day's files or of a link to one"
        if word.contains(where: { "/.".contains($0) }) {
            let name = "“\(Text.shown(word, atMost: 60))”"
            throw Usage.Mistake(
                File.identity(at: word) == nil
                    ? "there is nothing at \(name); \(advice)"
                    : "\(name) is no file of a mirror, nor a link to one; \(advice)")
        }
        return .day(try Usage.day(word, advice: advice))
    }

    /// Returns the document of a day or an item; nil if it is not here, after saying why.
    func find(_ key: Key?) throws -> Document? {
        if let closed = FileSystem.closedFolder(onWayTo: settings.root) {
            throw Problem(.hidden, path: closed)
        }
        if let document = try document(of: key) { return document }
        // With `state` elsewhere, the catalog is there while the mirror's disk is away.
        guard !KnownRoots(environment: Environment.current).haveLost(settings.root),
            let catalog = try settings.catalogToRead()
        else {
            _ = try nothingMirrored(in: settings)
            return nil
        }
        let newest = key == nil ? try catalog.newestImage()?.key.day ?? catalog.newest() : nil
        guard let key = key ?? newest.map(Key.day) else {
            Terminal.complain("there is no day here yet; \(Keeping(settings.root).fetching)")
            return nil
        }
        if let document = try document(of: key) { return document }
        Terminal.complain(try reason(for: key, catalog))
        return nil
    }

    /// Reads the tree: everyone may, unlike the catalog.
    private func document(of key: Key?) throws -> Document? {
        do {
            let latest = key == nil ? try Document.latest(root: settings.root).map(Key.day) : nil
            return try (key ?? latest).flatMap { key in
                try Document.of(key, root: settings.root)
            }
        } catch {
            if error.problem.errorNumber == ENOENT { return nil }
            throw error
        }
    }

    /// Says why a day that is here has no files.
    func lack(of document: Document) -> String {
        let key = document.key
        if document.mirror.isPruned {
            let advice = key.list == nil ? "; `apod-mirror sync \(key)` fetches them again" : ""
            return "the files of \(key) were deleted\(advice)"
        }
        let item = try? settings.catalogToRead()?.item(of: key)
        return item?.words(ofFailure: "the picture of \(key)", key)
            ?? "\(key) has no picture, only its text"
    }

    /// Says why a day or an item is not here.
    private func reason(for key: Key, _ catalog: Catalog) throws -> String {
        if let day = key.day, day > NewYork.day(at: time(nil)) { return "\(day) is not published yet" }
        let item = try catalog.item(of: key)
        if item?.state == .absent { return "NASA has no picture for \(key)" }
        if let words = item?.words(ofFailure: "\(key)", key) { return words }
        return "\(key) is not here" + (key.list == nil ? "; `apod-mirror sync \(key)` fetches it" : "")
    }
}

extension Item {
    /// Says that something could not be fetched, and why; nil if the last attempt did not fail.
    fileprivate func words(ofFailure what: String, _ key: Key) -> String? {
        guard state == .failed else { return nil }
        let why = failure.map { ": \($0)" } ?? ""
        let asking = key.list.map { "--list \($0)" } ?? "\(key)"
        return "\(what) could not be fetched\(why); `apod-mirror sync \(asking)` tries again"
    }
}

extension Document {
    /// The path of a file, beginning with the root.
    func path(of file: StoredFile, in root: String) -> String {
        "\(root)/\(key.path(of: name.with(file)))"
    }
}
