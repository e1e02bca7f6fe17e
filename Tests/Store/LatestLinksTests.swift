import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

struct LatestLinksTests {
    private let first = november(20)
    private let second = november(21)
    private let orion = "2026/11/2026-11-20 Orion"
    private let moon = "2026/11/2026-11-21 Moon"

    private let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    /// Where `latest`, `latest.jpg` and `latest.json` lead.
    private var targets: [String?] { ["", ".jpg", ".json"].map { target(of: fixture["latest\($0)"]) } }

    private func occupied() throws -> [String] {
        let archive = try fixture.archive()
        return Tree.occupied(in: archive.tree.root, by: archive.catalog)
    }

    @Test("The links lead to the newest picture of all, and with the suffix .jpg to the newest JPEG")
    func suffix() async throws {
        try await fixture.add(first, "Orion", "", film)
        try await fixture.add(first.advanced(by: 2), "Only Words", "Text.", [])
        #expect(targets == ["\(orion).jpg", "\(orion).jpg", "\(orion).json"])
        try await fixture.add(second, "Moon", "", [(.picture, .png)])
        #expect(targets == ["\(moon).png", "\(orion).jpg", "\(moon).json"])
        unlink(fixture["\(orion).jpg"])
        try fixture.archive().pointLatest()
        #expect(targets == ["\(moon).png", nil, "\(moon).json"])
        // They go with the last picture, and somebody's stay.
        try save("mine", to: fixture["latest.gif"])
        unlink(fixture["\(moon).png"])
        try fixture.archive().pointLatest()
        #expect(targets == [nil, nil, nil] && exists(fixture["latest.gif"]))
    }

    @Test(
        "The links lead to the newest day of which both the picture and the JSON are there", arguments: ["jpg", "json"])
    func incomplete(suffix: String) async throws {
        try await fixture.add(first, "Orion")
        try await fixture.add(second, "Moon")
        unlink(fixture["\(moon).\(suffix)"])
        // What a kill has left on the way there.
        symlink("x", fixture[".apod-mirror/latest.new"])
        try fixture.archive().pointLatest()
        #expect(targets == ["\(orion).jpg", "\(orion).jpg", "\(orion).json"])
    }

    @Test("The links leave alone what somebody has put in their place, name it, and come back when it is gone")
    func occupied() async throws {
        _ = try fixture.archive()
        try save("mine", to: fixture["latest.jpg"])
        symlink("/somewhere/else.jpg", fixture["latest"])
        try await fixture.add(first, "Orion")
        #expect(targets == ["/somewhere/else.jpg", nil, "\(orion).json"])
        #expect(try occupied() == ["latest", "latest.jpg"])
        // Where no such link is wanted, what has its name stays, too.
        try await fixture.prune([first])
        try fixture.archive().pointLatest()
        #expect(try fileText(fixture["latest.jpg"]) == "mine" && targets == ["/somewhere/else.jpg", nil, nil])
        for name in ["latest.jpg", "latest"] { unlink(fixture[name]) }
        try await fixture.add(first, "Orion")
        try fixture.archive().tidy()
        #expect(try targets[1] == "\(orion).jpg" && occupied().isEmpty)
    }

    @Test(
        "The links are told from somebody's by where they lead",
        arguments: [
            "2026/11/notes.txt", "2026/11/2026-10-31 Old.jpg", "./2026/11/2026-11-20 Orion.jpg",
            "2026/11/2026-11-20 Or?ion.jpg",
        ])
    func others(theirs: String) async throws {
        try await fixture.add(first.advanced(by: -1), "Earlier", "", [])
        #expect(symlink(theirs, fixture["latest"]) == 0)
        try await fixture.add(first, "Orion")
        #expect(try targets[0] == theirs && occupied() == ["latest"])
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

    private func copy(_ day: Day, bytes: Int) -> String {
        ".apod-mirror/latest/\(day)-\(Digest(of: [UInt8](repeating: UInt8(day.number & 255), count: bytes))).jpg"
    }

    @Test("With the suffix .jpg leads a copy of a newest picture that is no JPEG; the copy goes with its need")
    func copy() async throws {
        try await fixture.add(first, "Orion")
        #expect(try fixture.archive().pictureToCopy() == nil)
        try await fixture.add(second, "Moon", "", [(.picture, .png)])
        try copyLatest()
        try await fixture.forget()
        try fixture.archive().tidy()
        #expect(targets == ["\(moon).png", copy(second, bytes: 1000), "\(moon).json"])
        #expect(try await fixture.problems().isEmpty)
        #expect(try Document.latest(root: fixture.root) == second && occupied().isEmpty)
        try await fixture.add(second, "Moon", "", [(.picture, .png)], bytes: 999)
        #expect(targets[1] == "\(orion).jpg" && copies.isEmpty)
        try copyLatest()
        #expect(targets[1] == copy(second, bytes: 999) && copies.count == 1)
        try save([], to: fixture[copy(second, bytes: 999)])
        try copyLatest()
        try await fixture.add(second.advanced(by: 1), "Mars")
        #expect(targets[1] == "2026/11/2026-11-22 Mars.jpg" && !exists(fixture[".apod-mirror/latest"]))
    }

    @Test("No copy is put in place that comes too late, nor made of what is damaged")
    func late() async throws {
        try await fixture.add(first, "Orion", "", [(.picture, .gif)])
        let archive = try fixture.archive()
        let (copy, _) = try #require(try archive.pictureToCopy())
        try await fixture.add(second, "Moon", "", [(.picture, .webp)])
        try archive.put([1], as: copy)
        #expect(targets[1] == nil && copies.isEmpty)
        try copyLatest()
        _ = try await archive.prune([first], at: 0)
        #expect(targets[1] == self.copy(second, bytes: 1000) && copies.count == 1)
        unlink(fixture[self.copy(second, bytes: 1000)])
        let good = try contents(fixture["\(moon).webp"])
        try save([UInt8](repeating: 1, count: 1000), to: fixture["\(moon).webp"])
        #expect(try archive.pictureToCopy() == nil)
        try save(good, to: fixture["\(moon).webp"])
        #expect(try archive.pictureToCopy() != nil)
    }
}
