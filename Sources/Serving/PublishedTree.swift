import Apod
import Files
import Glibc
import Synchronization

/// The mirror's folder and what is published in it. Between two requests nothing of it is open, so that its disk can be
/// unmounted: only what was read stays, for as long as the files are the same.
final class PublishedTree: Sendable {
    private let path: String
    private let known = Mutex(Known())
    private let lists = Lists()

    private struct Known {
        var years = DayIndex.Years()
        /// Of the folder of the index; nil before the first day.
        var facts: File.Facts?
        /// When the index was looked at.
        var moment = 0
        var number = 0

        /// What changed within the clock's last tick may have changed again.
        func isSame(_ now: File.Facts?) -> Bool {
            if let now, let facts { now.isSame(as: facts) && now.modified < moment - 1 } else { false }
        }
    }

    /// One state of the mirror, open for one request. All that is served from its folder is opened here.
    struct Root: Sendable {
        fileprivate let folder: Folder
        fileprivate let place: [UInt8]?
        fileprivate let lists: Lists
        let days: DayIndex
        /// Differs between two states.
        let number: Int
    }

    /// What is known of the indexes of other lists. They are looked at when they are asked for.
    fileprivate final class Lists: Sendable {
        let known = Mutex<[ListName: DayIndex.Years]>([:])
    }

    /// The mirror's own folder, which is never served.
    static let own = ".apod-mirror"

    init(_ path: String) { self.path = path }

    /// The number of the state that is known, where it is still that; nothing is opened for it.
    var number: Int? {
        let facts = File.facts(at: "\(path)/\(DayIndex.folder)")
        return known.withLock { $0.isSame(facts) ? $0.number : nil }
    }

    /// nil where the mirror is away.
    var root: Root? {
        let now = time(nil)
        guard let folder = try? Folder.open(path) else { return nil }
        let facts = try? folder.facts(of: DayIndex.folder)
        guard facts != nil || (try? folder.facts(of: Self.own)) != nil else { return nil }
        return known.withLock { known in
            if !known.isSame(facts) {
                guard let years = try? DayIndex.Years(in: folder, former: known.years) else { return nil }
                (known.years, known.facts, known.moment) = (years, facts, now)
                known.number += 1
            }
            let days = DayIndex(root: folder, known.years)
            return Root(folder: folder, place: folder.truePath, lists: lists, days: days, number: known.number)
        }
    }
}

extension PublishedTree.Root {
    /// nil where nothing of the list is here.
    func index(of list: ListName) -> DayIndex? {
        let former = lists.known.withLock { $0[list] } ?? DayIndex.Years()
        guard let years = try? DayIndex.Years(in: folder, of: list, former: former), !years.years.isEmpty else {
            return nil
        }
        lists.known.withLock { $0[list] = years }
        return DayIndex(root: folder, years)
    }

    /// The day, or an item of another list.
    func day(_ key: Key) -> IndexedDay? {
        switch key {
        case .day(let day): days[day]
        case .item(let item): index(of: item.list)?.newestFirst.first { $0.key == key }
        }
    }
}

extension PublishedTree.Root {
    /// What is at a path, through links that stay inside; nil where there is nothing, or nothing that is public. Both
    /// the entry and what it leads to are judged.
    func content(at path: String) -> Folder.Content? {
        let path = path.isEmpty ? "." : path
        guard let root = place,
            let entry = try? folder.below(path.bytes),
            isPublic(entry.truePath, try? entry.facts().kind, below: root),
            let content = try? folder.content(below: path), isPublic(content.truePath, content.kind, below: root)
        else { return nil }
        return content
    }

    func file(at path: String) -> File? {
        guard case .file(let file)? = content(at: path) else { return nil }
        return file
    }

