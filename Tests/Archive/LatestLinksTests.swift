import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

struct LatestLinksTests {
    private let first = november(20)
    private let second = november(21)

    private let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    private func links() -> [String] { fixture.tree.filter { $0.hasPrefix("latest") } }

    private func occupiedNames() throws -> [String] {
        let archive = try fixture.archive()
        return Tree.occupied(in: archive.tree.root, by: archive.catalog)
    }

    /// As when the program starts again.
    private func reopen() async throws {
        try await fixture.close()
        try fixture.archive().tidy()
    }

    @Test(
        "The links to the newest picture lead to the newest picture of all, and with the suffix .jpg to the newest JPEG"
    )
    func suffix() async throws {
        try await fixture.add(first, "Orion")
        let path = "2026/11/2026-11-20 Orion"
        #expect(links() == ["latest -> \(path).jpg", "latest.jpg -> \(path).jpg", "latest.json -> \(path).json"])
        try await fixture.add(second, "Moon", "", [(.picture, .png)])
        let newer = "2026/11/2026-11-21 Moon"
        #expect(
            links() == ["latest -> \(newer).png", "latest.jpg -> \(path).jpg", "latest.json -> \(newer).json"])
        unlink(fixture["\(path).jpg"])
        try fixture.archive().pointLatest()
        #expect(links() == ["latest -> \(newer).png", "latest.json -> \(newer).json"])
    }

    @Test("The links to the newest picture lead to the newest day that has a picture, or a poster")
    func poster() async throws {
        try await fixture.add(first, "Night Clouds", "", [(.video, .mp4), (.poster, .jpeg)])
        try await fixture.add(second, "Only Words", "Text.", [])
        #expect(target(of: fixture["latest"]) == "2026/11/2026-11-20 Night Clouds.jpg")
        #expect(target(of: fixture["latest.json"]) == "2026/11/2026-11-20 Night Clouds.json")
    }

    @Test(
        "The links to the newest picture lead to the newest day of which both the picture and the JSON are there",
        arguments: ["jpg", "json"])
    func incomplete(suffix: String) async throws {
        try await fixture.add(first, "Orion")
        try await fixture.add(second, "Moon")
        #expect(unlink(fixture["2026/11/2026-11-21 Moon.\(suffix)"]) == 0)
        try fixture.archive().pointLatest()
        let path = "2026/11/2026-11-20 Orion"
        #expect(links() == ["latest -> \(path).jpg", "latest.jpg -> \(path).jpg", "latest.json -> \(path).json"])
    }

    @Test(
        "The links to the newest picture leave alone what somebody has put in their place, name it, and come back when it is gone"
    )
    func occupied() async throws {
        _ = try fixture.archive()
        let theirs = fixture["latest.jpg"]
        mkdir(theirs, 0o755)
        #expect(symlink("/somewhere/else.jpg", fixture["latest"]) == 0)
        try await fixture.add(first, "Orion")
        #expect(Facts(theirs)?.kind == S_IFDIR)
        #expect(target(of: fixture["latest"]) == "/somewhere/else.jpg")
        #expect(target(of: fixture["latest.json"]) != nil)
        #expect(try occupiedNames() == ["latest", "latest.jpg"])
        rmdir(theirs)
        unlink(fixture["latest"])
        try await reopen()
        #expect(try links().count == 3 && occupiedNames().isEmpty)
    }

    @Test(
        "The links to the newest picture are told from somebody's links by where they lead",
        arguments: [
            "2026/11/notes.txt", "2026/11/2026-10-31 Old.jpg", "./2026/11/2026-11-20 Orion.jpg",
            "2026/11/2026-11-20 Or?ion.jpg",
        ])
    func others(target theirs: String) async throws {
        try await fixture.add(first.advanced(by: -1), "Earlier", "", [])
        try save([], to: fixture["2026/11/notes.txt"])
        #expect(symlink(theirs, fixture["latest"]) == 0)
        try await fixture.add(first, "Orion")
        #expect(target(of: fixture["latest"]) == theirs)
        #expect(try occupiedNames() == ["latest"])
    }

    @Test(
        "The links to the newest picture go on behind a title whose last letter joins the dot; its JSON is hidden, and a new catalog knows the day"
    )
    func joined() async throws {
        func hidden() throws -> Int { try contents(fixture["2026/11/.hidden"]).count { $0 == 0x0a } }
        try await fixture.add(first, "Sky\u{d4e}")
        #expect(try hidden() == 1)
        try await fixture.add(second, "Moon\u{d4e}")
        let stem = "2026/11/2026-11-21 Moon\u{d4e}"
        #expect(target(of: fixture["latest"]).map { Array($0.utf8) } == Array("\(stem).jpg".utf8))
        #expect(try occupiedNames().isEmpty && hidden() == 2)
        try await fixture.forget()
        #expect(try fixture.storedDays().count == 2)
    }

    @Test("The links to the newest picture go with the last picture, and somebody's stay")
    func nothing() async throws {
        try await fixture.add(first, "Orion")
        try save("mine", to: fixture["latest.gif"])
        unlink(fixture["2026/11/2026-11-20 Orion.jpg"])
        try await reopen()
        #expect(links() == ["latest.gif"])
    }

    /// What the decoder would make.
    private func copyLatest() throws {
        let archive = try fixture.archive()
        let (copy, file) = try #require(try archive.pictureToCopy())
        try archive.put(try file.bytes(at: 0, count: 5), as: copy)
        #expect(try archive.pictureToCopy() == nil)
    }

    /// The copies that there are.
    private var copies: [String] { listing(fixture[".apod-mirror/latest"]) }

    private func jpegTarget(_ day: Day, bytes: Int) -> String {
        ".apod-mirror/latest/\(day)-\(Digest(of: [UInt8](repeating: UInt8(day.number & 255), count: bytes))).jpg"
    }

    @Test(
        "The links to the newest picture lead to the copy of a newest picture that is no JPEG, with the suffix .jpg; the copy goes with its need"
    )
    func copy() async throws {
        try await fixture.add(first, "Orion")
        #expect(try fixture.archive().pictureToCopy() == nil)
        try await fixture.add(second, "Moon", "", [(.picture, .png)])
        try copyLatest()
        #expect(target(of: fixture["latest.jpg"]) == jpegTarget(second, bytes: 1000))
        #expect(target(of: fixture["latest"]) == "2026/11/2026-11-21 Moon.png")
        #expect(try Document.latest(root: fixture.root) == second)
        try await fixture.forget()
        try fixture.archive().tidy()
        #expect(target(of: fixture["latest.jpg"]) == jpegTarget(second, bytes: 1000))
        #expect(try await fixture.problems().isEmpty && occupiedNames().isEmpty)
        try await fixture.add(second, "Moon", "", [(.picture, .png)], bytes: 999)
        #expect(target(of: fixture["latest.jpg"]) == "2026/11/2026-11-20 Orion.jpg" && copies.isEmpty)
        try copyLatest()
        #expect(target(of: fixture["latest.jpg"]) == jpegTarget(second, bytes: 999) && copies.count == 1)
        try save([], to: fixture[jpegTarget(second, bytes: 999)])
        try copyLatest()
        try await fixture.add(second.advanced(by: 1), "Mars")
        #expect(target(of: fixture["latest.jpg"]) == "2026/11/2026-11-22 Mars.jpg")
        #expect(!exists(fixture[".apod-mirror/latest"]))
    }

    @Test(
        "The links to the newest picture lead to a copy in a mirror without any JPEG, and to none that comes too late")
    func late() async throws {
        try await fixture.add(first, "Orion", "", [(.picture, .gif)])
        #expect(target(of: fixture["latest.jpg"]) == nil)
        let archive = try fixture.archive()
        let (copy, _) = try #require(try archive.pictureToCopy())
        try await fixture.add(second, "Moon", "", [(.picture, .webp)])
        try archive.put([1], as: copy)
        #expect(target(of: fixture["latest.jpg"]) == nil && copies.isEmpty)
        try copyLatest()
        #expect(target(of: fixture["latest.jpg"]) == jpegTarget(second, bytes: 1000))
        _ = try await archive.prune([first], at: 0)
        #expect(copies.count == 1)
    }

    @Test(
        "The links to the newest picture need no copy where latest.jpg is somebody's, or the picture is damaged",
        arguments: [false, true])
    func noCopy(isDamaged: Bool) async throws {
        _ = try fixture.archive()
        if !isDamaged { #expect(symlink("/somewhere/else.jpg", fixture["latest.jpg"]) == 0) }
        try await fixture.add(first, "Orion", "", [(.picture, .png)])
        if isDamaged { try save([1], to: fixture["2026/11/2026-11-20 Orion.png"]) }
        #expect(try fixture.archive().pictureToCopy() == nil)
    }
}
