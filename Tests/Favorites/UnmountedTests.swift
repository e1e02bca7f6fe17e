import Favorites
import Glibc
import TestSupport
import Testing

@Suite("Favorites on a disk that is unmounted", .enabled(if: Disk.canBeMade))
struct UnmountedTests {
    /// What is in a folder `USB` on a disk that stays mounted while `work` is done.
    private func mounted(
        _ wall: Wall, _ disk: Disk, at album: String = "USB", _ work: () async throws -> Void
    ) async throws {
        try await wall.shell("mkdir -p \(album)")
        let mount = try BindMount(of: disk.path, over: "\(wall.folder)/\(album)")
        try await work()
        withExtendedLifetime(mount) {}
    }

    @Test(
        "stay in all albums that are on it, and are whole when it is back",
        arguments: ["USB/Nebulae", "USB/a/b", "USB/a/b/c"], [false, true])
    func albums(album: String, restarts: Bool) async throws {
        let (wall, disk) = (try await Wall.withOthers(), try Disk("tmpfs"))
        for hasOthers in [false, true] {
            try await mounted(wall, disk) {
                let other = hasOthers ? "ln -s \"$ORION\" USB/direct" : ":"
                try await wall.shell("mkdir -p \(album); ln -sf \"$ORION\" \(album)/orion; \(other)")
                try wall.lookAndSettle()
                let links = (hasOthers ? ["USB/direct"] : []) + ["\(album)/orion"]
                #expect(try wall.favorites == [Wall.others, "2026-11-20: \(links.joined(separator: ", "))"])
            }
            if restarts { try await wall.restart() }
            for _ in 0..<2 { try wall.lookAndSettle() }
            let links = (hasOthers ? ["(USB/direct)"] : []) + ["(\(album)/orion)"]
            #expect(try wall.favorites == [Wall.others, "2026-11-20: \(links.joined(separator: ", "))"])
        }
        #expect(try !wall.history.contains { $0.hasPrefix("removed") })
    }

    @Test("stay in an album that is a disk in a disk, whichever is unmounted", arguments: [true, false])
    func nested(isDisk: Bool) async throws {
        let (wall, disk, inner) = (try await Wall.withOthers(), try Disk("tmpfs"), try Disk("tmpfs"))
        func inside(_ work: () async throws -> Void) async throws {
            if isDisk { try await mounted(wall, disk, work) } else { try await work() }
        }
        try await inside {
            try await mounted(wall, inner, at: "USB/inner") {
                try await wall.shell("mkdir -p USB/inner/a; ln -s \"$ORION\" USB/inner/a/orion")
                try wall.lookAndSettle()
                #expect(try wall.favorites == [Wall.others, "2026-11-20: USB/inner/a/orion"])
            }
            for _ in 0..<2 { try wall.lookAndSettle() }
            #expect(try wall.favorites == [Wall.others, "2026-11-20: (USB/inner/a/orion)"])
            try await mounted(wall, inner, at: "USB/inner") {
                try wall.lookAndSettle()
                #expect(try wall.favorites == [Wall.others, "2026-11-20: USB/inner/a/orion"])
            }
        }
        for _ in 0..<2 { try wall.lookAndSettle() }
        #expect(try wall.favorites == [Wall.others, "2026-11-20: (USB/inner/a/orion)"])
    }

    @Test("stay when it goes while they seem to be removed")
    func meanwhile() async throws {
        let (wall, disk) = (try await Wall.withOthers(), try Disk("tmpfs"))
        try await mounted(wall, disk) {
            try await wall.shell("mkdir -p USB/a/b; ln -s \"$ORION\" USB/a/b/orion")
            try wall.lookAndSettle()
            try await wall.shell("rm -r USB/a")
            try wall.look()
        }
        try wall.settle()
        #expect(try wall.favorites == [Wall.others, "2026-11-20: USB/a/b/orion"])
        try wall.lookAndSettle()
        #expect(try wall.favorites == [Wall.others, "2026-11-20: (USB/a/b/orion)"])
    }

    @Test("end with their album and the one around it, on a disk or not", arguments: [true, false])
    func removed(isDisk: Bool) async throws {
        let (wall, disk) = (try await Wall.withOthers(), try Disk("tmpfs"))
        func check() async throws {
            for gone in ["a", "a/b", "a/b/c"] {
                try await wall.shell("mkdir -p USB/a/b/c; ln -s \"$ORION\" USB/a/b/c/orion")
                try wall.lookAndSettle()
                #expect(try wall.favorites == [Wall.others, "2026-11-20: USB/a/b/c/orion"])
                try await wall.shell("rm -r USB/\(gone)")
                try wall.lookAndSettle()
                #expect(try wall.favorites == [Wall.others])
            }
        }
        if isDisk { try await mounted(wall, disk, check) } else { try await check() }
    }

    @Test("follow the album around theirs that is renamed, on a disk or not", arguments: [true, false])
    func renamed(isDisk: Bool) async throws {
        let (wall, disk) = (try await Wall.withOthers(), try Disk("tmpfs"))
        func check() async throws {
            try await wall.shell("mkdir -p USB/a/b; ln -s \"$ORION\" USB/a/b/orion")
            try wall.lookAndSettle()
            try await wall.shell("mv USB/a USB/c")
            try wall.lookAndSettle()
            #expect(try wall.favorites == [Wall.others, "2026-11-20: USB/c/b/orion"])
            #expect(try wall.history.count == 2)
        }
        if isDisk { try await mounted(wall, disk, check) } else { try await check() }
    }
}
