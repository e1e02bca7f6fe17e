import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Favorites

/// A mirror of a few days, its favorites folder and what is remembered of it.
final class FavoritesFixture {
    static let orion = november(20)
    static let clouds = Day("2026-09-13")!
    static let orionFile = "2026/11/2026-11-20 Orion Rising.jpg"
    static let cloudsFile = "2026/09/2026-09-13 Night Clouds.jpg"
    /// As the mirror writes it.
    static let (orionLink, cloudsLink) = ("../\(orionFile)", "../\(cloudsFile)")

    let mirror: ArchiveFixture
    private(set) var keeper: Keeper!
    let settleDelay: Duration
    private let clock: TestClock?

    /// `clock`: what the time is; otherwise, it is what it is.
    init(settleDelay: Duration = .zero, clock: TestClock? = nil, root: String? = nil) async throws {
        self.clock = clock
        mirror = try ArchiveFixture(root: root)
        self.settleDelay = settleDelay
        try await mirror.add(Self.orion, "Orion Rising")
        try await mirror.add(Self.clouds, "Night Clouds", bytes: 2000)
        mkdir(folder, 0o755)
        try open()
    }

    var root: String { mirror.root }
    var folder: String { mirror["favorites"] }
    var orionPath: String { "\(root)/\(Self.orionFile)" }
    /// Where something in the favorites folder is.
    subscript(name: String) -> String { "\(folder)/\(name)" }
    var catalog: Catalog { get throws { try mirror.openCatalog } }
    var log: FavoritesLog { get throws { try mirror.favorites } }

    /// As when the service starts. `isStopped`: is asked while the folder is read.
    func open(unless isStopped: @escaping @Sendable () -> Bool = { Task.isCancelled }) throws {
        keeper = Keeper(
            try mirror.archive(), settleDelay: settleDelay, clock: { [clock] in clock?.seconds ?? time(nil) },
            now: { [clock] in clock?.instant ?? .now }, unless: isStopped)
    }

    /// As when it is ended and started again.
    func restart() async throws {
        try await stop()
        try open()
    }

    func stop() async throws {
        keeper = nil
        try await mirror.close()
    }

    func link(_ name: String, to target: String) throws {
        guard symlink(target, "\(folder)/\(name)") == 0 else { throw SystemError("symlink \(name)") }
    }

    func album(_ name: String) throws {
        guard mkdir("\(folder)/\(name)", 0o755) == 0 else { throw SystemError("mkdir \(name)") }
    }

    func remove(_ name: String) throws {
        guard unlink("\(folder)/\(name)") == 0 else { throw SystemError("unlink \(name)") }
    }

    /// As `favorites restore` does; returns what it made.
    func restore(_ order: FavoritesOrder) throws -> [String] {
        var made: [Place] = []
        let (root, catalog, favorites) = (root, try catalog, try mirror.favorites)
        try keeper.carryOut {
            let editor = try FavoritesEditor(root: root, catalog: catalog, favorites: favorites)
            for link in editor.missing(order) {
                let (place, wasThere) = try editor.restore(link)
                if !wasThere { made.append(place) }
            }
            return Set(made)
        }
        return made.map(\.description)
    }

    func target(_ name: String) -> String? { TestSupport.target(of: "\(folder)/\(name)") }

    /// As when the watcher queues everything, or a few names, and nothing changes for a while.
    func look(at names: String...) throws { try look(at: names) }

    private func look(at names: [String]) throws {
        let places = names.map(Place.init(stringLiteral:))
        try keeper.look(names.isEmpty ? .everywhere : .places(Set(places)))
    }

    /// Until nothing is left to be done.
    func settle() throws {
        for _ in 0..<3 where try keeper.settle() == nil { return }
    }

    func lookAndSettle(at names: String...) throws {
        try look(at: names)
        try settle()
    }

    /// Everywhere; these are the favorites then.
    func lookAndSettle(to expected: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        try lookAndSettle()
        #expect(try favorites == expected, sourceLocation: sourceLocation)
    }

    /// Two seconds pass.
    func rest() throws {
        _ = try keeper.settle()
        clock?.advance(by: .seconds(2))
        _ = try keeper.settle()
    }

    func lookAndRest(at names: String...) throws {
        try look(at: names)
        try rest()
    }

    /// `2026-11-20: album/name, other`
    var favorites: [String] {
        get throws {
            let known = try mirror.favorites.known
            return known.keys.sorted().compactMap { known.favorite($0) }.map {
                "\($0.key): " + $0.links.map(\.description).joined(separator: ", ")
            }
        }
    }

    var days: [String] { get throws { try mirror.favorites.known.days.sorted().map(\.description) } }

    var unrecognised: [String] { get throws { try catalog.leftAlone().first.map(\.place.description) } }

    var history: [String] {
        get throws { try FavoritesLog.lines(in: Folder.open(root)).map { "\($0.change) \($0.link.key)" } }
    }
}

extension FavoritesFixture {
    /// As when the catalog is deleted and the service is started again.
    func forgetEverything() async throws {
        try await stop()
        mirror.removeCatalog()
        try open()
    }
}

/// Most tests are about days alone.
extension FavoritesOrder {
    static let known = FavoritesOrder(.restore, [])
    static func since(_ moment: Int) -> FavoritesOrder { FavoritesOrder(.restore, [], since: moment) }
    static func days(_ days: Set<Day>) -> FavoritesOrder { FavoritesOrder(.restore, Set(days.map(Key.day))) }
    static func lastOf(_ day: Day) -> FavoritesOrder { FavoritesOrder(.undo, [.day(day)]) }
}

extension Sighting.Finding {
    static func day(_ day: Day, file: String?) -> Sighting.Finding { .favorite(.day(day), file: file) }
}