    /// Whether strangers may see what is really there: nothing hidden, and of people's folders only links and the folders
    /// that have some, as they keep photos of their own there. Of the mirror's own folder, `latest.jpg` leads to a copy, and
    /// the page of changes to what was replaced.
    ///
    /// No other place decides this, and nothing here looks at the address that was asked.
    private func isPublic(_ path: [UInt8]?, _ kind: File.Kind?, below root: [UInt8]) -> Bool {
        let slash: UInt8 = "/"
        guard let path, path.starts(with: root) else { return false }
        let parts = path.dropFirst(root.count).split(separator: slash)
        let isOwn =
            parts.count > 2 && parts[0].elementsEqual(PublishedTree.own.utf8)
            && ["latest", "replaced"].contains(parts[1].text)
        guard !parts.dropFirst(isOwn ? 2 : 0).contains(where: { $0.first == "." }) else { return false }
        // Some disks take capitals for the same.
        guard !isOwn, let first = parts.first, Self.ofPeople.contains(first.text.lowercased()) else { return true }
        if kind == .folder, parts.count > 1 {
            let inner = parts.reduce(folder) { inner, part in Name(Array(part)).flatMap { try? inner?.folder($0) } }
            return inner.map { hasLinks($0, at: parts.map { Array($0) }, below: root) } ?? false
        }
        return kind == .folder || kind == .link
    }

    private static let ofPeople: Set = ["favorites", "search", "today", "frame"]

    /// Whether a folder of people's has links to files that are public, or a folder inside has.
    private func hasLinks(_ inner: Folder, at path: [[UInt8]], below root: [UInt8]) -> Bool {
        guard path.count <= AlbumName.deepest + 1, let entries = try? inner.entries() else { return false }
        while let (name, kind) = try? entries.next() {
            if name.isHidden { continue }
            let below = path + [Array(name.bytes)]
            switch kind ?? (try? inner.kind(of: name)) {
            case .folder:
                if let folder = try? inner.folder(name), hasLinks(folder, at: below, below: root) { return true }
            case .link:
                let text = Array(below.joined(separator: ["/"])).text
                guard case .file(let file)? = try? folder.content(below: text) else { continue }
                if isPublic(file.truePath, .regular, below: root) { return true }
            default: continue
            }
        }
        return false
    }

    /// The names in a folder of the tree that are public.
    func names(in inner: Folder) -> [(name: String, isFolder: Bool)] {
        guard let root = place, let place = inner.truePath else { return [] }
        var names: [(String, Bool)] = []
        try? inner.visit { name, kind in
            let path = place + ["/"] + name.bytes
            let kind = kind ?? (try? inner.kind(of: name))
            guard let text = name.text, isPublic(path, kind, below: root) else { return }
            // A link is judged by where it leads.
            let below = (path.dropFirst(root.count + 1)).text
            if kind == .link, content(at: below) == nil { return }
            names.append((text, kind == .folder))
        }
        return names
    }

    /// A file in the mirror's own folder, to be read and not served.
    func own(_ name: String) -> File? { try? folder.folder(PublishedTree.own)?.file(name) }
}

extension Folder.Content {
    fileprivate var truePath: [UInt8]? {
        switch self {
        case .file(let file): file.truePath
        case .folder(let folder): folder.truePath
        }
    }

    fileprivate var kind: File.Kind { if case .file = self { .regular } else { .folder } }
}

extension PublishedTree.Root {
    /// The members of a day's JSON file; nil where it is away or damaged.
    func members(of day: IndexedDay) -> [String: JSONText]? { document(of: day)?.members }

    private func document(of day: IndexedDay) -> File? {
        file(at: "\(day.name.folder)/\(day.name.with(FileName.json))")
    }

    /// Those before `mirror`. The rest is much longer, and most of the time that a long range takes.
    func texts(of day: IndexedDay) -> [String: JSONText]? {
        guard let file = document(of: day), let bytes = try? file.contents(atMost: File.longest) else { return nil }
        let mark = ",\n  \"mirror\":".bytes
        let end = bytes.indices.first { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
        return (try? JSONText(end.map { Array(bytes[..<$0]) + "}".utf8 } ?? bytes))?.members
    }

    /// What the list of favorites names.
    var favorites: [Key] {
        guard let bytes = try? folder.file("favorites.json")?.contents(atMost: 64 << 20) else { return [] }
        let members = (try? JSONText(bytes))?.elements?.compactMap(\.members) ?? []
        return members.filter { $0["ended"] == nil }.compactMap(Key.init)
    }

    /// The status that the service has published.
    var status: [String: JSONText]? { own("status.json")?.members }
}

extension File {
    fileprivate static let longest = 16 << 20

    /// The members of a JSON file; nil where it is damaged.
    fileprivate var members: [String: JSONText]? {
        (try? contents(atMost: Self.longest)).flatMap { (try? JSONText($0))?.members }
    }
}
