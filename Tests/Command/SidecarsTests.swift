import Apod
import Glibc
import TestSupport
import Testing

@Suite("The sidecars, without a service,", .serialized)
struct SidecarsTests {
    private static let (newest, before) = (Household.newest, Household.newest.advanced(by: -1))

    private func sidecars(_ home: Household) async throws -> [String: String] {
        let names = try await home.files().filter { $0.hasSuffix(".xmp") }
        let texts = try names.map { name in
            let text = String(decoding: try contents("\(home.root)/\(name)"), as: UTF8.self)
            return (String(name.dropFirst(8).prefix(10)), text)
        }
        return Dictionary(uniqueKeysWithValues: texts)
    }

    private func rated(_ home: Household) async throws -> [String] {
        try await sidecars(home).filter { $0.value.contains("Rating") }.keys.sorted()
    }

    @Test("come with the days of a sync, follow favorites, deletions and the setting, and are no file to verify")
    func sync() async throws {
        let home = try Household(days: 3)
        #expect(try await home.sync().status == 0)
        #expect(try await sidecars(home).isEmpty)
        let first = try await home.sync("sidecars=yes")
        #expect(first.status == 0 && first.output == "nothing new\n", "\(first)")
        #expect(try await sidecars(home).count == 3)
        #expect(try await rated(home).isEmpty)
        #expect(try await home.run("favorites", "add", "\(Self.newest)", "sidecars=yes").status == 0)
        #expect(try await rated(home) == ["\(Self.newest)"])
        symlink("\(Self.before)", "\(home.root)/favorites/x")
        #expect(try await home.run("favorites", "remove", "\(Self.newest)", "sidecars=yes").status == 0)
        #expect(try await home.sync("sidecars=yes").status == 0)
        #expect(try await rated(home) == ["\(Self.before)"])
        let verify = try await home.run("verify", "--json", "sidecars=yes")
        #expect(try verify.status == 0 && verify.json()["checked"]?.integer == 6)
        #expect(try await home.run("prune", "keep=1d", "sidecars=yes").status == 0)
        #expect(try await sidecars(home).keys.sorted() == ["\(Self.before)", "\(Self.newest)"])
        let last = try await home.sync("sidecars=no", "keep=1d")
        #expect(last.status == 0 && last.errors == "", "\(last)")
        #expect(try await sidecars(home).isEmpty)
    }

    @Test("that could not be written are named, and stop nothing else")
    func refused() async throws {
        let home = try Household(days: 1)
        #expect(try await home.sync().status == 0)
        let name = try #require(try await home.files().first { $0.hasSuffix(".jpg") })
        #expect(mkdir("\(home.root)/.apod-mirror/unfinished/gallery-\(name.dropFirst(8)).xmp", 0o755) == 0)
        let outcome = try await home.sync("sidecars=yes")
        #expect(outcome.status == 1 && outcome.output == "nothing new\n")
        #expect(outcome.errors.contains("the sidecars could not be written: "), "\(outcome)")
    }
}
