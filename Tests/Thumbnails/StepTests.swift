import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Decoders
@testable import Thumbnails

extension ThumbnailTests {
    struct Steps {
        private let fixture: ThumbnailsFixture

        init() throws { fixture = try ThumbnailsFixture() }

        @Test("Thumbnails are made of the newest picture first, each as soon as it is asked for")
        func order() async throws {
            let days = try await fixture.put(
                "small.jpg", "red.jpg", "green.jpg", "blue.jpg", "grey.jpg", "noise.jpg")
            let thumbnails = try fixture.thumbnails()
            #expect(try thumbnails.missing().map(\.day) == days)
            var iterator = thumbnails.thumbnails(for: days.reversed()).makeAsyncIterator()
            let first = try #require(await iterator.next(isolation: nil))
            #expect(first.isMade)
            // Nobody has asked for the next one: no other is begun.
            #expect(try await fixture.gallery.count == 2)
            var made = [first.day]
            while let next = await iterator.next(isolation: nil) { made.append(next.day) }
            #expect(Set(made) == Set(days))
            // Two are made at a time: either of them may be done first.
            for (index, day) in made.enumerated() {
                #expect(days.prefix(index + 2).contains(day), "\(made)")
            }
        }

        @Test(
            "Thumbnails are made once, and follow a picture that changes, cannot be decoded, or goes"
        )
        func changes() async throws {
            let days = try await fixture.put("plain.jpg", "small.jpg")
            try await fixture.makeAll(2)
            #expect(try await fixture.make(worker: "/nothing/there").isEmpty)
            let kept = try await fixture.thumbnails(worker: "/nothing/there").thumbnails(
                for: days, named: true
            ).all()
            #expect(kept.map(\.outcome) == days.map { .there(GallerySize.paths(of: PictureKey($0))) })
            try await fixture.put("one.png", on: days[0])
            #expect(try await fixture.make().map(\.day) == [days[0]])
            #expect(try await fixture.size(days[0], "1280.jpg") == [1, 1])
            // One that cannot be decoded does not keep those of the picture before it.
            try await fixture.put("cut.png", on: days[0])
            #expect(try await fixture.make().map { $0.refusal != nil } == [true])
            #expect(try await fixture.gallery == fixture.paths(days[1]))
            try await fixture.mirror.prune([days[1]], at: ThumbnailsFixture.newest.noon + 90 * 86_400)
            try fixture.thumbnails().removeStale()
            #expect(try await fixture.gallery.isEmpty)
            #expect(try fixture.missing.isEmpty)
        }

        @Test(
            "Thumbnails that are lost or damaged are made again, unknown ones go, and other files stay"
        )
        func tidy() async throws {
            let days = try await fixture.put("plain.jpg", "small.jpg")
            try await fixture.makeAll(2)
            unlink(fixture[fixture.paths(days[0])[0]])
            truncate(fixture[fixture.paths(days[1])[1]], 100)
            let script = """
                mkdir -p gallery/1999 && touch gallery/1999/1999-01-01-480.webp gallery/mine.jpg \
                gallery/2026/2026-11-20-480.webp.txt
                """
            #expect(try await fixture.shell(script).status == 0)
            try fixture.tidy()
            #expect(try fixture.missing == days)
            try await fixture.makeAll(2)
            let own = ["gallery/2026/2026-11-20-480.webp.txt", "gallery/mine.jpg"]
            #expect(try await Set(fixture.gallery) == Set(own + days.flatMap(fixture.paths)))
            unlink(fixture[own[0]])
            fixture.uses = []
            try fixture.tidy()
            #expect(try await fixture.gallery == ["gallery/mine.jpg"])
            // It is theirs now.
            fixture.uses = .screens
            #expect(try fixture.missing.isEmpty)
        }

        @Test(
            "A new catalog takes over the thumbnails that are there, but not those of an earlier picture"
        )
        func adopted() async throws {
            fixture.uses = .all
            let days = try await fixture.put("plain.jpg", "small.jpg")
            try await fixture.makeAll(2)
            func known() throws -> [Digest?] {
                try days.map { day in
                    let known = try fixture.catalog.thumbnail(of: day)
                    return known?.uses == .all ? known?.source : nil
                }
            }
            /// Returns the days that the gallery is told to show again.
            func anew() async throws -> Set<Day> {
                try await fixture.mirror.forget()
                let changes = try fixture.mirror.archive().listenForChanges()
                try fixture.thumbnails(worker: "/nothing/there").tidy()
                return changes.take().days
            }
            let before = try known()
            #expect(try await anew() == Set(days))
            #expect(try known() == before && fixture.missing.isEmpty)
            // The days were put there in the first second of 1970.
            try File.reading(fixture[fixture.paths(days[0])[1]]).setModified(0)
            #expect(try await anew() == [days[1]])
            #expect(try fixture.missing == [days[0]])
        }

