import Catalog
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Favorites
@testable import Watching

@Suite("What had to stay as it is")
struct UnwritableTests {
    private let wall: Wall

    init() async throws { wall = try await Wall() }

    private func places(_ count: Int, in album: Album) -> [Place] {
        (0..<count).map { Place(Name("\($0)")!, in: album) }
    }

    private func album(_ name: String) -> Album { Album.top.inner(Name(name)!) }

    private func unwritable(_ places: [Place]) -> [Place: Int32] {
        Dictionary(uniqueKeysWithValues: places.map { ($0, EACCES) })
    }

    @Test("is told by folders, the first hundred of them", arguments: [1, 100, 300])
    func folders(count: Int) async throws {
        let all = (0..<count).flatMap { places(2, in: album("\($0)")) }
        try wall.reconciler.rememberUnwritable(unwritable(all), after: .everywhere)
        let told = try wall.catalog.unwritableAlbums()
        #expect(told.count == min(count, 100))
        #expect(told.allSatisfy { $0.things == 2 && $0.numbers == [EACCES] })
    }

    @Test("is counted once, however often it is tried, and no more when it can be changed")
    func merged() async throws {
        func counts() throws -> [Int] { try wall.catalog.unwritableAlbums().map(\.things) }
        try wall.reconciler.rememberUnwritable(unwritable(places(600, in: album("a"))), after: .everywhere)
        let more = places(3000, in: album("a")) + places(500, in: album("b"))
        try wall.reconciler.rememberUnwritable(unwritable(more), after: .places(Set(more)))
        #expect(try counts() == [3000, 500])
        try wall.reconciler.rememberUnwritable([:], after: .places(Set(places(3, in: album("a")))))
        #expect(try counts() == [2997, 500])
        try wall.reconciler.rememberUnwritable([:], after: .everywhere)
        #expect(try counts().isEmpty)
    }

    @Test("is put in order, all of it, as soon as it can be", .enabled(if: ImmutableFolder.canBeMade))
    func inOrder() async throws {
        try wall.album("a")
        let names = (0..<1100).map { "a/\($0)" }
        for name in names { try wall.link(name, to: wall.orionPath) }
        do {
            let fixed = try ImmutableFolder(wall["a"])
            for _ in 0..<2 {
                try wall.lookAndSettle()
                #expect(try wall.catalog.unwritableAlbums().map(\.things) == [1100])
            }
            #expect(wall.reconciler.state.withLock(\.unwritable.count) == 1100)
            withExtendedLifetime(fixed) {}
        }
        try wall.lookAndSettle()
        #expect(names.allSatisfy { wall.target($0) == "../../\(Wall.orionFile)" })
        #expect(try wall.catalog.unwritableAlbums().isEmpty)
    }
}
