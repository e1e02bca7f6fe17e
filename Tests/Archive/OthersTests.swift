import Apod
import TestSupport
import Testing

@testable import Archive

@Suite("What several days have in common")
struct OthersTests {
    private let first = day("2026-11-18")
    private let second = day("2026-11-19")
    private let third = day("2026-11-20")

    private func file(_ day: Day, _ catalog: Catalog) throws -> StoredFile {
        try #require(try catalog.standing(of: day)?.entry?.files.first)
    }

    @Test("is a file by its bytes, whatever else has its size")
    func files() async throws {
        let shelf = try Shelf()
        for day in [first, second, third] { try await shelf.add(day) }
        let catalog = try shelf.archive().catalog
        for day in [first, second, third] {
            #expect(try catalog.day(having: file(day, catalog), otherThan: day) == nil)
        }
        #expect(try catalog.day(having: file(first, catalog), otherThan: second) == first)
        // 256 days later, the shelf's bytes are the same.
        let later = first.advanced(by: 256)
        try await shelf.add(later)
        #expect(try catalog.day(having: file(first, catalog), otherThan: first) == later)
        #expect(try catalog.day(having: file(first, catalog), otherThan: third) == later)
        _ = try await shelf.archive().letGo(of: [first], at: 0)
        #expect(try catalog.day(having: file(later, catalog), otherThan: later) == nil)
    }

    @Test("is what they say, title and text together")
    func words() async throws {
        let shelf = try Shelf()
        try await shelf.add(first, "One", "Some text.")
        try await shelf.add(second, "One", "Other text.")
        try await shelf.add(third, "Two", "Some text.")
        let catalog = try shelf.archive().catalog
        func other(_ title: String, _ text: String, than day: Day) throws -> Day? {
            try catalog.day(telling: .init(title: title, explanation: text), otherThan: day)
        }
        #expect(try other("One", "Some text.", than: third) == first)
        #expect(try other("One", "Some text.", than: first) == nil)
        #expect(try other("One", "Some text", than: third) == nil)
        #expect(try other("Two", "Other text.", than: first) == nil)
        #expect(try catalog.prose(of: second)?.explanation == "Other text.")
        #expect(try catalog.prose(of: first.advanced(by: -1)) == nil)
        try await shelf.add(first, "One", "New text.")
        #expect(try other("One", "Some text.", than: third) == nil)
        #expect(try other("One", "New text.", than: third) == first)
    }
}