        @Test(
            "Thumbnails of a further picture are made, lost and found like those of the first"
        )
        func further() async throws {
            let day = ThumbnailsFixture.newest
            let pictures = [PictureKey(day), PictureKey(day, 2)]
            func missing() throws -> [PictureKey] { try fixture.thumbnails().missing() }
            try await fixture.put("plain.jpg", on: day, further: ["small.jpg", "cut.png"])
            #expect(try missing() == pictures + [PictureKey(day, 3)])
            #expect(try await fixture.make().filter(\.isMade).count == 2)
            let all = pictures.flatMap { GallerySize.paths(of: $0) }
            #expect(try await fixture.gallery == all.sorted() && missing().isEmpty)
            #expect(try await fixture.look(at: "gallery/2026/\(day)-2-1280.jpg", []).size == [300, 225])
            #expect(try Set(fixture.catalog.screenCopies(in: .days(day...day)).keys) == Set(pictures))
            // What was lost is made again, a new catalog knows all, and who names the day is told of each.
            unlink(fixture["gallery/2026/\(day)-2-480.webp"])
            try fixture.tidy()
            #expect(try missing() == [pictures[1]])
            try await fixture.makeAll()
            try await fixture.mirror.forget()
            try fixture.tidy()
            #expect(try missing() == [PictureKey(day, 3)])
            let named = try fixture.thumbnails().pictures(of: [.day(day)])
            let told = try await fixture.thumbnails().thumbnails(for: named, named: true).all()
            #expect(told.prefix(2).map(\.outcome) == pictures.map { .there(GallerySize.paths(of: $0)) })
            #expect(told.count == 3 && told[2].refusal != nil)
            // A correction takes it away, another the first one.
            try await fixture.put("plain.jpg", on: day)
            try fixture.thumbnails().removeStale()
            #expect(try await fixture.gallery == fixture.paths(day) && missing().isEmpty)
            try await fixture.put("cut.png", on: day, further: ["small.jpg"])
            #expect(try await fixture.make().filter(\.isMade).count == 1)
            #expect(try await fixture.gallery == GallerySize.paths(of: pictures[1]).sorted())
            // File managers make their own of it.
            fixture.uses = .fileManagers
            #expect(try missing().isEmpty && fixture.thumbnails().pictures(of: [.day(day)]) == [pictures[0]])
        }

        @Test("A file that is damaged or missing says nothing about its picture")
        func damaged() async throws {
            let days = try await fixture.put("plain.jpg", "small.jpg")
            let paths = days.map { fixture["2026/11/\($0) A Title.jpg"] }
            truncate(paths[0], 5000)
            unlink(paths[1])
            let failures = try await fixture.make().compactMap(\.failure)
            #expect(
                failures.count == 2 && failures[0].contains("damaged") && failures[1].contains("missing"))
            // A file that somebody has changed stays; one that is gone comes again.
            unlink(paths[0])
            try await fixture.put("plain.jpg", on: days[0])
            #expect(try await fixture.make().filter(\.isMade).map(\.day) == [days[0]])
        }

        @Test(
            "An older program's refusal is looked at again, this one's only where somebody names the day"
        )
        func version() async throws {
            let day = try await fixture.put("plain.jpg")[0]
            let catalog = try fixture.catalog
            let source = try #require(try catalog.item(of: day)?.stored?.image).sha256
            try catalog.record(
                .init(PictureKey(day), source: source, version: Worker.version - 1, refusal: "not then"))
            try await fixture.makeAll()
            try catalog.record(
                .init(PictureKey(day), source: source, version: Worker.version, refusal: "not now"))
            #expect(try fixture.missing.isEmpty)
            let asked = try await fixture.thumbnails().thumbnails(for: [day], named: true).all()
            #expect(asked.map(\.isMade) == [true])
        }
    }
}
