internal import Apod
internal import Files
import Glibc
internal import Synchronization

/// The mirror's folder and what is published in it. Between two requests nothing of it is open, so that its disk can be
/// unmounted: only what was read stays, for as long as the files are the same.
final class PublishedTree: Sendable {
    private let path: String
    private let known = Mutex(Known())

    private struct Known {
        var years = DayIndex.Years()
        var favorites = FavoriteLinks()
        /// Of the folder of the index; nil before the first day.
        var facts: File.Facts?
        /// When the index was looked at.
        var moment = 0
        var number = 0
    }

    /// One state of the mirror, open for one request. All that is served from its folder is opened here.
    struct Root: Sendable {
        private let folder: Folder
        private let truePath: [UInt8]?
        let days: DayIndex
        let favorites: FavoriteLinks
        /// Differs between two states.
        let number: Int
    }

    /// The mirror's own folder, which is never served.
    static let own = ".apod-mirror"

    init(_ path: String) { self.path = path }

    /// nil where the mirror is away.
    var root: Root? {
        let now = time(nil)
        guard let folder = try? Folder.open(path), let own = try? folder.folder(Self.own) else { return nil }
        let index = try? own.folder(IndexedYear.folder)
        let facts = try? index?.facts()
        return known.withLock { known in
            // What changed within the clock's last tick may have changed again.
            let isSame = facts.map { now in
                known.facts.map { now.isSame(as: $0) && now.modified < known.moment - 1 } ?? false
            }
            if isSame != true {
                guard let years = try? DayIndex.Years(index, former: known.years) else { return nil }
                (known.years, known.facts, known.moment) = (years, facts, now)
                known.number += 1
            }
            known.favorites.refresh(folder)
            return Root(folder, DayIndex(folder: index, known.years), known.favorites, known.number)
        }
    }
}

extension PublishedTree.Root {
    fileprivate init(_ folder: Folder, _ days: DayIndex, _ favorites: FavoriteLinks, _ number: Int) {
        (self.folder, truePath) = (folder, folder.truePath)
        (self.days, self.favorites, self.number) = (days, favorites, number)
    }

    /// What is at a path, through links that stay inside; nil where there is nothing, or nothing that is public. Both
    /// the entry and what it leads to are judged.
    func content(at path: String) -> Folder.Content? {
        let path = path.isEmpty ? "." : path
        guard let entry = try? folder.below(Array(path.utf8)), isPublic(entry.truePath),
            let content = try? folder.content(below: path), isPublic(content.truePath)
        else { return nil }
        return content
    }

    func file(at path: String) -> File? {
        guard case .file(let file)? = content(at: path) else { return nil }
        return file
    }

    /// Whether strangers may see what is really there: nothing hidden, and of `favorites` only what is known as one, as
    /// people keep photos of their own there. `latest.jpg` may lead into the mirror's own folder.
    ///
    /// No other place decides this, and nothing here looks at the address that was asked.
    func isPublic(_ path: [UInt8]?) -> Bool {
        let slash = UInt8(ascii: "/")
        guard let path, let root = truePath, path.starts(with: root) else { return false }
        var parts = path.dropFirst(root.count).split(separator: slash)
        if parts.count > 2, parts[0].elementsEqual(PublishedTree.own.utf8), parts[1].elementsEqual("latest".utf8) {
            parts.removeFirst(2)
        }
        guard !parts.contains(where: { $0.first == UInt8(ascii: ".") }) else { return false }
        // Some disks take capitals for the same.
        guard let first = parts.first, String(decoding: first, as: UTF8.self).lowercased() == "favorites" else {
            return true
        }
        return favorites.has(parts.dropFirst().joined(separator: [slash]))
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
}

extension PublishedTree.Root {
    /// The members of a day's JSON file; nil where it is away or damaged.
    func members(of day: IndexedDay) -> [String: JSONText]? {
        file(at: "\(day.name.folder)/\(day.name.with(Metadata.suffix))")?.members
    }

    /// The status that the service has published.
    var status: [String: JSONText]? { own("status.json")?.members?["status"]?.members }
}

extension File {
    private static let longest = 16 << 20

    /// The members of a JSON file; nil where it is damaged.
    fileprivate var members: [String: JSONText]? {
        (try? contents(atMost: Self.longest)).flatMap { (try? JSONText($0))?.members }
    }
}
