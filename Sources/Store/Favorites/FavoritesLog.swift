package import Apod
package import Files
import Synchronization

/// The history of the favorites, and what it says of them.
///
/// `.apod-mirror/history` has one JSON object a line (`HistoryLine`), and is only appended to. It is the truth: the
/// favorites (`KnownFavorites`) are its fold, kept in memory; favorites.json is an export of that (`FavoritesExport`).
/// One process appends: the one that holds the mirror's lock. A line is on the disk before what it tells of counts, and
/// before the mirror rewrites the link. A person may put another history in its place, like one from a backup: it is read
/// before the next line.
package final class FavoritesLog: Sendable {
    private struct State {
        var known = KnownFavorites()
        /// Open while this process appends.
        var file: File?
        /// Of the file as it was last read or written; nil where there is none.
        var facts: File.Facts?
        var hasLines = false
        var wasReplaced = false
    }

    private static let name = "history"
    private static let newLine: UInt8 = "\n"
    /// No line is longer: a place is at most 32 names of 255 bytes.
    private static let longest = 256 << 10

    /// nil for a reader, whose lines count in its memory only.
    private let tree: Tree?
    private let opened: Int
    private let state: Mutex<State>

    /// Reads the history of the mirror in `root`.
    package init(toRead root: Folder) throws {
        (tree, opened) = (nil, 0)
        state = Mutex(try root.folder(Tree.ownFolder).map(Self.read) ?? State())
    }

    /// Opens the history to append to it. `now`: the time to assume where a list of favorites tells none.
    package init(_ tree: Tree, at now: Int) throws {
        (self.tree, opened) = (tree, now)
        state = Mutex(State())
        try state.withLock { state in state = try load(tree) }
    }

    /// The favorites at this moment. Nobody should hold it for long: the next line would copy it.
    package var known: KnownFavorites { state.withLock(\.known) }

    /// Grows with each line.
    package var length: Int { state.withLock { $0.facts?.bytes ?? 0 } }

    /// Whether it is a favorite, or was one within a year.
    package func has(_ key: Key) -> Bool { state.withLock { $0.known.has(key) } }

    package func isFavorite(_ key: Key) -> Bool { state.withLock { $0.known.isFavorite(key) } }

    package func id(of key: Key) -> String? { state.withLock { $0.known.id(of: key) } }

    package func links(at place: Place) -> [KnownLink] { state.withLock { $0.known.links(at: place) } }

    /// Forgets in memory what ended before a moment.
    package func forget(before limit: Int) { state.withLock { $0.known.forget(before: limit) } }

    /// Appends lines. When it returns, they are on the disk and count; after an error, none of them does.
    package func append(_ lines: some Collection<HistoryLine>) throws {
        if lines.isEmpty { return }
        try state.withLock { state in
            if let tree {
                try refresh(&state, tree)
                try write(lines, &state, in: tree.own)
            }
            for line in lines { state.known.enter(line) }
        }
    }

    /// Returns whether the history was deleted, cut or replaced since the last call, as by a backup. Then it says what its
    /// lines say now, and the folder what is missing.
    package func wasReplaced() throws -> Bool {
        guard let tree else { return false }
        return try state.withLock { state in
            try refresh(&state, tree)
            defer { state.wasReplaced = false }
            return state.wasReplaced
        }
    }

    private func refresh(_ state: inout State, _ tree: Tree) throws {
        let facts = try tree.own.facts(of: Self.name)
        let isSame = if let known = state.facts { facts?.isSame(as: known) == true } else { facts == nil }
        if isSame { return }
        state = try load(tree)
        state.wasReplaced = true
    }

    private func load(_ tree: Tree) throws -> State {
        var state = try Self.read(tree.own)
        if state.hasLines { return state }
        let lines = try FavoritesFile.lines(in: tree.root, at: opened)
        if lines.isEmpty { return state }
        try write(lines, &state, in: tree.own)
        for line in lines { state.known.enter(line) }
        return state
    }

    private func write(_ lines: some Collection<HistoryLine>, _ state: inout State, in own: Folder) throws {
        let file = if let file = state.file { file } else { try own.makeFile(Self.name, keeping: true) }
        let start = try file.seekToEnd()
        do {
            // A half line that somebody else, or a kill, has left would swallow this one.
            let isTorn = try start > 0 && file.bytes(at: start - 1, count: 1) != [Self.newLine]
            var bytes = isTorn ? [Self.newLine] : []
            func flush() throws {
                try file.append(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            for var line in lines {
                line.id = line.id ?? state.known.id(of: line.link.key)
                bytes += line.json.compact
                bytes.append(Self.newLine)
                // There may be very many.
                if bytes.count > 256 << 10 { try flush() }
            }
            try flush()
            try file.sync()
            if start == 0 { try own.sync() }
            (state.file, state.facts) = (file, try file.facts())
        } catch {
            // Without what this process has written of the lines. Where that fails, it is read again.
            let isCut = (try? file.truncate(to: start)) != nil
            (state.file, state.facts) = (nil, isCut ? try? file.facts() : nil)
            throw error
        }
    }

    /// All lines, the oldest first.
    package static func lines(in root: Folder) throws -> [HistoryLine] {
        var lines: [HistoryLine] = []
        if let file = try root.folder(Tree.ownFolder)?.file(name) { try forEachLine(of: file) { lines.append($0) } }
        return lines
    }

    private static func read(_ own: Folder) throws -> State {
        var state = State()
        guard let file = try own.file(name) else { return state }
        state.facts = try file.facts()
        try forEachLine(of: file) { line in
            state.hasLines = true
            state.known.enter(line)
        }
        return state
    }

    /// Passes over what is no line. The last one counts without its end, too: an editor may have left that out.
    private static func forEachLine(of file: File, _ body: (HistoryLine) -> Void) throws {
        var (position, line): (Int, [UInt8]) = (0, [])
        func end() {
            if line.count <= longest, let line = HistoryLine(line) { body(line) }
            line.removeAll(keepingCapacity: true)
        }
        while true {
            let piece = try file.bytes(at: position, count: 256 << 10)
            if piece.isEmpty { return end() }
            var start = 0
            while let next = piece[start...].firstIndex(of: newLine) {
                line += piece[start..<next]
                end()
                start = next + 1
            }
            if line.count <= longest { line += piece[start...] }
            position += piece.count
        }
    }
}

extension FavoritesLog {
    /// The favorites with their titles and pictures, oldest day first, and behind them those of other lists.
    package func favorites(_ catalog: Catalog) throws -> [Favorite] {
        var favorites: [Favorite] = []
        try forEach(known.keys, catalog) { favorites.append($0) }
        return favorites
    }

    /// Calls `body` with what is known of some keys, oldest day first, each as it is at that moment.
    func forEach(_ keys: Set<Key>, _ catalog: Catalog, _ body: (Favorite) throws -> Void) throws {
        var rest = keys.sorted()[...]
        // There may be very many links.
        while !rest.isEmpty {
            let portion = rest.prefix(512)
            rest = rest.dropFirst(portion.count)
            let (known, faces, ids) = (known, try catalog.faces(of: portion), try catalog.ids(of: portion))
            for var favorite in portion.compactMap(known.favorite) {
                favorite.id = favorite.id ?? ids[favorite.key]
                favorite.title = faces[favorite.key]?.title
                favorite.picture = faces[favorite.key]?.picture
                favorite.files = favorite.files.filter { favorite.key.path(of: $1) != favorite.picture }
                try body(favorite)
            }
        }
    }
}
