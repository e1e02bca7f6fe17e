package import Apod
import Files
import Synchronization

/// The folders of links for which a person asks by making them: each in `search` has what a search for its name finds, and
/// `today` the days of this date in every year.
///
/// A link of the mirror's has the time, the name and the target that the mirror gives, so that what a person puts in stays.
/// Its time also says for which folder it was made (`mark`), so that what a person moves here from another one stays.
package final class LinkFolders: Sendable {
    private let archive: Archive
    /// The folders in `search` that have their links, but for what changes from here on.
    private let filled = Mutex<[String: String]>([:])

    package init(_ archive: Archive) { self.archive = archive }

    private var catalog: Catalog { archive.catalog }

    package var hasToday: Bool { (try? archive.tree.root.kind(of: Tree.today)) == .folder }

    /// Fills the folders that are new, and brings the others up to date with some keys, or with all; and with the favorites,
    /// if these have changed. Throws at the end why a folder could not be filled.
    package func update(_ keys: Set<Key>?, favorites haveChanged: Bool = true, on today: Day?) throws {
        var failure: Problem?
        func attempt(_ work: () throws -> Void) { do { try work() } catch { failure = failure ?? error.problem } }
        attempt { try fillSearch(keys, haveChanged, attempt) }
        attempt {
            guard let today, let folder = try opened(Tree.today, in: archive.tree.root) else { return }
            let files = try catalog.files(of: SearchTerms(""), among: Set(today.inAllYears.map(Key.day)))
            let search = (try? archive.tree.root.folder(Tree.search)?.names()) ?? []
            try put(files, among: folder.names(), in: folder, Tree.today, of: Self.marks(search))
        }
        if let failure { throw failure }
    }

    private func fillSearch(_ keys: Set<Key>?, _ haveChanged: Bool, _ attempt: (() throws -> Void) -> Void) throws {
        let before = filled.withLock { filled in
            defer { filled = [:] }
            return filled
        }
        guard let search = try opened(Tree.search, in: archive.tree.root) else { return }
        let changed = try (keys ?? []).compactMap { try catalog.item(of: $0)?.stored?.name }
        // Nothing tells how the files of these were called.
        let gone = (keys ?? []).subtracting(changed.map(\.key))
        let dates = Set(gone.days.map(\.description))
        let (lists, favorites) = (try catalog.lists(), archive.favorites.known)
        let all = try search.names()
        let marks = Self.marks(all)
        for name in all where !name.hasPrefix(".") && !Task.isCancelled {
            attempt {
                guard let folder = try opened(name, in: search) else { return }
                let terms = SearchTerms(name, lists: lists)
                // A new folder may get the number of one that was deleted, and a new list the name of a word.
                let identity = try "\(folder.fingerprint() ?? "\(folder.identity())") \(terms.lists)"
                let isFilled =
                    keys != nil && before[name] == identity && !(terms.areFavorites && haveChanged)
                    && !gone.contains { $0.list != nil }
                var files = try catalog.files(of: terms, among: isFilled ? keys : nil)
                if terms.areFavorites { files.removeAll { !favorites.isFavorite($0.name.key) } }
                var names = isFilled && gone.isEmpty ? [] : try folder.names()
                if isFilled {
                    names = names.filter { dates.contains(String($0.prefix(10))) }
                    names += try changed.flatMap(Self.names).filter { try folder.known($0) != nil }
                }
                try put(files, among: names, in: folder, Self.path(name), of: marks)
                filled.withLock { $0[name] = identity }
            }
        }
    }

    /// Opens a folder that a person has made; nil where there is none. An empty one in which the mirror may not write is made
    /// again, as its own. One of a service's own (`sudo -u apod-mirror mkdir`) is its group's, too.
    private func opened(_ name: String, in parent: Folder) throws -> Folder? {
        guard try parent.kind(of: name) == .folder else { return nil }
        if let folder = try? parent.folder(name), (try? folder.checkWritable()) != nil {
            if let facts = try? folder.facts(), facts.permissions & 0o020 == 0 { folder.share() }
            return folder
        }
        if (try? parent.removeEmptyFolder(name)) != nil, try parent.kind(of: name) == nil {
            return try parent.makeFolder(name, shared: true)
        }
        return try parent.folder(name)
    }

    /// Makes the links that are missing, and removes those that nothing asks for any more. `names`: of what is there.
    /// `path`: the folder's, below the root. `marks`: those of all folders.
    private func put(
        _ files: [(name: FileName, file: String)], among names: [String], in folder: Folder, _ path: String,
        of marks: Set<Int>
    ) throws {
        let climb = String(repeating: "../", count: path.split(separator: "/").count)
        let mark = Self.mark(path)
        let others = marks.subtracting([mark])
        let links = Dictionary(files.map { ($0.name(amongLists: $1), climb + $0.path(of: $1)) }) { one, _ in one }
        for name in names where links[name] == nil {
            guard let target = folder.target(of: name), target.hasPrefix(climb),
                name.hasSuffix(target.split(separator: "/").last ?? "/"),
                let facts = try folder.facts(of: name), facts.modified == Self.time,
                !others.contains(facts.modifiedNanoseconds)
            else { continue }
            try folder.remove(name)
        }
        let (there, unfinished, temporary) = (Set(names), archive.tree.unfinished, "search.new")
        for (name, target) in links where !there.contains(name) {
            try unfinished.remove(temporary)
            try unfinished.makeLink(temporary, to: target)
            try unfinished.setModified(ofLink: temporary, Self.time, nanoseconds: mark)
            do {
                // It gets its name with its time, and only where nothing has that name.
                try unfinished.makeHardLink(temporary, in: folder, as: name)
            } catch {
                // Not every file system has hard links, and none to another one.
                try folder.makeLink(name, to: target)
                try folder.setModified(ofLink: name, Self.time, nanoseconds: mark)
            }
            try unfinished.remove(temporary)
        }
    }

    private static let time = Day.first.noon

    private static func path(_ name: String) -> String { "\(Tree.search)/\(name)" }

    /// Those of `today` and of the folders in `search`.
    private static func marks(_ names: [String]) -> Set<Int> { Set([mark(Tree.today)] + names.map { mark(path($0)) }) }

    /// The nanoseconds in the time of a folder's links, in whole microseconds and never none. A folder that was renamed has
    /// links with a mark that no other folder has.
    private static func mark(_ path: String) -> Int {
        (1 + Digest(of: path.bytes).bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) } % 999_999) * 1000
    }

    /// What the link to an item may be called: its file may have been of another type before.
    private static func names(of name: FileName) -> [String] {
        MediaType.allCases.map { name.name(amongLists: name.with($0.suffix)) }
    }
}
