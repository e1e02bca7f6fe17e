import Apod
import Glibc
import TestSupport
import Testing

@Suite(.serialized)
struct SidecarsTests {
    private static let (newest, before) = (CommandSandbox.newest, CommandSandbox.newest.advanced(by: -1))

    private func sidecars(_ home: CommandSandbox) async throws -> [String: String] {
        let names = try await home.files(".xmp")
        let texts = try names.map { name in
            let text = try fileText(home[name])
            return (String(name.dropFirst(8).prefix(10)), text)
        }
        return Dictionary(uniqueKeysWithValues: texts)
    }

    private func rated(_ home: CommandSandbox) async throws -> [String] {
        try await sidecars(home).filter { $0.value.contains("Rating") }.keys.sorted()
    }

    @Test("The sidecars, without a service, come with the days of a sync, follow favorites, deletions and the setting")
    func sync() async throws {
        let home = try await CommandSandbox(days: 3).synced()
        #expect(try await sidecars(home).isEmpty)
        try await home.sync("sidecars=yes").succeeds(output: "nothing new\n")
        #expect(try await sidecars(home).count == 3)
        #expect(try await rated(home).isEmpty)
        try await home.run("favorites", "add", "\(Self.newest)", "sidecars=yes").succeeds()
        #expect(try await rated(home) == ["\(Self.newest)"])
        try home.link("x", to: "\(Self.before)")
        try await home.run("favorites", "remove", "\(Self.newest)", "sidecars=yes").succeeds()
        try await home.sync("sidecars=yes").succeeds()
        #expect(try await rated(home) == ["\(Self.before)"])
        try await home.run("prune", "keep=1d", "sidecars=yes").succeeds()
        #expect(try await sidecars(home).keys.sorted() == ["\(Self.before)", "\(Self.newest)"])
        try await home.sync("sidecars=no", "keep=1d").succeeds(errors: "")
        #expect(try await sidecars(home).isEmpty)
    }

    @Test("The sidecars, without a service, that could not be written are named, and stop nothing else")
    func refused() async throws {
        let home = try await CommandSandbox(days: 1).synced()
        let name = try #require(try await home.files(".jpg").first)
        #expect(mkdir(home[".apod-mirror/unfinished/gallery-\(name.dropFirst(8)).xmp"], 0o755) == 0)
        try await home.sync("sidecars=yes").fails(
            output: "nothing new\n", errors: .containing("the sidecars could not be written: "))
    }
}
