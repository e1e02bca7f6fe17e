import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    @Suite("Thumbnails follow the pictures") struct Steps {
        @Test("newest first, each as soon as it is made")
        func order() async throws {
            let bench = try Bench()
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
            let bench = try Bench()
            #expect(try await bench.make(worker: "/nothing/there").isEmpty)
            let day = Bench.newest
            try await bench.shelf.add(day, "A Title", "Text.", [])
            #expect(try await bench.make(worker: "/nothing/there").isEmpty)
            let asked = try await bench.thumbnails(worker: "/nothing/there").thumbnails(for: [day], named: true).all()
            #expect(asked.map(\.failure) == ["there is no picture"])
        }

        @Test("nothing is made twice; a changed picture is made again, and one that went takes its own along")
        func changes() async throws {
            let bench = try Bench()
            let days = try await bench.put("plain.jpg", "small.jpg")
            #expect(try await bench.make().count == 2)
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
            _ = try await bench.shelf.archive().prune([days[1]], at: Bench.newest.noon + 90 * 86_400)
            try bench.thumbnails().removeStale()
            #expect(try await bench.gallery.isEmpty)
            #expect(try bench.thumbnails().missing().isEmpty)
        }

        @Test(
            "a picture that another day has, too, is not decoded again",
            arguments: [ThumbnailUses.screens, .fileManagers, .all])
        func sameAgain(uses: ThumbnailUses) async throws {
            let bench = try Bench()
            bench.uses = uses
            let day = try await bench.put("plain.jpg", "small.jpg")[0]
            #expect(try await bench.make().count == 2)
            let other = Day("1999-12-31")!
            try await bench.put("plain.jpg", on: other, title: "Another Title")
            let made = try await bench.make(worker: "/nothing/there")
            #expect(made.map(\.isMade) == [true], "\(made)")
            let catalog = try bench.shelf.archive().catalog
            let (first, second) = (try catalog.thumbnail(of: day), try catalog.thumbnail(of: other))
            #expect(first?.bytes == second?.bytes && first?.sharedBytes == second?.sharedBytes && second?.uses == uses)
            if uses.contains(.screens) {
                for (one, copy) in zip(bench.paths(day), bench.paths(other)) {
                    #expect(try contents(bench.path(one)) == contents(bench.path(copy)))
                }
            }
            if uses.contains(.fileManagers) {
                #expect(try await bench.shared("1999/12") == bench.expected("\(other) Another Title.jpg"))
            }
            // They are as they should be.
            try bench.thumbnails().tidy()
            #expect(try bench.thumbnails().missing().isEmpty)
        }

        @Test(
            "a picture is decoded again where those of the other day are not as they were made, or not for all uses",
            arguments: ["480.webp", "1280.jpg", "normal", "large", "another", "use"])
        func notSameAgain(lost: String) async throws {
            let bench = try Bench()
            bench.uses = lost == "use" ? .screens : .all
            let day = try await bench.put("plain.jpg", "small.jpg")[0]
            #expect(try await bench.make().count == 2)
            bench.uses = .all
            switch lost {
            case "use": break
            case "another":
                let folder = bench.path("2026/11/.sh_thumbnails")
                let names = try await bench.expected("\(day) A Title.jpg").filter { $0.hasPrefix("large") }
                let small = try await bench.expected("\(day.advanced(by: -1)) A Title.jpg")[0]
                #expect(small.hasPrefix("large"))
                for name in names { try save(contents("\(folder)/\(small)"), to: "\(folder)/\(name)") }
            case "normal", "large":
                let folder = bench.path("2026/11/.sh_thumbnails/\(lost)")
                for name in try Folder.open(folder).names() { truncate("\(folder)/\(name)", 300) }
            default:
                let path = bench.path("gallery/2026/\(day)-\(lost)")
                truncate(path, try contents(path).count - 1)
            }
            try await bench.put("plain.jpg", on: Day("1999-12-31")!)
            let thumbnails = try bench.thumbnails(worker: "/nothing/there")
            let other = try #require(try thumbnails.missing().last)
            #expect(await thumbnails.thumbnails(for: [other]).all().compactMap(\.failure).count == 1)
            #expect(try await bench.thumbnails().thumbnails(for: [other]).all().map(\.isMade) == [true])
        }

        @Test("what an older program has made is no word on a picture, and is not taken for another day")
        func olderCopies() async throws {
            let bench = try Bench()
            let day = try await bench.put("plain.jpg")[0]
            #expect(try await bench.make().count == 1)
            let catalog = try bench.shelf.archive().catalog
            let made = try #require(try catalog.thumbnail(of: day))
            try catalog.record(
                .init(day: day, source: made.source, version: Worker.version - 1, bytes: made.bytes))
            try await bench.put("plain.jpg", on: Day("1999-12-31")!)
            let again = try await bench.make(worker: "/nothing/there")
            #expect(again.count == 1 && again[0].failure != nil, "\(again)")
        }

        @Test("nothing is taken from a day whose smaller copies show the picture that it had before")
        func outdatedCopies() async throws {
            let bench = try Bench()
            let day = try await bench.put("small.jpg")[0]
            #expect(try await bench.make().count == 1)
            try await bench.put("plain.jpg", on: day)
            let other = Day("1999-12-31")!
            try await bench.put("plain.jpg", on: other)
            let thumbnails = try bench.thumbnails(worker: "/nothing/there")
            #expect(await thumbnails.thumbnails(for: [other]).all().compactMap(\.failure).count == 1)
        }

        @Test("what was lost is made again, what nobody knows goes, and what is not the mirror's stays")
        func tidy() async throws {
            let bench = try Bench()
            let days = try await bench.put("plain.jpg", "small.jpg")
            #expect(try await bench.make().count == 2)
            unlink("\(bench.root)/\(bench.paths(days[0])[0])")
            let script = """
                cd "$1" && mkdir -p gallery/1999 && touch gallery/1999/1999-01-01-480.webp gallery/mine.jpg \
                gallery/2026/2026-11-20-480.webp.txt .apod-mirror/unfinished/2026-11-20-1280.jpg
                """
            #expect(try await Program.run("/bin/sh", ["-c", script, "sh", bench.root]).status == 0)
            try bench.thumbnails().tidy()
            #expect(try bench.thumbnails().missing() == [days[0]])
            #expect(try await bench.make().map(\.isMade) == [true])
            let own = ["gallery/2026/2026-11-20-480.webp.txt", "gallery/mine.jpg"]
            #expect(try await Set(bench.gallery) == Set(own + days.flatMap(bench.paths)))
            #expect(try bench.shelf.archive().tree.unfinished.names().isEmpty)
        }

        @Test("a new catalog takes over those that are there, and decodes nothing, but not those of an earlier picture")
        func adopted() async throws {
            let bench = try Bench()
            bench.uses = .all
            let days = try await bench.put("plain.jpg", "small.jpg")
            #expect(try await bench.make().count == 2)
            func known() throws -> [Catalog.ThumbnailState?] {
                try days.map { try bench.shelf.archive().catalog.thumbnail(of: $0) }
            }
            func anew() async throws {
                try await bench.shelf.close()
                bench.shelf.removeCatalog()
                try bench.thumbnails(worker: "/nothing/there").tidy()
            }
            let before = try known()
            try await anew()
            #expect(try known() == before && bench.thumbnails().missing().isEmpty)
            // The days were put there in the first second of 1970.
            try File.reading("\(bench.root)/\(bench.paths(days[0])[1])").setModified(0)
            try await anew()
            #expect(try bench.thumbnails().missing() == [days[0]])
        }

        @Test("a file that is not as large as it was made is made again", arguments: ["480.webp", "1280.jpg"])
        func damagedCopy(kind: String) async throws {
            let bench = try Bench()
            let days = try await bench.put("plain.jpg", "small.jpg")
            #expect(try await bench.make().count == 2)
            let path = bench.path("gallery/2026/\(days[1])-\(kind)")
            let good = try contents(path)
            for size in [0, good.count - 1, good.count + 1] {
                truncate(path, size)
                // Not at every sync.
                try bench.thumbnails().tidy(isRight: true)
                #expect(try bench.thumbnails().missing().isEmpty)
                try bench.thumbnails().tidy()
                #expect(try bench.thumbnails().missing() == [days[1]])
                #expect(try await bench.make().map(\.day) == [days[1]])
                #expect(try contents(path) == good)
            }
        }

        @Test("all of them go when nobody wants them, but nothing else does", arguments: [false, true])
        func all(hasOthers: Bool) async throws {
            let bench = try Bench()
            let days = try await bench.put("small.jpg", "cut.jpg")
            try await bench.put("small.jpg", on: Day("1999-12-31")!)
            #expect(try await bench.make().filter(\.isMade).count == 2)
            if hasOthers { _ = try await Program.run("/usr/bin/touch", ["\(bench.root)/gallery/mine.jpg"]) }
            bench.uses = []
            try bench.thumbnails().tidy()
            bench.uses = .screens
            #expect(try await bench.gallery == (hasOthers ? ["gallery/mine.jpg"] : []))
            #expect(access("\(bench.root)/gallery", F_OK) == (hasOthers ? 0 : -1))
            // It is theirs now.
            #expect(try bench.thumbnails().missing() == (hasOthers ? [] : [days[0], Day("1999-12-31")!]))
        }

        @Test("all of them go though the catalog was lost, and come back where a year was deleted")
        func lost() async throws {
            let bench = try Bench()
            let day = try await bench.put("small.jpg")[0]
            #expect(try await bench.make().count == 1)
            let year = "\(bench.root)/gallery/\(day.year)"
            for path in bench.paths(day) { unlink("\(bench.root)/\(path)") }
            rmdir(year)
            try bench.thumbnails().tidy(isRight: true)
            #expect(try await bench.make().map(\.isMade) == [true])
            try bench.shelf.archive().catalog.forgetThumbnails(of: [day])
            bench.uses = []
            try bench.thumbnails().tidy()
            #expect(access(year, F_OK) != 0)
        }

        @Test("a file that is damaged or missing says nothing about its picture")
        func damaged() async throws {
            let bench = try Bench()
            let days = try await bench.put("plain.jpg", "small.jpg")
            let paths = days.map { "\(bench.root)/2026/11/\($0) A Title.jpg" }
            truncate(paths[0], 5000)
            unlink(paths[1])
            let failures = try await bench.make().compactMap(\.failure)
            #expect(failures.count == 2 && failures[0].contains("damaged") && failures[1].contains("missing"))
            try await bench.put("plain.jpg", on: days[0])
            #expect(try await bench.make().filter(\.isMade).map(\.day) == [days[0]])
        }

        @Test("those that could not be put in their place are still missing", .enabled(if: ImmutableFolder.canBeMade))
        func refused() async throws {
            let bench = try Bench()
            let days = try await bench.put("plain.jpg")
            #expect(try await bench.make().map(\.isMade) == [true])
            try await bench.put("grey.jpg", on: days[0].advanced(by: -1))
            let locked = try ImmutableFolder("\(bench.root)/gallery/\(days[0].year)")
            #expect(try await bench.make().compactMap(\.failure).count == 1)
            #expect(try bench.thumbnails().missing() == [days[0].advanced(by: -1)])
            withExtendedLifetime(locked) {}
        }

        @Test("of a picture that has become another, those are missing that could not be made then")
        func occupied() async throws {
            let bench = try Bench()
            bench.uses = .all
            try await bench.put("plain.jpg", on: Bench.newest)
            #expect(try await bench.make().map(\.isMade) == [true])
            #expect(rename("\(bench.root)/gallery", "\(bench.root)/aside") == 0)
            try save([1], to: "\(bench.root)/gallery")
            try await bench.put("grey.jpg", on: Bench.newest)
            #expect(try await bench.make().map(\.isMade) == [true])
            unlink("\(bench.root)/gallery")
            #expect(try bench.thumbnails().missing() == [Bench.newest])
        }

        @Test("an older program's refusal is looked at again")
        func version() async throws {
            let bench = try Bench()
            let day = try await bench.put("plain.jpg")[0]
            let source = try #require(try bench.shelf.archive().catalog.status(of: day)?.stored?.image).sha256
            try bench.shelf.archive().catalog.record(
                .init(day: day, source: source, version: Worker.version - 1, refusal: "not then"))
            #expect(try await bench.make().map(\.isMade) == [true])
            // The same picture on another day is not tried where it was refused.
            try bench.shelf.archive().catalog.record(
                .init(day: day, source: source, version: Worker.version, refusal: "not now"))
            let other = day.advanced(by: -1)
            try await bench.put("plain.jpg", on: other)
            #expect(try await bench.thumbnails().thumbnails(for: [other]).all().isEmpty)
            #expect(try bench.thumbnails().missing().isEmpty)
            #expect(try bench.shelf.archive().catalog.thumbnail(of: other)?.refusal == "not now")
            // Unless somebody names it.
            let asked = try await bench.thumbnails().thumbnails(for: [other], named: true).all()
            #expect(asked.map(\.isMade) == [true])
        }
    }
}
