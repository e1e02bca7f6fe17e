import Apod
import TestSupport
import Testing

@testable import Favorites

struct FurtherLinkTests {
    private static let stem = "2026/11/2026-11-18 Twins (2)"
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    private func add(_ type: MediaType) async throws {
        let files: [(StoredFile.Role, MediaType)] = [(.picture, .jpeg), (.also(2), type)]
        try await fixture.mirror.add(november(18), "Twins", "Text.", files, bytes: 3000)
    }

    @Test(
        "A link to a further picture is a favorite of its day, and leads to it also when another takes its place",
        arguments: ["ln -s", "cp", "ln"])
    func kept(make: String) async throws {
        try await add(.jpeg)
        try await fixture.shell("\(make) '\(fixture.root)/\(Self.stem).jpg' a")
        try fixture.lookAndSettle()
        #expect(try fixture.favorites == ["2026-11-18: a"])
        #expect(fixture.target("a") == "../\(Self.stem).jpg")
        try await add(.png)
        try fixture.lookAndSettle()
        #expect(try fixture.favorites == ["2026-11-18: a"])
        #expect(fixture.target("a") == "../\(Self.stem).png")
    }

    @Test(
        "A link to a further picture is also one to its smaller copy, and that copy itself as a browser saves it",
        arguments: ["ln -s", "cp"])
    func smaller(make: String) async throws {
        try await add(.jpeg)
        try await fixture.shell(
            """
            mkdir -p "$ROOT/gallery/2026"; printf abc >"$ROOT/gallery/2026/2026-11-18-2-1280.jpg"
            \(make) "$ROOT/gallery/2026/2026-11-18-2-1280.jpg" .
            """)
        try fixture.lookAndSettle()
        #expect(try fixture.favorites == ["2026-11-18: 2026-11-18-2-1280.jpg"])
        #expect(fixture.target("2026-11-18-2-1280.jpg") == "../\(Self.stem).jpg")
    }

    @Test("A link to a further picture from another machine leads to it, too, and one with another number to nothing")
    func foreign() async throws {
        try await add(.jpeg)
        try await fixture.shell(
            "ln -s '/mnt/nas/\(Self.stem).jpg' a; ln -s '/mnt/nas/2026/11/2026-11-18 Others (2).jpg' b")
        try fixture.lookAndSettle()
        #expect(try fixture.favorites == ["2026-11-18: a"])
        #expect(try fixture.target("a") == "../\(Self.stem).jpg" && fixture.unrecognised == ["b"])
    }
}
