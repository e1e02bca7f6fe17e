import Apod
import Gallery
import HTTP
import Serving
import Store
import TestSupport
import Testing

struct ListsTests {
    private let mirror: ServedMirror
    private let list: ListArchive

    init() async throws {
        mirror = try ServedMirror()
        try await mirror.add("2026-11-20")
        list = try ListArchive("hubble", of: mirror.archive)
        try await list.add("A Spiral", date: "2026-11-14")
        try await list.add("Mittens")
        try await list.add("A Drawing", type: .png)
        try mirror.publish()
        try publish()
    }

    private func publish() throws {
        try Gallery(list.archive) { text, _ in LinkedText(text) }.write(lists: [list.list])
    }

    @Test(
        "A list on the web has its files and lists of them, and nothing of the mirror's own",
        arguments: [
            (
                200,
                ["Mittens.jpg", "Mittens.json", "", "2026/2026-11-14%20A%20Spiral.jpg"].map { "/lists/hubble/\($0)" }
            ),
            (200, ["/lists/", "/gallery/data/lists/hubble/2026.js"]),
            (
                404,
                [
                    "/lists/hubble/Tiger.jpg", "/lists/hubble/.hidden", "/.apod-mirror/lists/hubble/days/2026.json",
                    "/.apod-mirror/lists/hubble/days/0.json",
                ]
            ),
        ])
    func files(status: Int, paths: [String]) throws {
        for path in paths { #expect(try mirror.status(path) == status, "\(path)") }
    }

    @Test("A list on the web has a picture by chance, a JPEG of that list alone, in any size")
    func random() throws {
        var seen: Set<[UInt8]> = []
        for _ in 0..<100 {
            let answer = try mirror.answer("/random.jpg?list=hubble")
            #expect(answer.status == 200 && answer.type == "image/jpeg" && answer.caching == .never)
            seen.insert(try answer.content)
        }
        #expect(seen == Set(["2026-11-14 A Spiral", "Mittens"].map { "picture of \($0)".bytes }))
        #expect(try mirror.answer("/random.jpg?list=hubble&width=0").status == 400)
    }

    @Test("A list on the web has a newest picture, and favorites, which are among all where no list is named")
    func chosen() throws {
        func text(_ path: String) throws -> String { try mirror.text(path) }
        #expect(try text("/latest.jpg?list=hubble") == "picture of 2026-11-14 A Spiral")
        let there = try mirror.answer("/latest?list=hubble").headers.first?.value
        #expect(there == "/lists/hubble/2026/2026-11-14%20A%20Spiral.jpg")
        for path in ["/latest.jpg", "/today.jpg"] { #expect(try text(path) == "picture of 2026-11-20") }
        #expect(try mirror.answer("/today.jpg?list=hubble").status == 404)
        #expect(try mirror.answer("/favorites/random.jpg?list=hubble").status == 404)
        try mirror.put(
            """
            [{"date":"2026-11-20","links":["a.jpg"]},{"list":"hubble","name":"Mittens","links":["b.jpg"]},
            {"list":"cats","name":"Tom","links":["c.jpg"]},{"list":"hubble","name":"2026-11-14 A Spiral","links":["d.jpg"],
            "ended":"2026-11-20T00:00:00Z"}]
            """, "favorites.json")
        var seen: Set<String> = []
        for _ in 0..<100 { seen.insert(try text("/favorites/random.jpg")) }
        #expect(seen == ["picture of 2026-11-20", "picture of Mittens"])
        for _ in 0..<20 { #expect(try text("/favorites/random.jpg?list=hubble") == "picture of Mittens") }
    }

    @Test(
        "A list on the web is none of another name",
        arguments: ["cats", "", "../hubble", "Hubble", "hubble/2026"])
    func others(name: String) throws {
        for path in ["/random.jpg", "/latest.jpg", "/latest", "/favorites/random.jpg"] {
            let answer = try mirror.answer("\(path)?list=\(name)")
            #expect(answer.status == 404 && answer.type.hasPrefix("text/plain"))
            #expect(try answer.content.text.contains("no such list"))
        }
    }
}
