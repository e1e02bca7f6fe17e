package import Apod
package import Files
import Synchronization

/// The history of the favorites, and what it says of them.
///
/// `.apod-mirror/history` has one JSON object a line (`HistoryLine`), and is only appended to. It is the truth: the
/// favorites (`KnownFavorites`) are its fold, kept in memory; favorites.json is an export of that, read where no line
/// tells of a link (`OlderFavorites`). One process appends: the one that holds the mirror's lock. A line is on the disk
/// before what it tells of counts, and before the mirror rewrites the link.
package final class FavoritesLog: Sendable {
    private struct State {
        var known = KnownFavorites()
        /// Where the last whole line ends. What is behind it was cut off.
        var end = 0
    }

    private static let name = "history"
    private static let newLine = UInt8(ascii: "\n")

    /// nil for a mirror that was never opened.
    private let own: Folder?
    private let state: Mutex<State>

    /// Reads the history of the mirror in `root`.
    package init(toRead root: Folder, at now: Int) throws(StorageError) {
        own = try root.folder(Tree.ownFolder)
        var (state, tellsOfLinks) = try own.map(Self.read) ?? (State(), false)
        if !tellsOfLinks { for line in try OlderFavorites.lines(in: root, at: now) { state.known.enter(line) } }
        self.state = Mutex(state)
    }

    /// Opens the history to append to it.
    package init(_ tree: Tree, at now: Int) throws(StorageError) {
        own = tree.own
        let (state, tellsOfLinks) = try Self.read(tree.own)
        self.state = Mutex(state)
        if !tellsOfLinks { try append(try OlderFavorites.lines(in: tree.root, at: now)) }
    }

    /// The favorites at this moment. Nobody should hold it for long: the next line would copy it.
    package var known: KnownFavorites { state.withLock(\.known) }

    /// Whether it is a favorite, or was one within a year.
    package func has(_ subject: Subject) -> Bool { state.withLock { $0.known.has(subject) } }

    package func links(at place: Place) -> [KnownLink] { state.withLock { $0.known.links(at: place) } }

    /// Forgets in memory what ended before a moment.
    package func forget(before limit: Int) { state.withLock { $0.known.forget(before: limit) } }

    /// Appends lines. When it returns, they are on the disk and count; after an error, none of them does.
    package func append(_ lines: some Collection<HistoryLine>) throws(StorageError) {
        if lines.isEmpty { return }
        guard let own else { return }
        try state.withLock { state throws(StorageError) in
            let file = try own.makeFile(Self.name, keeping: true)
            let size = try file.facts().bytes
            // Somebody has deleted or cut the file: it gets what is known.
            let isCut = size < state.end
            let start = isCut ? 0 : state.end
            var end = start
            do throws(StorageError) {
                try file.truncate(to: start)
                if isCut { try Self.write(state.known.lines, to: file, &end) }
                try Self.write(lines, to: file, &end)
                try file.sync()
                if start == 0 { try own.sync() }
            } catch {
                try? file.truncate(to: start)
                throw error
            }
            state.end = end
            for line in lines { state.known.enter(line) }
        }
    }

    /// Piece by piece: there may be very many lines.
    private static func write(
        _ lines: some Sequence<HistoryLine>, to file: File, _ end: inout Int
    ) throws(StorageError) {
        var bytes: [UInt8] = []
        func flush() throws(StorageError) {
            try file.append(bytes)
            end += bytes.count
            bytes.removeAll(keepingCapacity: true)
        }
        for line in lines {
            bytes += line.json.compact
            bytes.append(newLine)
            if bytes.count > 256 << 10 { try flush() }
        }
        try flush()
    }

    /// All lines, the oldest first.
    package static func lines(in root: Folder) throws(StorageError) -> [HistoryLine] {
        var lines: [HistoryLine] = []
        if let own = try root.folder(Tree.ownFolder) { _ = try forEachLine(in: own) { lines.append($0) } }
        return lines
    }

    private static func read(_ own: Folder) throws(StorageError) -> (State, tellsOfLinks: Bool) {
        var (state, tellsOfLinks) = (State(), false)
        state.end = try forEachLine(in: own) { line in
            if line.tellsOfLinks { tellsOfLinks = true }
            state.known.enter(line)
        }
        return (state, tellsOfLinks)
    }

    /// Passes over what is no line. Returns where the last whole line ends.
    private static func forEachLine(in own: Folder, _ body: (HistoryLine) -> Void) throws(StorageError) -> Int {
        guard let file = try own.file(name) else { return 0 }
        var (end, rest): (Int, [UInt8]) = (0, [])
        while true {
            let piece = try file.bytes(at: end + rest.count, count: 256 << 10)
            if piece.isEmpty { return end }
            rest += piece
            var start = 0
            while let next = rest[start...].firstIndex(of: newLine) {
                if let line = HistoryLine(Array(rest[start..<next])) { body(line) }
                start = next + 1
            }
            rest.removeFirst(start)
            end += start
        }
    }
}
