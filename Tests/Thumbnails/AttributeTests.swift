import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Thumbnails

extension ThumbnailTests {
    @Suite("Attributes of the pictures") struct Attributes {
        private static let path = "2026/11/2026-11-20 A Title.jpg"
        private static let names = ["xdg.comment", "xdg.origin.url", "dublincore.creator", "dublincore.title"]
        private let day = Bench.newest

        private func attributes(_ bench: Bench, _ path: String = Self.path) -> [String?] {
            Self.names.map { bench.attribute($0, of: path) }
        }

        private static let canBeSet: Bool = {
            guard let folder = try? TemporaryFolder(), let file = try? Folder.open(folder.path).makeNewFile("a") else {
                return false
            }
            file.setAttribute("xdg.comment", "a")
            return file.attribute("xdg.comment") == "a"
        }()

        @Test("tell what the JSON tells, follow it, and go where nobody wants them", .enabled(if: canBeSet))
        func follow() async throws {
            let bench = try Bench()
            bench.uses = .fileManagers
            try await bench.put("plain.jpg", on: day, text: "This is the first sentence here. And a second.")
            let before = try await bench.shell("md5sum 2026/11/*.jpg; stat -c '%y %s' 2026/11/*.jpg").output
            #expect(attributes(bench) == [nil, nil, nil, nil])
            #expect(try !bench.thumbnails().describeNext())
            let address = "https://example.org/2026-11-20.jpg"
            #expect(attributes(bench) == ["A Title — This is the first sentence here.", address, nil, "A Title"])
            #expect(try await bench.shell("md5sum 2026/11/*.jpg; stat -c '%y %s' 2026/11/*.jpg").output == before)
            #expect(try bench.shelf.archive().catalog.undescribedDays().isEmpty)
            try await bench.put("plain.jpg", on: day, title: "Another Title", text: "Otherwise, one of those that are.")
            #expect(try !bench.thumbnails().describeNext())
            #expect(
                attributes(bench) == [
                    "Another Title — Otherwise, one of those that are.", address, nil, "Another Title",
                ])
            // A file that has come anew, of a day that is told of.
            #expect(try await bench.shell("cp '\(Self.path)' a && mv a '\(Self.path)'").status == 0)
            #expect(attributes(bench)[0] == nil)
            try bench.thumbnails().follow([day])
            #expect(attributes(bench)[3] == "Another Title")
            try File.reading(bench.path(Self.path)).setAttribute("xdg.tags", "mine")
            bench.uses = .screens
            try bench.thumbnails().tidy()
            #expect(attributes(bench) == [nil, nil, nil, nil] && bench.attribute("xdg.tags", of: Self.path) == "mine")
            #expect(try bench.shelf.archive().catalog.describedDays().isEmpty)
        }

        @Test(
            "name whom the picture is credited to before whose the copyright is", .enabled(if: canBeSet),
            arguments: [("A, B", "B", "A, B"), (nil, "B", "B"), ("A", nil, "A"), (nil, nil, nil)]
                as [(String?, String?, String?)])
        func creator(credit: String?, copyright: String?, creator: String?) async throws {
            let bench = try Bench()
            bench.uses = .fileManagers
            let made = try bench.shelf.arrival(day)
            var picture = made.metadata.picture
            (picture.credit, picture.copyright) = (credit, copyright)
            let metadata = Metadata(
                name: made.metadata.name, picture: picture, files: made.metadata.files, downgraded: false, fetched: 1)
            try await bench.shelf.archive().add(StagedDay(metadata, staged: made.staged, status: made.status))
            #expect(try !bench.thumbnails().describeNext())
            #expect(bench.attribute("dublincore.creator", of: Self.path) == creator)
        }

        @Test("tell an address unless it is too long for one", .enabled(if: canBeSet), arguments: [1000, 1001])
        func address(length: Int) async throws {
            let bench = try Bench()
            bench.uses = .fileManagers
            let made = try bench.shelf.arrival(day)
            let address = try #require(WebAddress("https://example.org/" + String(repeating: "x", count: length - 20)))
            let files = made.metadata.files.map {
                StoredFile(role: $0.role, type: $0.type, address: address, bytes: $0.bytes, sha256: $0.sha256)
            }
            let metadata = Metadata(
                name: made.metadata.name, picture: made.metadata.picture, files: files, downgraded: false, fetched: 1)
            try await bench.shelf.archive().add(StagedDay(metadata, staged: made.staged, status: made.status))
            #expect(try !bench.thumbnails().describeNext())
            let told = bench.attribute("xdg.origin.url", of: Self.path)
            #expect(told == (length == 1000 ? address.description : nil))
        }

        @Test("are bounded, on one line, and without what nobody sees", .enabled(if: canBeSet))
        func hostile() async throws {
            let bench = try Bench()
            bench.uses = .fileManagers
            let title = String(repeating: "ä\u{202e}\u{7}\n", count: 2000)
            try await bench.put("plain.jpg", on: day, title: title, text: String(repeating: "é\u{0}", count: 5000))
            #expect(try !bench.thumbnails().describeNext())
            let name = try #require(try bench.shelf.archive().catalog.status(of: day)?.stored).name
            let found = attributes(bench, "\(name.folder)/\(name.with("jpg"))")
            #expect(found[3]?.utf8.count == 200 && found[3]?.hasSuffix("ä…") == true, "\(found)")
            #expect(found[0].map { $0.utf8.count <= 710 && $0 == Text.clean($0) } == true)
        }

        @Test("are of every file of a day, and of no day that has none", .enabled(if: canBeSet))
        func files() async throws {
            let bench = try Bench()
            bench.uses = .fileManagers
            try await bench.put("plain.jpg", on: day, role: .poster, beside: [(.video, .mp4)])
            try await bench.shelf.add(day.advanced(by: -1), "Words", "Only words.", [], state: .placeholder)
            #expect(try !bench.thumbnails().describeNext())
            for suffix in ["jpg", "mp4"] {
                #expect(
                    bench.attribute("xdg.origin.url", of: "2026/11/2026-11-20 A Title.\(suffix)")
                        == "https://example.org/2026-11-20.\(suffix)")
            }
            #expect(try bench.shelf.archive().catalog.undescribedDays().isEmpty)
        }

        @Test("have no part in anything where there can be none", .enabled(if: Disk.canBeMade))
        func unsupported() async throws {
            let disk = try Disk("ramfs")
            let folder = try Folder.open(disk.path)
            let file = try folder.makeNewFile("a")
            file.setAttribute("xdg.comment", "a")
            file.setAttribute("xdg.comment", nil)
            #expect(file.attribute("xdg.comment") == nil)
        }

        @Test(
            "begin with the first sentence",
            arguments: [
                ("", ""), ("No end", "No end"),
                ("What is this strange thing? It is one.", "What is this strange thing?"),
                ("M. 31 and N.G.C. are long. Next", "M. 31 and N.G.C. are long."),
                ("About 3.5 million light years away. Next", "About 3.5 million light years away."),
            ])
        func sentences(text: String, first: String) {
            #expect(PictureAttributes.firstSentence(of: text) == first)
        }
    }
}
