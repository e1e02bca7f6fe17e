import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Favorites

/// A mirror's root with a bell for its favorites.
final class Outlook {
    private let temporary: TemporaryFolder
    let root: String
    private var bell: Bell?
    private var pending = DirtyPaths.none
    private var links = 0
    private(set) var timesEverywhere = 0
    private var hasAsked = false

    /// Longer than two polls, where other programs of the same user have all instances of inotify for a while.
    private static let patience = Duration.seconds(250)

    init(
        _ folders: String..., at inner: String? = nil, pollInterval: Duration = .milliseconds(20),
        prepared prepare: (String) throws -> Void = { _ in }
    ) throws {
        temporary = try TemporaryFolder()
        root = inner.map(temporary.appending) ?? temporary.path
        if inner != nil { mkdir(root, 0o755) }
        for folder in folders { mkdir("\(root)/\(folder)", 0o755) }
        try prepare(root)
        let asked = { [unowned self] in hasAsked = true }
        bell = Bell(root: root, wakeUp: EventFD(), pollInterval: pollInterval, asked: asked) { false }
        #expect(bell?.next(until: .now) == .everywhere)
        try state { if case .polling(let why) = $0 { why.code != .limit } else { true } }
        (pending, hasAsked) = (.none, false)
    }

    var watching: WatchState { bell!.watching! }

    func stop() { bell = nil }

    func path(_ name: String) -> String { "\(root)/\(name)" }

    func sh(_ script: String) throws {
        guard system("cd '\(root)' && bash -ec '\(script)'") == 0 else { throw SystemError(script) }
    }

    /// Where something may have changed until then.
    func rung(for time: Duration = .zero) -> DirtyPaths {
        let end = ContinuousClock.now + time
        repeat { pending.add(bell!.next(until: end)) } while .now < end
        defer { pending = .none }
        return pending
    }

    private func next(_ awaited: Any) throws -> DirtyPaths {
        defer { pending = .none }
        let end = ContinuousClock.now + Self.patience
        while pending == .none {
            guard .now < end else { throw Missed("\(awaited)", instead: watching) }
            pending.add(bell!.next(until: end))
        }
        if pending == .everywhere { timesEverywhere += 1 }
        return pending
    }

    func everywhere() throws { while try next("everywhere") != .everywhere {} }

    /// Returns when it has rung for all of these, by their names.
    func places(_ expected: Place...) throws {
        var missing = Set(expected)
        while !missing.isEmpty {
            guard case .places(let places) = try next(missing) else {
                Issue.record("rang for everywhere, not \(missing)")
                return
            }
            missing.subtract(places)
        }
    }

    /// Returns when it has rung for a new link in the album by its name. Before that it may be armed once more.
    func link(in album: String) throws {
        while true {
            links += 1
            let place = Place(stringLiteral: album.isEmpty ? "link \(links)" : "\(album)/link \(links)")
            guard symlink("../x.jpg", path("favorites/\(place)")) == 0 else { throw SystemError("symlink \(place)") }
            while true {
                guard case .places(let places) = try next(place) else { break }
                if places.contains(place) { return }
            }
        }
    }

    /// Returns as soon as changes become known in this way.
    func state(_ isMeant: (WatchState) -> Bool) throws { try wait("another state") { isMeant(watching) } }

    /// Returns when it has asked since the last time.
    func asks() throws {
        try wait("a question") { hasAsked }
        hasAsked = false
    }

    private func wait(_ awaited: String, until holds: () -> Bool) throws {
        let end = ContinuousClock.now + Self.patience
        while !holds() {
            guard .now < end else { throw Missed(awaited, instead: watching) }
            pending.add(bell!.next(until: end))
        }
    }

    func lost(_ code: Problem.Code, _ number: Int32 = 0) throws {
        try state { if case .lost(let why) = $0 { why.code == code && why.errorNumber == number } else { false } }
    }
    func watched() throws { try state { $0 == .inotify } }
    func polling() throws { try state { $0.way == .polling } }
}

/// The library in other hands: whoever wants to watch has to poll.
final class TakenLibrary {
    private var library: Inotify?

    init() throws { library = try .awaited() }

    func trim() { library = nil }
}

extension Inotify {
    /// An instance, as soon as a user's programs leave one.
    static func instance() throws -> Int32 {
        var descriptor: Int32 = -1
        try block(for: "an instance of inotify") {
            descriptor = inotify_init()
            return descriptor >= 0
        }
        return descriptor
    }

    static func awaited() throws -> Inotify {
        close(try instance())
        return try Inotify()
    }
}
