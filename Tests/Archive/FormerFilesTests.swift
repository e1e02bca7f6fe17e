import Apod
import Catalog
import Glibc
import TestSupport
import Testing

@testable import Archive

@Suite("A day that is replaced")
struct FormerFilesTests {
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
        for suffix in own { try save(suffix, to: shelf["\(stem).\(suffix)"]) }
        try await renew(shelf, .gif)
        #expect(suffixes(shelf) == (own + ["gif", "json"]).sorted())
        for suffix in own { #expect(try fileText(shelf["\(stem).\(suffix)"]) == suffix) }
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

    private func stopped(_ files: [(StoredFile.Role, MediaType)], _ state: DayStatus.State) async throws {
        try await shelf.expectStop(at: shelf["\(stem).json"]) {
            try await shelf.add(date, "Orion Rising", "New words.", files, state: state)
        }
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
        try await shelf.prune([date])
        try await stopped([], .pruned)
        #expect(try shelf.openCatalog.status(of: date)?.state == .pruned)
    }

    @Test(
        "is not put in the place of somebody's file, and stays as it was",
        arguments: [true, false], ["file", "folder"])
    func occupied(isThere: Bool, kind: String) async throws {
        let shelf = isThere ? shelf : try Shelf()
        try await shelf.add(date.advanced(by: -1))
        let path = shelf["\(stem).png"]
        switch kind {
        case "file": try save([1, 2, 3], to: path)
        default: mkdir(path, 0o755)
        }
        let (tree, storedDays) = (shelf.tree, try shelf.storedDays())
        let error = await #expect(throws: ArchiveError.self) { try await renew(shelf, .png) }
        #expect(error?.description.contains("\(stem).png is not a file of the mirror") == true)
        #expect(error?.isGeneral == false)
        #expect(shelf.tree == tree)
        #expect(try shelf.storedDays() == storedDays)
        if kind == "file" { #expect(try contents(path) == [1, 2, 3]) }
    }

    @Test(
        "is not put in the place of somebody's JSON, and nothing of it comes",
        arguments: [
            "{}", "mine", "{\"date\": \"2026-11-20\", \"title\": \"Orion", "{\n  \"date\": \"2026-11-19\",\n  \"title",
            "{\n  \"date\": \"2026-11-20\",\n  \"title\": \"Orion Rising\",\n  \"mirror\": {\"files\": []}\n}\n",
            "{\n  \"date\": \"2026-11-20\",\n  \"title\": \"x\",\n  \"mirror\": {\"files\": 1}, \"upstream\": 1\n}\n",
        ])
    func occupiedJSON(text: String) async throws {
        let shelf = try Shelf()
        try await shelf.add(date.advanced(by: -1))
        let path = shelf["\(stem).json"]
        try save(text, to: path)
        let (tree, storedDays) = (shelf.tree, try shelf.storedDays())
        let error = await #expect(throws: ArchiveError.self) { try await shelf.add(date, "Orion Rising") }
        #expect(error?.failure.code == .nameTaken && error?.failure.path?.hasSuffix("\(stem).json") == true)
        #expect(error?.isGeneral == false && error?.isOfMonth == false)
        #expect(shelf.tree == tree)
        #expect(try shelf.storedDays() == storedDays)
        #expect(try fileText(path) == text)
    }

    @Test(
        "is not put in the place of a folder with its JSON's name, nor of another day's JSON", arguments: [true, false])
    func occupiedByOthers(isFolder: Bool) async throws {
        let shelf = try Shelf()
        try await shelf.add(date.advanced(by: -1))
        let path = shelf["\(stem).json"]
        if isFolder {
            mkdir(path, 0o755)
        } else {
            try save(contents(shelf["2026/11/2026-11-19 A Title.json"]), to: path)
        }
        let tree = shelf.tree
        await #expect(throws: ArchiveError.self) { try await shelf.add(date, "Orion Rising") }
        #expect(shelf.tree == tree)
    }

    @Test(
        "takes the place of JSON of its own that the catalog does not know of, whole or damaged, or that is a link",
        arguments: ["whole", "cut off", "cut off early", "empty", "zeros", "of another version", "link"])
    func ownJSON(kind: String) async throws {
        let document = try contents(self.shelf["\(stem).json"])
        let shelf = try Shelf()
        try await shelf.add(date.advanced(by: -1))
        let path = shelf["\(stem).json"]
        let newer = String(decoding: document, as: UTF8.self).replacing("\"fetched\"", with: "\"gathered\"")
        switch kind {
        case "whole": try save(document, to: path)
        case "cut off": try save(Array(document.prefix(100)), to: path)
        case "cut off early": try save(Array(document.prefix(5)), to: path)
        case "empty": try save([], to: path)
        case "zeros": try save(document.map { _ in 0 }, to: path)
        case "link": #expect(symlink("nowhere", path) == 0)
        default: try save(newer, to: path)
        }
        try await renew(shelf)
        #expect(try JSONText(contents(path))["explanation"]?.string == "New words.")
        try await shelf.expectNoProblems()
    }

    @Test("takes the place of its JSON that the catalog knows of, whatever has become of that")
    func knownJSON() async throws {
        let path = shelf["\(stem).json"]
        try save("edited", to: path)
        try await renew(shelf)
        #expect(try JSONText(contents(path))["explanation"]?.string == "New words.")
    }

    @Test(
        "takes the place of its own file that the catalog does not know of, as a publication leaves it that is cut off")
    func ownLeftover() async throws {
        let shelf = try Shelf()
        try await shelf.add(date.advanced(by: -1))
        let path = shelf["\(stem).jpg"]
        try saveWithTime([1, 2, 3], to: path)
        try await renew(shelf)
        #expect(try contents(path).count == 1000)
        try await shelf.expectNoProblems()
    }

    @Test("is not put in the place of somebody's copy that has the time of the day, unless it was cut off itself")
    func copyWithTime() async throws {
        let path = shelf["\(stem).png"]
        try saveWithTime([1, 2, 3], to: path)
        await #expect(throws: ArchiveError.self) { try await renew(shelf, .png) }
        #expect(try contents(path) == [1, 2, 3])
        try shelf.openCatalog.record([.init(#require(try shelf.openCatalog.status(of: date)).interrupted)])
        try await renew(shelf, .png)
        #expect(try contents(path).count == 1000)
    }

    @Test(
        "takes the place of a link, and of a file that is the same already, whatever its time",
        arguments: [true, false])
    func nothingLost(isLink: Bool) async throws {
        let path = shelf["\(stem).png"]
        if isLink {
            #expect(symlink("nowhere", path) == 0)
        } else {
            try save([UInt8](repeating: UInt8(date.number & 255), count: 1000), to: path)
        }
        try await renew(shelf, .png)
        #expect(try contents(path).count == 1000)
        try await shelf.expectNoProblems()
    }

    private func saveWithTime(_ bytes: [UInt8], to path: String) throws {
        try save(bytes, to: path)
        var times = [timeval(tv_sec: date.noon, tv_usec: 0), timeval(tv_sec: date.noon, tv_usec: 0)]
        #expect(utimes(path, &times) == 0)
    }
}
