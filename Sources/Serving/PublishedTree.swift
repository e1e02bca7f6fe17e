internal import Apod
internal import Files
import Glibc
internal import Synchronization

/// The mirror's folder and what is published in it. Both are opened anew when another folder is in their place.
final class PublishedTree: Sendable {
    let path: String
    private let open = Mutex<Open?>(nil)

    private struct Open {
        let root: Root
        let facts: File.Facts
        /// When the index was looked at.
        let moment: Int
    }

    /// One state of the mirror.
    struct Root: Sendable {
        let folder: Folder
        let days: DayIndex
        /// Differs between two states.
        let number: Int
    }

    /// The mirror's own folder, which is never served.
    static let own = ".apod-mirror"

    init(_ path: String) { self.path = path }

    /// nil where the mirror is away, or nothing is published.
    var root: Root? {
        let now = time(nil)
        return open.withLock { open in
            guard let facts = Self.facts(of: "\(path)/\(Self.own)/\(IndexedYear.folder)") else {
                open = nil
                return nil
            }
            // What changed within the clock's last tick may have changed again.
            if let open, open.facts.isSame(as: facts), facts.modified < open.moment - 1 { return open.root }
            guard let folder = try? Folder.open(path),
                let index = try? Folder.open("\(path)/\(Self.own)/\(IndexedYear.folder)"),
                let days = try? DayIndex(index, former: open?.root.days)
            else { return nil }
            let root = Root(folder: folder, days: days, number: (open?.root.number ?? 0) + 1)
            open = Open(root: root, facts: facts, moment: now)
            return root
        }
    }

    private static func facts(of path: String) -> File.Facts? { try? Folder.open(path).facts() }
}

extension PublishedTree.Root {
    private static let longest = 16 << 20

    /// The members of a day's JSON file; nil where it is away or damaged.
    func members(of day: IndexedDay) -> [String: JSONText]? {
        members(at: "\(day.name.folder)/\(day.name.with(Metadata.suffix))")
    }

    /// The members of a JSON file below the root.
    func members(at path: String) -> [String: JSONText]? {
        guard let bytes = try? folder.file(below: path)?.contents(atMost: Self.longest) else { return nil }
        return (try? JSONText(bytes))?.members
    }
}

extension Folder {
    /// The regular file at a path, through links that stay inside; nil where there is none.
    func file(below path: String) -> File? {
        guard case .file(let file)? = try? content(below: path) else { return nil }
        return file
    }
}
