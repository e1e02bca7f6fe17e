import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

/// A mirror's root whose favorites are watched.
final class Outlook {
    private let temporary: TemporaryFolder
    let root: String
    let changeQueue = ChangeQueue()
    let watcher: Watcher
    private var links = 0
    private(set) var timesEverywhere = 0

    init(
        _ folders: String..., at inner: String? = nil, pollInterval: Duration = .milliseconds(20),
        prepared prepare: (String) throws -> Void = { _ in }, raceHook: @escaping RaceHook = { _ in }
    ) throws {
        let temporary = try TemporaryFolder()
        self.temporary = temporary
        root = inner.map { $0.hasPrefix("/") ? $0 : temporary.appending($0) } ?? temporary.path
        if inner != nil { _ = mkdir(root, 0o755) }
        for folder in folders { mkdir("\(root)/\(folder)", 0o755) }
        try prepare(root)
        watcher = Watcher(root: root, changeQueue: changeQueue, pollInterval: pollInterval, raceHook: raceHook)
        #expect(changeQueue.take() == .everywhere)
    }

    deinit { watcher.stop() }

    func path(_ name: String) -> String { "\(root)/\(name)" }

    func makeFolder(_ name: String) throws { try system("mkdir \(name)", mkdir(path(name), 0o755)) }

    func makeLink(_ name: String) throws { try system("symlink \(name)", symlink("../x.jpg", path(name))) }

    func move(_ name: String, to newName: String) throws {
        try system("rename \(name)", Glibc.rename(path(name), path(newName)))
    }

    func remove(_ name: String) throws { try system("remove \(name)", Glibc.remove(path(name))) }

    func system(_ call: String, _ code: Int32) throws { guard code == 0 else { throw SystemError(call) } }

    /// What is in the queue, as soon as that is something.
    func dirty(_ awaited: Any = "a change") async throws -> DirtyPaths {
        while true {
            // Nothing comes into the queue of a test that takes too long.
            if Task.isCancelled { throw Missed("\(awaited)", instead: watcher.watching) }
            let dirty = changeQueue.take()
            if dirty == .everywhere { timesEverywhere += 1 }
            if dirty != .none { return dirty }
            for await _ in changeQueue.wakeUps { break }
        }
    }

    func everywhere() async throws { while try await dirty("everywhere") != .everywhere {} }

    /// Returns when all of these were queued, and by their names.
    func places(_ expected: Place...) async throws {
        var missing = Set(expected)
        while !missing.isEmpty {
            let dirty = try await dirty(missing)
            guard case .places(let places) = dirty else {
                Issue.record("queued everywhere, not \(missing)")
                return
            }
            missing.subtract(places)
        }
    }

    /// Returns when a new link in the album is queued by its name. Before that it may be armed once more.
    func link(in album: String) async throws {
        while true {
            links += 1
            let name = "link \(links)"
            let place = Place(stringLiteral: album.isEmpty ? name : "\(album)/\(name)")
            try makeLink("favorites/\(place)")
            while true {
                let dirty = try await dirty(place)
                if dirty == .everywhere { break }
                if case .places(let places) = dirty, places.contains(place) { return }
            }
        }
    }

    /// What `value` has of the state, as soon as that is something.
    private func state<Value>(_ value: (WatchState) -> Value?) async throws -> Value {
        while true {
            if let value = value(watcher.watching) { return value }
            if Task.isCancelled { throw Missed("another state", instead: watcher.watching) }
            for await _ in changeQueue.wakeUps { break }
        }
    }

    func state(_ expected: WatchState) async throws { try await state { $0 == expected ? () : nil } }

    func lost() async throws -> FavoritesLack {
        try await state { if case .lost(let lack) = $0 { lack } else { nil } }
    }

    func polling() async throws -> String {
        try await state { if case .polling(let why) = $0 { why.words } else { nil } }
    }

    func watched() async throws { try await state(.inotify) }
}
