import Apod
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Archive

@Suite("A month that refuses what is to be done in it", .enabled(if: ImmutableFolder.canBeMade))
struct RefusedMonthTests {
    private let bad = day("2026-10-30")
    private let good = november(20)

    private func add(_ day: Day, to shelf: Shelf, _ media: MediaType = .jpeg) async -> ArchiveError? {
        do {
            try await shelf.add(day, "A Title", "Text of \(media).", [(.picture, media)])
            return nil
        } catch {
            return error as? ArchiveError
        }
    }

    @Test("costs no day of another that is put into its place at the same moment")
    func sideBySide() async throws {
        let shelf = try Shelf()
        try await shelf.add(bad.advanced(by: -9))
        let path = shelf["2026/10"]
        let before = listing(path)
        let folder = try ImmutableFolder(path)
        let archive = try shelf.archive()
        let days = (0..<8).flatMap { [good.advanced(by: -$0), bad.advanced(by: -$0)] }
        let newDays = try days.map { try shelf.arrival($0) }
        let errors = await withTaskGroup(of: ArchiveError?.self, returning: [ArchiveError].self) { group in
            for arrival in newDays {
                group.addTask { () -> ArchiveError? in
                    do throws(ArchiveError) {
                        try await archive.add(arrival)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { if let error = $1 { $0.append(error) } }
        }
        #expect(errors.count == 8)
        for error in errors {
            #expect(error.isOfMonth && !error.isGeneral)
            #expect("\(error)".hasPrefix("cannot move into place \(path)/"), "\(error)")
            #expect(error.failure.number == Int(EPERM) && error.failure.path == path)
        }
        #expect(listing(path) == before)
        let here = [bad.advanced(by: -9)] + (0..<8).reversed().map { good.advanced(by: -$0) }
        #expect(try shelf.storedDays().map(\.day) == here)
        withExtendedLifetime(folder) {}
    }

    @Test("leaves the day that is there whole when it should become another, and lets it become that later")
    func replaced() async throws {
        let shelf = try Shelf()
        try await shelf.add(bad)
        let before = shelf.tree
        var folder: ImmutableFolder? = try ImmutableFolder(shelf["2026/10"])
        #expect(await add(bad, to: shelf, .png)?.isOfMonth == true)
        #expect(shelf.tree == before)
        try await shelf.expectNoProblems()
        _ = folder.take()
        #expect(await add(bad, to: shelf, .png) == nil)
        #expect(shelf.tree.contains("2026/10/2026-10-30 A Title.png"))
        #expect(!shelf.tree.contains("2026/10/2026-10-30 A Title.jpg"))
    }

    @Test("is told before anything is to be put there", arguments: ["2026", "2026/10", ""])
    func told(place: String) async throws {
        let shelf = try Shelf()
        try await shelf.add(day("2026-09-01"))
        if place == "2026/10" { try await shelf.add(bad.advanced(by: -1)) }
        let folder = place.isEmpty ? nil : try ImmutableFolder(shelf[place])
        let archive = try shelf.archive()
        var error: ArchiveError?
        do throws(ArchiveError) { try await archive.checkMonth(of: bad) } catch let refusal {
            error = refusal
        }
        #expect((error == nil) == place.isEmpty && error?.isOfMonth != false)
        if !place.isEmpty { #expect("\(error, default: "")".hasPrefix("cannot write in \(shelf.root)/\(place): ")) }
        try await archive.checkMonth(of: day("2026-09-02"))
        try await archive.checkMonth(of: day("2025-09-02"))
        #expect(!exists(shelf["2025"]))
        withExtendedLifetime(folder) {}
    }

    @Test("is known before anything is tried in it where it is on another disk", .enabled(if: Disk.canBeMade))
    func otherDisk() async throws {
        let shelf = try Shelf()
        try await shelf.add(bad)
        let disk = try Disk("tmpfs")
        let mount = try BindMount(of: disk.path, over: shelf["2026/10"])
        let archive = try shelf.archive()
        await #expect { try await archive.checkMonth(of: bad) } throws: {
            "\($0)".contains(" is on another disk than the mirror")
        }
        withExtendedLifetime((disk, mount)) {}
    }
}
