import Apod
import Catalog
import TestSupport
import Testing

@testable import Archive

@Suite("A day whose kept record is read by a later program")
struct RenewedTests {
    private let flight = day("2026-11-18")

    /// Of a day with a page. `text`: what is found in the record today; nil: what was found before.
    private func renewed(text: String?, page: [UInt8]? = nil) async throws -> StagedDay? {
        let shelf = try Shelf()
        try await shelf.add(flight, "A Flight", "Up.", [(.page, .html)])
        let former = try contents("\(shelf.root)/2026/11/2026-11-18 A Flight.html")
        try await shelf.close()
        let archive = try Archive(root: shelf.root) { record in
            var picture = Shelf.read(record)
            if let text { picture?.explanation = text }
            return picture
        }
        let status = try #require(try archive.catalog.status(of: flight))
        return try archive.renewed(status) { _, _ in page ?? former }
    }

    @Test("tells more if that is found in it, and never less", arguments: ["Up and away.", "Up.", "U", ""])
    func text(found: String) async throws {
        let isMore = found == "Up and away."
        let other = try #require(try await renewed(text: found, page: [1, 2, 3]))
        #expect(other.metadata.picture.explanation == (isMore ? found : "Up."))
        #expect(other.metadata.files.map(\.bytes) == [3] && other.staged.keys.sorted() == ["html"])
        let same = try await renewed(text: found)
        #expect(same?.metadata.picture.explanation == (isMore ? found : nil) && same?.staged.isEmpty != false)
    }

    @Test("stays as it is where nothing else is found in it")
    func same() async throws {
        let other = try await renewed(text: nil)
        #expect(other?.metadata.name == nil)
    }
}
