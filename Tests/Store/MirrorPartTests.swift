import Apod
import Files
import TestSupport
import Testing

@testable import Store

struct MirrorPartTests {
    /// All members that are written now, and two of another version of the program.
    private static let text = """
        {"fetched":"2026-11-20T12:00:00Z","downgraded":true,"pruned":true,"incomplete":\(Incomplete(Problem(.missing)).json.line),\
        "set_aside":["\(Digest(of: [1]))"],"number":3,"came":"2026-11-19T12:00:00Z","place":17,\
        "version":{"replaced":"2026-11-20T12:00:00Z","holds":["a.jpg"]},"colour":"blue","words":{"a":[1,2]}}
        """

    private static func part(_ text: String) throws -> MirrorPart? {
        try JSONText(text.bytes).orderedMembers.flatMap { MirrorPart($0, besides: "files") }
    }

    @Test("The JSON's part of the mirror is written as it was read, with members of other versions of the program")
    func roundTrip() throws {
        let part = try #require(try Self.part(Self.text))
        #expect(JSON.sparse(part.json).line == Self.text)
        #expect(try Self.part(#"{"downgraded":false}"#) == nil)
        let least = #"{"fetched":"2026-11-20T12:00:00Z","downgraded":false}"#
        #expect(try Self.part(least).map { JSON.sparse($0.json).line } == least)
        for (place, read) in [(-1, nil), (0, 0), (1 << 60, 1 << 60), ((1 << 60) + 1, nil), (Int.max, nil)]
            as [(Int, Int?)]
        {
            let text = #"{"fetched":"2026-11-20T12:00:00Z","place":\#(place)}"#
            #expect(try Self.part(text)?.place == read, "\(place)")
        }
    }

    @Test("The catalog has what has no column of its own, and nothing for most items")
    func column() throws {
        let part = try #require(try Self.part(Self.text))
        var read = MirrorPart(fetched: part.fetched)
        read.read(column: try #require(part.column))
        (read.came, read.place) = (part.came, part.place)
        #expect(read == part)
        var most = MirrorPart(fetched: 1)
        (most.came, most.place) = (2, 3)
        #expect(most.column == nil)
    }

    @Test("A state that is brought back keeps what belongs to the item, and nothing that it was while it was a version")
    func back() throws {
        let former = try #require(try Self.part(Self.text))
        var present = MirrorPart(fetched: 9)
        (present.came, present.place, present.setAside, present.number) = (5, 6, [Digest(of: [2])], 8)
        let back = former.back(over: present)
        #expect(back.came == 5 && back.place == 6 && back.setAside == present.setAside)
        #expect(back.fetched == former.fetched && back.isDowngraded && back.number == 3)
        #expect(back.incomplete == nil && back.version == nil && !back.isPruned)
        #expect(JSON.sparse(back.json).line.hasSuffix(#""colour":"blue","words":{"a":[1,2]}}"#))
    }
}
