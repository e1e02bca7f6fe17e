import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Decoders
@testable import Thumbnails

extension ThumbnailTests {
    @Suite("Thumbnails follow the pictures") struct Steps {
        private let bench: Bench

        init() throws { bench = try Bench() }

        @Test("newest first, each as soon as it is made")
        func order() async throws {
            let days = try await bench.put("small.jpg", "red.jpg", "green.jpg", "blue.jpg", "grey.jpg", "noise.jpg")
            let thumbnails = try bench.thumbnails()
            #expect(try thumbnails.missing() == days)
            var iterator = thumbnails.thumbnails(for: days.reversed()).makeAsyncIterator()
            let first = try #require(await iterator.next(isolation: nil))
            #expect(first.isMade)
            // Nobody has asked for the next one: no other is begun.
            #expect(try await bench.gallery.count == 2)
            var made = [first.day]
            while let next = await iterator.next(isolation: nil) { made.append(next.day) }
            #expect(Set(made) == Set(days))
            // Two are made at a time: either of them may be done first.
            for (index, day) in made.enumerated() { #expect(days.prefix(index + 2).contains(day), "\(made)") }
        }

        @Test("with nothing to do, no process is started")
        func nothing() async throws {
            #expect(try await bench.make(worker: "/nothing/there").isEmpty)
            let day = Bench.newest
            try await bench.shelf.add(day, "A Title", "Text.", [])
            #expect(try await bench.make(worker: "/nothing/there").isEmpty)
            let asked = try await bench.thumbnails(worker: "/nothing/there").thumbnails(for: [day], named: true).all()
            #expect(asked.map(\.failure) == ["there is no picture"])
        }

        @Test("nothing is made twice; a changed picture is made again, and one that went takes its own along")
        func changes() async throws {
            let days = try await bench.put("plain.jpg", "small.jpg")
            try await bench.makeAll(2)
            #expect(try await bench.make(worker: "/nothing/there").isEmpty)
            let kept = try await bench.thumbnails(worker: "/nothing/there").thumbnails(for: days, named: true).all()
            #expect(kept.map(\.outcome) == days.map { .kept(Thumbnails.paths(of: $0)) })
            try await bench.put("one.png", on: days[0])
            #expect(try await bench.make().map(\.day) == [days[0]])
            #expect(try await bench.size(days[0], "1280.jpg") == [1, 1])
            // One that cannot be decoded does not keep those of the picture before it.
            try await bench.put("cut.png", on: days[0])
            #expect(try await bench.make().map { $0.refusal != nil } == [true])
            #expect(try await bench.gallery == bench.paths(days[1]))
            try await bench.shelf.prune([days[1]], at: Bench.newest.noon + 90 * 86_400)
            try bench.thumbnails().removeStale()
            #expect(try await bench.gallery.isEmpty)
            #expect(try bench.missing.isEmpty)
        }

        @Test("what was lost is made again, what nobody knows goes, and what is not the mirror's stays")
        func tidy() async throws {
            let days = try await bench.put("plain.jpg", "small.jpg")
            try await bench.makeAll(2)
            unlink(bench[bench.paths(days[0])[0]])
            let script = """
                mkdir -p gallery/1999 && touch gallery/1999/1999-01-01-480.webp gallery/mine.jpg \
                gallery/2026/2026-11-20-480.webp.txt
                """
            #expect(try await bench.shell(script).status == 0)
            try bench.tidy()
            #expect(try bench.missing == [days[0]])
            try await bench.makeAll()
            let own = ["gallery/2026/2026-11-20-480.webp.txt", "gallery/mine.jpg"]
            #expect(try await Set(bench.gallery) == Set(own + days.flatMap(bench.paths)))
        }

        @Test("a new catalog takes over those that are there, and decodes nothing, but not those of an earlier picture")
        func adopted() async throws {
            bench.uses = .all
            let days = try await bench.put("plain.jpg", "small.jpg")
            try await bench.makeAll(2)
            func known() throws -> [Digest?] {
                try days.map { day in
                    let known = try bench.catalog.thumbnail(of: day)
                    return known?.uses == .all ? known?.source : nil
                }
            }
            func anew() async throws {
                try await bench.shelf.forget()
                try bench.thumbnails(worker: "/nothing/there").tidy()
            }
            let before = try known()
            try await anew()
            #expect(try known() == before && bench.missing.isEmpty)
            // The days were put there in the first second of 1970.
            try File.reading(bench[bench.paths(days[0])[1]]).setModified(0)
            try await anew()
            #expect(try bench.missing == [days[0]])
        }

        @Test("a file that is not as large as it was made is made again", arguments: ["480.webp", "1280.jpg"])
        func damagedCopy(kind: String) async throws {
            let days = try await bench.put("plain.jpg", "small.jpg")
            try await bench.makeAll(2)
            let path = bench["gallery/2026/\(days[1])-\(kind)"]
            let good = try contents(path)
            for size in [0, good.count - 1, good.count + 1] {
                truncate(path, size)
                try bench.tidy()
                #expect(try bench.missing == [days[1]])
                #expect(try await bench.make().map(\.day) == [days[1]])
                #expect(try contents(path) == good)
            }
        }

        @Test("all of them go when nobody wants them, but nothing else does", arguments: [false, true])
        func all(hasOthers: Bool) async throws {
            let days = try await bench.put("small.jpg", "cut.jpg")
            try await bench.put("small.jpg", on: Day("1999-12-31")!)
            #expect(try await bench.make().filter(\.isMade).count == 2)
            if hasOthers { try save([1], to: bench["gallery/mine.jpg"]) }
            bench.uses = []
            try bench.tidy()
            bench.uses = .screens
            #expect(try await bench.gallery == (hasOthers ? ["gallery/mine.jpg"] : []))
            #expect(exists(bench["gallery"]) == hasOthers)
            // It is theirs now.
            #expect(try bench.missing == (hasOthers ? [] : [days[0], Day("1999-12-31")!]))
        }

        @Test("all of them go though the catalog was lost, and come back where a year was deleted")
        func lost() async throws {
            let day = try await bench.put("small.jpg")[0]
            try await bench.makeAll()
            let year = bench["gallery/\(day.year)"]
            for path in bench.paths(day) { unlink(bench[path]) }
            rmdir(year)
            try bench.tidy()
            try await bench.makeAll()
            try bench.catalog.forgetThumbnails(of: [day])
            bench.uses = []
            try bench.tidy()
            #expect(!exists(year))
        }

        @Test("a file that is damaged or missing says nothing about its picture")
        func damaged() async throws {
            let days = try await bench.put("plain.jpg", "small.jpg")
            let paths = days.map { bench["2026/11/\($0) A Title.jpg"] }
            truncate(paths[0], 5000)
            unlink(paths[1])
            let failures = try await bench.make().compactMap(\.failure)
            #expect(failures.count == 2 && failures[0].contains("damaged") && failures[1].contains("missing"))
            try await bench.put("plain.jpg", on: days[0])
            #expect(try await bench.make().filter(\.isMade).map(\.day) == [days[0]])
        }

        @Test("those that could not be put in their place are still missing", .enabled(if: ImmutableFolder.canBeMade))
        func refused() async throws {
            let days = try await bench.put("plain.jpg")
            try await bench.makeAll()
            try await bench.put("grey.jpg", on: days[0].advanced(by: -1))
            let locked = try ImmutableFolder(bench["gallery/\(days[0].year)"])
            #expect(try await bench.make().compactMap(\.failure).count == 1)
            #expect(try bench.missing == [days[0].advanced(by: -1)])
            withExtendedLifetime(locked) {}
        }

        @Test("of a picture that has become another, those are missing that could not be made then")
        func occupied() async throws {
            bench.uses = .all
            try await bench.put("plain.jpg", on: Bench.newest)
            try await bench.makeAll()
            #expect(rename(bench["gallery"], bench["aside"]) == 0)
            try save([1], to: bench["gallery"])
            try await bench.put("grey.jpg", on: Bench.newest)
            try await bench.makeAll()
            unlink(bench["gallery"])
            #expect(try bench.missing == [Bench.newest])
        }

        @Test("an older program's refusal is looked at again, this one's only where somebody names the day")
        func version() async throws {
            let day = try await bench.put("plain.jpg")[0]
            let catalog = try bench.catalog
            let source = try #require(try catalog.status(of: day)?.stored?.image).sha256
            try catalog.record(.init(day: day, source: source, version: Worker.version - 1, refusal: "not then"))
            try await bench.makeAll()
            try catalog.record(.init(day: day, source: source, version: Worker.version, refusal: "not now"))
            #expect(try bench.missing.isEmpty)
            let asked = try await bench.thumbnails().thumbnails(for: [day], named: true).all()
            #expect(asked.map(\.isMade) == [true])
        }
    }
}
