import Archive
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

/// Everything is tried with so few descriptors that it ends at each place in turn.
@Suite("With too many files open, the favorites")
struct ShortageTests {
    @Test("are all kept, and are looked at again until what is new is a favorite")
    func mostOpen() async {
        await #expect(processExitsWith: .success) {
            let wall = try await Wall()
            for album in ["a", "a/b", "c"] { try wall.album(album) }
            for name in ["x", "a/x", "a/b/x", "c/x"] { try wall.link(name, to: wall.orionPath) }
            try wall.link("c/far", to: "/proc/self/2026/11/2026-11-20 Orion Rising.jpg")
            try wall.lookAndSettle()
            let before = try wall.favorites
            #expect(before == ["2026-11-20: x, a/x, a/b/x, c/far, c/x"])
            for name in ["new", "a/b/new", "c/new"] { try wall.link(name, to: wall.cloudsPath) }
            let failures = try Shortage.end {
                try wall.look()
            } meanwhile: {
                try wall.settle()
                #expect(try Array(wall.favorites.suffix(1)) == before)
            }
            try wall.settle()
            // The folder, its entries, an album, its entries, …
            #expect(failures > 5)
            #expect(try wall.favorites == ["2026-09-13: new, a/b/new, c/new"] + before)
        }
    }

    @Test("are found where somebody has told of them, and put in order, as soon as there is room again")
    func told() async {
        await #expect(processExitsWith: .success) {
            let wall = try await Wall()
            for album in ["a", "a/b"] { try wall.album(album) }
            try wall.lookAndSettle()
            let names = ["x", "a/x", "a/b/x"]
            for name in names { try wall.link(name, to: wall.orionPath) }
            let failures = try [
                Shortage.end { try wall.look(at: "x", "a/x", "a/b/x") },
                Shortage.end { while try !wall.reconciler.tidy() {} },
            ]
            #expect(failures.allSatisfy { $0 > 1 })
            #expect(try wall.favorites == ["2026-11-20: x, a/x, a/b/x"])
            #expect(names.allSatisfy { wall.target($0)?.hasPrefix("../") == true })
        }
    }
}

/// For a process of its own.
private enum Shortage {
    /// Tries with no other file that can be opened, then with one, and so on. Returns how often that failed.
    static func end(_ work: () throws -> Void, meanwhile: () throws -> Void = {}) throws -> Int {
        var failures = 0
        while true {
            do {
                try with(failures, work)
                return failures
            } catch let error as StorageError {
                #expect(error.code == EMFILE)
            }
            try meanwhile()
            failures += 1
        }
    }

    /// So many more files can be opened.
    private static func with(_ free: Int, _ work: () throws -> Void) throws {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit(rlim_cur: 256, rlim_max: 256)
        guard setrlimit(files, &limit) == 0 else { throw SystemError("setrlimit") }
        var taken: [Int32] = []
        defer { for descriptor in taken { close(descriptor) } }
        while true {
            let descriptor = dup(2)
            if descriptor < 0 { break }
            taken.append(descriptor)
        }
        for _ in 0..<free { close(taken.removeLast()) }
        try work()
    }
}
