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
    private func places(_ count: Int, in album: Album) -> [Place] {
        (0..<count).map { Place(Name("\($0)")!, in: album) }
    }

    private func album(_ name: String) -> Album { Album.top.inner(Name(name)!) }

    private func unwritable(_ places: [Place]) -> Unwritable {
        places.reduce(into: Unwritable()) { $0.add($1, EACCES) }
    }

    @Test("is counted in full, and tried again, however much it is", arguments: [0, 1, 1000, 1001, 5000])
    func counted(count: Int) {
        let places = places(count, in: .top)
        var all = unwritable(places)
        #expect(all.albums[.top]?.things ?? 0 == count)
        #expect(all.codes.count == min(count, 1000))
        #expect(all.places == (count > 1000 ? .everywhere : .places(Set(places))))
        let again = Set(places.prefix(3))
        // Whether they are remembered or not, they are not counted twice.
        for again in [again, Set(places.suffix(3))] {
            all.update(again, with: unwritable(Array(again)))
            #expect(all.albums[.top]?.things ?? 0 == count)
        }
        all.update(again, with: Unwritable())
        if count <= 1000 {
            #expect(all.albums[.top]?.things ?? 0 == count - again.count)
            // What was tried with success is not among what is only counted.
            #expect(all.places == .places(Set(places).subtracting(again)))
        }
        #expect(all.albums.count == (count > 3 ? 1 : 0))
    }

    @Test("is counted by folders, however many there are", arguments: [1, 1000, 3000])
    func folders(count: Int) {
        let all = unwritable((0..<count).flatMap { places(2, in: album("\($0)")) })
        #expect(all.albums.count == min(count, 1000))
        #expect(all.albums.values.allSatisfy { $0.things == 2 && $0.codes == [EACCES] })
    }

    @Test("is one thing with what comes to it, also if that is much")
    func merged() {
        var all = unwritable(places(600, in: album("a")))
        let more = places(3000, in: album("a")) + places(500, in: album("b"))
        all.update(Set(more), with: unwritable(more))
        #expect(all.albums.mapValues(\.things) == [album("a"): 3000, album("b"): 500])
        #expect(all.codes.count == 1000 && all.places == .everywhere)
    }

    @Test("is put in order, all of it, as soon as it can be", .enabled(if: ImmutableFolder.canBeMade))
    func inOrder() async throws {
        let wall = try await Wall()
        try wall.album("a")
        let names = (0..<1100).map { "a/\($0)" }
        for name in names { try wall.link(name, to: "\(wall.root)/\(Wall.orionFile)") }
        do {
            let fixed = try ImmutableFolder("\(wall.folder)/a")
            for _ in 0..<2 {
                try wall.lookAndSettle()
                #expect(try wall.catalog.unwritableAlbums().map(\.things) == [1100])
            }
            #expect(wall.reconciler.state.withLock(\.unwritable.codes.count) == 1000)
            withExtendedLifetime(fixed) {}
        }
        try wall.lookAndSettle()
        #expect(names.allSatisfy { wall.target($0) == "../../\(Wall.orionFile)" })
        #expect(try wall.catalog.unwritableAlbums().isEmpty)
    }

    @Test("is told of all folders when only one of them is tried again", .enabled(if: ImmutableFolder.canBeMade))
    func oneFolder() async throws {
        let wall = try await Wall()
        for name in ["a", "b"] {
            try wall.album(name)
            try wall.link("\(name)/x", to: "\(wall.root)/\(Wall.orionFile)")
        }
        let fixed = try ["a", "b"].map { try ImmutableFolder("\(wall.folder)/\($0)") }
        try wall.lookAndSettle()
        let told = try wall.catalog.unwritableAlbums()
        #expect(told.map(\.path) == ["a", "b"] && told.allSatisfy { $0.things == 1 })
        try wall.lookAndSettle(at: "a/x")
        #expect(try wall.catalog.unwritableAlbums() == told)
        withExtendedLifetime(fixed) {}
    }
}
