import Apod
import Archive
import TestSupport
import Testing

@testable import Gallery

struct LinksDataTests {
    private let name = "gallery/data/links.js"

    @Test("The links between days are three digits for each day, and are written when they change")
    func data() async throws {
        let fixture = try GalleryFixture()
        try await fixture.add(november(18)) { $0.speaksOf = [Day.first, day("1995-07-22")] }
        try await fixture.add(november(19)) { _ in }
        try fixture.write()
        let head = "// Made by apod-mirror.\napod.links(\""
        // 11,478 days after the first.
        #expect(try fixture.text(name) == "\(head)8uu000010\");\n")
        try await fixture.add(november(20)) { $0.speaksOf = [november(18)] }
        let written = try await fixture.written { try fixture.write(.days([november(20)])) }
        #expect(written.contains(name))
        #expect(try fixture.text(name) == "\(head)8uu000010 8uw8uu\");\n")
        let more = try await fixture.written {
            try await fixture.add(november(17)) { _ in }
            try fixture.write(.days([november(17)]))
        }
        #expect(!more.contains(name))
    }

    @Test("The links between days of the whole archive take less than 300 KB")
    func size() {
        let days = Array(Day.first...november(20))
        var links: [(day: Day, target: Day)] = []
        for (index, day) in days.enumerated() {
            for step in 1...3 where index >= step * 40 { links.append((day, days[index - step * 40])) }
        }
        #expect(links.count > 33_368)
        #expect(LinksScript.bytes(links).count < 300_000)
    }
}
