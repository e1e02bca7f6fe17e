import Apod
import Catalog
import Glibc
import TestSupport
import Testing

@testable import Archive

struct FormerFilesTests {
    private let date = november(20)
    private let stem = "2026/11/2026-11-20 Orion Rising"

    private let fixture: ArchiveFixture

    init() async throws {
        fixture = try ArchiveFixture()
        try await fixture.add(date, "Orion Rising", "Old words.")
    }

    private func renew(_ fixture: ArchiveFixture, _ type: MediaType = .jpeg) async throws {
        try await fixture.add(date, "Orion Rising", "New words.", [(.picture, type)])
    }

    private func suffixes(_ fixture: ArchiveFixture) -> [String] {
        fixture.tree.filter { $0.hasPrefix(stem) }.map { String($0.dropFirst(stem.count + 1)) }
    }

    @Test("A day that is replaced gives up its former files and nothing that lies beside them")
    func strangers() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(date, "Orion Rising", "Old words.", [(.video, .mp4), (.poster, .jpeg)])
        let own = MediaType.allCases.map(\.suffix).filter { !["mp4", "jpg", "gif"].contains($0) } + ["xcf"]
        for suffix in own { try save(suffix, to: fixture["\(stem).\(suffix)"]) }
        try await renew(fixture, .gif)
        #expect(suffixes(fixture) == (own + ["gif", "json"]).sorted())
        for suffix in own { #expect(try fileText(fixture["\(stem).\(suffix)"]) == suffix) }
    }

    @Test("A day that is replaced keeps what somebody put in a former file's place")
    func inPlace() async throws {
        unlink(fixture["\(stem).jpg"])
        #expect(symlink("../../mine.jpg", fixture["\(stem).jpg"]) == 0)
        try await renew(fixture, .gif)
        #expect(target(of: fixture["\(stem).jpg"]) == "../../mine.jpg")
    }

    @Test("A day that is replaced is found by its new words and by no others, in title and text")
    func words() async throws {
        try await fixture.add(date, "Orion Setting", "New verses.")
        let catalog = try fixture.openCatalog
        for word in ["new", "verses", "setting"] { #expect(try catalog.search([word], limit: 2).map(\.day) == [date]) }
        for word in ["old", "words", "rising"] { #expect(try catalog.search([word], limit: 2).isEmpty, "\(word)") }
    }

    @Test("A day that is replaced takes the place of its JSON that the catalog knows of, whatever has become of that")
    func knownJSON() async throws {
        let path = fixture["\(stem).json"]
        try save("edited", to: path)
        try await renew(fixture)
        #expect(try JSONText(contents(path))["explanation"]?.string == "New words.")
    }

    @Test(
        "A day that is replaced takes the place of what has its names, which is kept unless it is a link or the same already",
        arguments: [
            (nil, "png", [1, 2, 3], "1.damaged.png"), (nil, "json", Array("{\"mine\": 1}".utf8), "1.damaged.json"),
            (nil, "json", [], "1.damaged.json"), (nil, "jpg", [1, 2, 3], "1.damaged.jpg"), ("nowhere", "png", nil, nil),
            ("nowhere", "json", nil, nil),
            (nil, "png", [UInt8](repeating: UInt8(november(20).number & 255), count: 1000), nil),
        ] as [(target: String?, suffix: String, bytes: [UInt8]?, kept: String?)])
    func inTheWay(target: String?, suffix: String, bytes: [UInt8]?, kept: String?) async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(date.advanced(by: -1))
        let path = fixture["\(stem).\(suffix)"]
        if let bytes { try save(bytes, to: path) } else { #expect(symlink(target!, path) == 0) }
        try await renew(fixture, suffix == "png" ? .png : .jpeg)
        #expect(try JSONText(contents(fixture["\(stem).json"]))["explanation"]?.string == "New words.")
        if suffix != "json" { #expect(try contents(path).count == 1000) }
        try await fixture.expectNoProblems()
        let replaced = fixture[".apod-mirror/replaced"]
        #expect(listing(replaced) == [kept.map { "2026-11-20 Orion Rising.\($0)" }].compactMap(\.self))
        if let kept { #expect(try contents("\(replaced)/2026-11-20 Orion Rising.\(kept)") == bytes) }
    }

    @Test("A day that is replaced fails alone where a folder has one of its names", arguments: ["json", "jpg"])
    func folderInTheWay(suffix: String) async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(date.advanced(by: -1))
        mkdir(fixture["\(stem).\(suffix)"], 0o755)
        let error = await #expect(throws: ArchiveError.self) { try await renew(fixture) }
        #expect(error?.isGeneral == false && error?.failure.number == Int(EISDIR))
    }
}
