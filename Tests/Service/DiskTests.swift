import Apod
import Archive
import CLinux
import Glibc
import Service
import TestSupport
import Testing

@Suite("On a disk")
struct DiskTests {
    private let today = Observatory.today

    @Test(
        "that gets full, a sync ends with a clear error, and goes on when there is room", .enabled(if: Disk.canBeMade))
    func full() async throws {
        let disk = try Disk("tmpfs", "size=2500k")
        let observatory = try Observatory(Entry.days(60, newest: today, bytes: 60_000), root: disk.path + "/APOD")
        let (_, error) = try await observatory.attempt()
        #expect("\(error, default: "")".contains("make room"))
        // The catalog can be what had no room any more.
        #expect(try await observatory.problems().allSatisfy { $0.hasPrefix("unlisted") })
        for name in observatory.tree where name.hasPrefix("2026") && name.hasSuffix(".jpg") {
            #expect(Facts("\(observatory.root)/\(name)")?.bytes == 60_000)
        }
        #expect(try observatory.archive().catalog.entries().count > 0)
        try await observatory.close()
        try disk.change("size=20m")
        try await observatory.sync()
        #expect(try observatory.archive().catalog.entries().count == 60)
        try await observatory.audit()
    }

    @Test("that cannot be written to, the mirror is not opened, but can be looked at", .enabled(if: Disk.canBeMade))
    func readOnly() async throws {
        let disk = try Disk("tmpfs", "size=4m")
        let observatory = try Observatory(Entry.days(3, newest: today, bytes: 2_000), root: disk.path + "/APOD")
        try await observatory.sync()
        try await observatory.close()
        try disk.makeReadOnly()
        #expect { try observatory.archive() } throws: { "\($0)".contains("Read-only file system") }
        let catalog = try #require(try Archive.catalogToRead(root: observatory.root))
        #expect(try catalog.entries().count == 3)
        #expect(try Archive.find(["the"], limit: 3, root: observatory.root, state: nil) != nil)
    }

    @Test("that has no extended attributes, all works", .enabled(if: Disk.canBeMade))
    func noAttributes() async throws {
        let disk = try Disk("ramfs")
        let observatory = try Observatory(Entry.days(3, newest: today, bytes: 2_000), root: disk.path + "/APOD")
        try await observatory.sync()
        #expect(attribute(of: observatory) == nil)
        try await observatory.audit()
    }

    @Test("files tell where they came from, as file managers show it", .enabled(if: Disk.canBeMade))
    func attributes() async throws {
        let disk = try Disk("tmpfs", "size=4m")
        let observatory = try Observatory(Entry.days(1, newest: today, bytes: 2_000), root: disk.path + "/APOD")
        try await observatory.sync()
        let address = observatory.nasa.origin + Entry.originals + observatory.nasa[today]!.files[0].path
        #expect([nil, address].contains(attribute(of: observatory)))
    }

    private func attribute(of observatory: Observatory) -> String? {
        let path = "\(observatory.root)/\(target(of: "\(observatory.root)/latest") ?? "")"
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = getxattr(path, "user.xdg.origin.url", &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    @Test("a mirror in use is not opened a second time, and the message names who has it")
    func inUse() async throws {
        let observatory = try Observatory(days: 1)
        _ = try observatory.archive()
        #expect { try Archive(root: observatory.root) { _ in nil } } throws: { error in
            "\(error)".contains("in use by process \(getpid());")
        }
        try await observatory.sync()
        try await observatory.audit()
        try await observatory.close()
        _ = try Archive(root: observatory.root) { _ in nil }
    }

    @Test("a folder cannot be made where a file stands, and the error says so")
    func file() async throws {
        let observatory = try Observatory(days: 1)
        try save([], to: observatory.folder.appending("APOD"))
        #expect { try observatory.archive() } throws: { "\($0)".contains("Not a directory") }
    }

    @Test("links in the place of the tree's folders are not followed", arguments: ["2026", "2026/11"])
    func links(place: String) async throws {
        let observatory = try Observatory(days: 1)
        let outside = try TemporaryFolder()
        _ = try observatory.archive()
        if place.contains("/") { mkdir("\(observatory.root)/2026", 0o755) }
        symlink(outside.path, "\(observatory.root)/\(place)")
        let (events, _) = try await observatory.attempt()
        #expect(events[today] == "failed for now")
        #expect(try observatory.standing(today)?.reason?.contains(place) == true)
        #expect(listing(outside.path) == [])
    }

    @Test("a link in the place of a picture is replaced, and what it led to is not touched")
    func linkedFile() async throws {
        let observatory = try Observatory([Entry(today, title: "Orion Rising", bytes: 2_000)])
        let outside = try TemporaryFolder()
        try save([1, 2, 3], to: outside.appending("mine"))
        mkdir(observatory.root, 0o755)
        for suffix in ["jpg", "json"] {
            try observatory.put([], at: "2026/11/x")
            symlink(outside.appending("mine"), "\(observatory.root)/2026/11/2026-11-20 Orion Rising.\(suffix)")
        }
        unlink("\(observatory.root)/2026/11/x")
        try await observatory.sync()
        #expect(try contents(outside.appending("mine")) == [1, 2, 3])
        try await observatory.audit()
    }

    @Test("the first run is where the range begins, also when it named days")
    func firstRun() async throws {
        let observatory = try Observatory([Entry(day("2019-04-10"), bytes: 2_000)] + Entry.days(2, newest: today))
        for _ in 1...2 {
            do {
                let session = try Session(observatory.settings, version: "1", environment: [:], time: observatory.clock)
                #expect(try session.since() == today.advanced(by: -30))
                for try await _ in session.refresh().start(.days([day("2019-04-10")])).events {}
            }
            try await unlocked(observatory.root)
        }
    }
}
