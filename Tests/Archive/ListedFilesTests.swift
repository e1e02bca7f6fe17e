import Apod
import Catalog
import Glibc
import TestSupport
import Testing

@testable import Archive

@Suite("A day that is replaced")
struct ListedFilesTests {
    private let date = november(20)
    private let stem = "2026/11/2026-11-20 Orion Rising"

    private let shelf: Shelf

    init() async throws {
        shelf = try Shelf()
        try await shelf.add(date, "Orion Rising", "Old words.")
    }

    private func renew(_ shelf: Shelf, _ type: MediaType = .jpeg) async throws {
        try await shelf.add(date, "Orion Rising", "New words.", [(.picture, type)])
    }

    private func suffixes(_ shelf: Shelf) -> [String] {
        shelf.tree.filter { $0.hasPrefix(stem) }.map { String($0.dropFirst(stem.count + 1)) }
    }

    @Test("gives up its former files and nothing that lies beside them")
    func strangers() async throws {
        let shelf = try Shelf()
        try await shelf.add(date, "Orion Rising", "Old words.", [(.video, .mp4), (.poster, .jpeg)])
        let own = MediaType.allCases.map(\.suffix).filter { !["mp4", "jpg", "gif"].contains($0) } + ["xcf"]
        for suffix in own { try save(Array(suffix.utf8), to: shelf["\(stem).\(suffix)"]) }
        try await renew(shelf, .gif)
        #expect(suffixes(shelf) == (own + ["gif", "json"]).sorted())
        for suffix in own { #expect(try contents(shelf["\(stem).\(suffix)"]) == Array(suffix.utf8)) }
    }

    @Test("keeps what somebody put in a former file's place")
    func inPlace() async throws {
        unlink(shelf["\(stem).jpg"])
        #expect(symlink("../../mine.jpg", shelf["\(stem).jpg"]) == 0)
        try await renew(shelf, .gif)
        #expect(target(of: shelf["\(stem).jpg"]) == "../../mine.jpg")
    }

    @Test("is found by its new words and by no others, in title and text")
    func words() async throws {
        try await shelf.add(date, "Orion Setting", "New verses.")
        let catalog = try shelf.openCatalog
        for word in ["new", "verses", "setting"] { #expect(try catalog.search([word], limit: 2).map(\.day) == [date]) }
        for word in ["old", "words", "rising"] { #expect(try catalog.search([word], limit: 2).isEmpty, "\(word)") }
    }

    /// What is mounted on can be neither removed nor replaced: there, the publication of a day stops.
    private func stopped(_ files: [(StoredFile.Role, MediaType)], _ state: DayStatus.State) async throws {
        let other = shelf.folder.appending("other")
        try save([1], to: other)
        let mount = try BindMount(of: other, over: shelf["\(stem).json"])
        await #expect(throws: ArchiveError.self) {
            try await shelf.add(date, "Orion Rising", "New words.", files, state: state)
        }
        withExtendedLifetime(mount) {}
    }

    @Test(
        "when the program was killed, is asked for at once, however long it was to be left alone",
        .enabled(if: Disk.canBeMade))
    func postponed() async throws {
        var status = try #require(try shelf.openCatalog.status(of: date))
        (status.state, status.retryAfter) = (.downgraded, 2_000_000)
        try await shelf.archive().record(status)
        try await stopped([(.picture, .gif)], .mirrored)
        #expect(try shelf.openCatalog.failed(at: 1_000_000) == [date])
    }

    @Test("in its words, as its files are gone, is not asked for when that is cut off", .enabled(if: Disk.canBeMade))
    func pruned() async throws {
        _ = try await shelf.archive().prune([date], at: 0)
        try await stopped([], .pruned)
        #expect(try shelf.openCatalog.status(of: date)?.state == .pruned)
    }

    private static let same = [UInt8](repeating: UInt8(november(20).number & 255), count: 1000)

    @Test(
        "takes the place of any file; one that the catalog does not list is kept, unless it is the same",
        arguments: [
            (true, "png", [1, 2, 3], true), (false, "png", [1, 2, 3], true), (false, "png", same, false),
            (false, "json", Array("mine".utf8), true), (false, "json", [], true),
            (true, "json", Array("edited".utf8), false),
        ] as [(Bool, String, [UInt8], Bool)])
    func taken(isStored: Bool, suffix: String, bytes: [UInt8], isKept: Bool) async throws {
        let shelf = isStored ? shelf : try Shelf()
        try await shelf.add(date.advanced(by: -1))
        try save(bytes, to: shelf["\(stem).\(suffix)"])
        try await renew(shelf, .png)
        let replaced = shelf[".apod-mirror/replaced"]
        let kept = listing(replaced).filter { $0.contains("damaged") }
        #expect(kept == (isKept ? ["2026-11-20 Orion Rising.1.damaged.\(suffix)"] : []))
        for name in kept { #expect(try contents("\(replaced)/\(name)") == bytes) }
        #expect(suffixes(shelf) == ["json", "png"])
        #expect(try JSONText(contents(shelf["\(stem).json"]))["explanation"]?.string == "New words.")
        #expect(try await shelf.problems() == [])
    }

    @Test("takes the place of a link, and fails alone where a folder is in the way", arguments: ["png", "json"])
    func noFile(suffix: String) async throws {
        let shelf = try Shelf()
        try await shelf.add(date.advanced(by: -1))
        let path = shelf["\(stem).\(suffix)"]
        mkdir(path, 0o755)
        let error = await #expect(throws: ArchiveError.self) { try await renew(shelf, .png) }
        #expect(error?.failure.number == Int(EISDIR) && error?.isGeneral == false && error?.isOfMonth == false)
        #expect(rmdir(path) == 0 && symlink("nowhere", path) == 0)
        try await renew(shelf, .png)
        #expect(suffixes(shelf) == ["json", "png"])
        #expect(try await shelf.problems() == [])
    }
}
