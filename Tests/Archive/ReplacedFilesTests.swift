import Apod
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

@Suite("What was replaced")
struct ReplacedFilesTests {
    private let date = day("2026-11-20")
    private let stem = "2026-11-20 Orion Rising"

    /// A day with a JPEG of 1000 bytes.
    private func shelf() async throws -> Shelf {
        let shelf = try Shelf()
        // Otherwise, the catalog is made again whenever it is opened.
        _ = try shelf.archive().firstDay(orChoose: date)
        try await shelf.add(date, "Orion Rising", "Old words.")
        return shelf
    }

    private func path(_ name: String, _ shelf: Shelf) -> String { "\(shelf.root)/.apod-mirror/replaced/\(name)" }
    private func tree(_ suffix: String, _ shelf: Shelf) -> String { "\(shelf.root)/2026/11/\(stem).\(suffix)" }
    private func replaced(_ shelf: Shelf) -> [String] { listing("\(shelf.root)/.apod-mirror/replaced").sorted() }
    private func words(_ path: String) throws -> String? { try JSONText(contents(path))["explanation"]?.string }
    private func inode(_ path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    @Test("is kept with the JSON of its time, whatever the suffix of the new one, and the numbers go on")
    func kept() async throws {
        let shelf = try await shelf()
        let old = inode(tree("jpg", shelf))
        try await shelf.add(date, "Orion Rising", "New words.", bytes: 2000)
        #expect(replaced(shelf) == ["\(stem).1.jpg", "\(stem).1.json"])
        #expect(inode(path("\(stem).1.jpg", shelf)) == old)
        #expect(try words(path("\(stem).1.json", shelf)) == "Old words.")
        try await shelf.add(date, "Orion Rising", "Newest words.", [(.picture, .png)], bytes: 3000)
        #expect(replaced(shelf).suffix(2) == ["\(stem).2.jpg", "\(stem).2.json"])
        #expect(shelf.tree.filter { $0.hasSuffix("jpg") && $0.hasPrefix("2") } == [])
        #expect(try words(path("\(stem).2.json", shelf)) == "New words.")
        #expect(try shelf.archive().catalog.fact(.replaced) == 2)
        #expect(try await shelf.problems() == [])
    }

    @Test("is not what comes with the same bytes, nor what stays")
    func same() async throws {
        let shelf = try await shelf()
        try await shelf.add(date, "Orion Rising", "New words.")
        #expect(replaced(shelf) == [])
    }

    @Test("and was damaged is kept, but nobody wants it back", arguments: [true, false])
    func damaged(isCut: Bool) async throws {
        let shelf = try await shelf()
        let bytes = [UInt8](repeating: 7, count: isCut ? 10 : 1000)
        try save(bytes, to: tree("jpg", shelf))
        let arrival = try shelf.arrival(date, "Orion Rising", "Old words.")
        try await shelf.archive().add(
            StagedDay(arrival.metadata, staged: arrival.staged, status: arrival.status, damaged: [.jpeg]))
        #expect(replaced(shelf) == ["\(stem).1.damaged.jpg", "\(stem).1.json"])
        #expect(try contents(path("\(stem).1.damaged.jpg", shelf)) == bytes)
        guard case .nothing = try await shelf.archive().revert(date, at: 0) else {
            Issue.record("the damaged one is back")
            return
        }
        #expect(try shelf.archive().catalog.fact(.replaced) ?? 0 == 0)
    }

    @Test("goes with its day")
    func pruned() async throws {
        let shelf = try await shelf()
        try await shelf.add(date, "Orion Rising", "New words.", bytes: 2000)
        try await shelf.add(date.advanced(by: -1), bytes: 1000)
        try await shelf.add(date.advanced(by: -1), bytes: 2000)
        #expect(try shelf.archive().catalog.bytes() > 6000)
        _ = try await shelf.archive().prune([date], at: 0)
        #expect(replaced(shelf) == ["2026-11-19 A Title.1.jpg", "2026-11-19 A Title.1.json"])
        #expect(try shelf.archive().catalog.fact(.replaced) == 1)
    }

    @Test("changes places with what is here, again and again, texts and all")
    func reverted() async throws {
        let shelf = try await shelf()
        try await shelf.add(date, "Orion Rising", "New words.", [(.picture, .png)], bytes: 2000)
        for (number, suffix, text) in [(2, "png", "Old words."), (3, "jpg", "New words."), (4, "png", "Old words.")] {
            guard case .done = try await shelf.archive().revert(date, at: 5_000_000) else {
                Issue.record("nothing came back")
                return
            }
            #expect(replaced(shelf) == ["\(stem).\(number).json", "\(stem).\(number).\(suffix)"].sorted())
            #expect(try words(tree("json", shelf)) == text)
            let json = try JSONText(contents(tree("json", shelf)))
            #expect(json["mirror"]?["set_aside"]?.elements?.count == 2)
            #expect(try await shelf.problems() == [])
        }
        #expect(listing("\(shelf.root)/.apod-mirror/unfinished") == [])
    }

    @Test("is nothing of a day that is as it came, or that is not here")
    func nothing() async throws {
        let shelf = try await shelf()
        if case .nothing = try await shelf.archive().revert(date, at: 0) {} else { Issue.record("something came back") }
        if case .absent = try await shelf.archive().revert(date.advanced(by: -1), at: 0) {
        } else {
            Issue.record("there was a day")
        }
    }

    // MARK: - Killed between two steps

    /// Whoever holds the catalog keeps the mirror open.
    private func mark(_ shelf: Shelf) throws {
        let catalog = try shelf.archive().catalog
        let status = try #require(try catalog.status(of: date))
        try catalog.record([.init(status.interrupted)])
    }

    private func interrupt(_ shelf: Shelf) async throws {
        try mark(shelf)
        try await shelf.close()
        try shelf.archive().tidy(now: 0)
    }

    private func expectSettled(_ shelf: Shelf, text: String) async throws {
        #expect(try shelf.archive().catalog.status(of: date)?.state == .mirrored)
        #expect(try words(tree("json", shelf)) == text)
        #expect(try await shelf.problems() == [])
    }

    @Test("before the new file had its name: nothing is replaced")
    func beforeFile() async throws {
        let shelf = try await shelf()
        mkdir("\(shelf.root)/.apod-mirror/replaced", 0o755)
        #expect(link(tree("jpg", shelf), path("\(stem).1.jpg", shelf)) == 0)
        try save(contents(tree("json", shelf)), to: path("\(stem).1.json", shelf))
        try await interrupt(shelf)
        try await expectSettled(shelf, text: "Old words.")
        #expect(replaced(shelf) == [])
    }

    @Test("with the file in one place only, as where there are no hard links: it is back")
    func onlyThere() async throws {
        let shelf = try await shelf()
        mkdir("\(shelf.root)/.apod-mirror/replaced", 0o755)
        try save(contents(tree("json", shelf)), to: path("\(stem).1.json", shelf))
        #expect(rename(tree("jpg", shelf), path("\(stem).1.jpg", shelf)) == 0)
        try await interrupt(shelf)
        try await expectSettled(shelf, text: "Old words.")
    }

    /// A JPEG of 1000 bytes gives way to another of 2000, or to a PNG; then the tree is put back to before its JSON came.
    private func withoutJSON(_ type: MediaType) async throws -> (Shelf, new: [UInt8]) {
        let shelf = try await shelf()
        let old = try contents(tree("json", shelf))
        try await shelf.add(date, "Orion Rising", "New words.", [(.picture, type)], bytes: 2000)
        let new = try contents(tree("json", shelf))
        try save(old, to: tree("json", shelf))
        if type != .jpeg { #expect(link(path("\(stem).1.jpg", shelf), tree("jpg", shelf)) == 0) }
        return (shelf, new)
    }

    @Test("before the JSON had its name, which is there: it is replaced", arguments: [MediaType.jpeg, .png])
    func beforeJSON(type: MediaType) async throws {
        let (shelf, new) = try await withoutJSON(type)
        try save(new, to: "\(shelf.root)/.apod-mirror/unfinished/2026-11-20.json")
        try await interrupt(shelf)
        try await expectSettled(shelf, text: "New words.")
        #expect(try contents(tree(type.suffix, shelf)).count == 2000)
        #expect(type == .jpeg || inode(tree("jpg", shelf)) == 0)
        #expect(replaced(shelf) == ["\(stem).1.jpg", "\(stem).1.json"])
    }

    @Test("before the JSON had its name, which is lost: all is as before, and what came is kept")
    func withoutStagedJSON() async throws {
        let (shelf, _) = try await withoutJSON(.jpeg)
        // What is noted of the day is of before.
        let status = try #require(try shelf.archive().catalog.status(of: date))
        let old = try contents(tree("json", shelf))
        #expect(status.stored?.json != Digest(of: old))
        try await interrupt(shelf)
        try await expectSettled(shelf, text: "Old words.")
        #expect(try contents(tree("jpg", shelf)).count == 1000)
        #expect(try contents(path("\(stem).1.jpg", shelf)).count == 2000)
    }

    @Test("before the former file was gone: it goes")
    func beforeRemoval() async throws {
        let shelf = try await shelf()
        try await shelf.add(date, "Orion Rising", "New words.", [(.picture, .png)], bytes: 2000)
        #expect(link(path("\(stem).1.jpg", shelf), tree("jpg", shelf)) == 0)
        try save([1], to: tree("gif", shelf))
        try await interrupt(shelf)
        try await expectSettled(shelf, text: "New words.")
        #expect(inode(tree("jpg", shelf)) == 0 && inode(tree("gif", shelf)) != 0)
        #expect(replaced(shelf) == ["\(stem).1.jpg", "\(stem).1.json"])
    }
}
