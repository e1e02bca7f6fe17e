import Files
import Glibc
import TestSupport
import Testing

@testable import Fetching

/// For a process of its own.
@Suite("Where this machine has no room for a connection")
struct ShortageTests {
    /// By its number, and by a name that is looked up.
    private static let hosts = ["http://127.0.0.1:9", "http://pictures.example"]

    /// Of each, why nothing came of it; and that nobody is left alone for that.
    private static func reasons(_ bench: Bench, _ hosts: [String]) async -> [StorageError?] {
        var reasons: [StorageError?] = []
        for host in hosts {
            let reason = await reason { try await bench.fetcher.document(address("\(host)/")) }
            if case .disk(let error)? = reason { reasons.append(error) } else { reasons.append(nil) }
            #expect(bench.fetcher.settings.cooldowns.refusal(by: host) == nil, "\(reason as Any)")
        }
        return reasons
    }

    private static func set(_ resource: __rlimit_resource, _ count: rlim_t) throws {
        var limit = rlimit(rlim_cur: count, rlim_max: count)
        guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { throw SystemError("setrlimit") }
    }

    @Test("since too many files are open, that is told, and no host is left alone for it")
    func files() async {
        await #expect(processExitsWith: .success) {
            let bench = try Bench(upstream: Self.hosts[0])
            // What the process opens for itself, once: libdispatch traps where it cannot.
            _ = await reason { try await bench.fetcher.document(address("\(Self.hosts[0])/")) }
            try await Task.sleep(for: .milliseconds(1))
            bench.fetcher.settings.cooldowns.forgive()
            try Self.set(RLIMIT_NOFILE, 256)
            while dup(2) >= 0 {}
            let reasons = await Self.reasons(bench, Self.hosts)
            #expect(reasons == Self.hosts.map { StorageError("connect to", $0, code: EMFILE) })
        }
    }

    @Test("since no thread can be had to look up a name, that is told", .enabled(if: geteuid() == 0))
    func threads() async {
        await #expect(processExitsWith: .success) {
            let bench = try Bench(upstream: Self.hosts[0])
            // Those that it needs itself.
            _ = await reason { try await bench.fetcher.document(address("\(Self.hosts[0])/")) }
            bench.fetcher.settings.cooldowns.forgive()
            try Self.set(__RLIMIT_NPROC, 1)
            guard setuid(64_124) == 0 else { throw SystemError("setuid") }
            let reasons = await Self.reasons(bench, [Self.hosts[1]])
            #expect(reasons == [StorageError("start a thread to find", Self.hosts[1], code: ENOMEM)])
        }
    }

    @Test("what has come of a file stays")
    func partial() async {
        await #expect(processExitsWith: .success) {
            let picture = Pictures.jpeg(bytes: 4_000_000)
            let server = try HTTPServer { _ in
                var response = Response.media(picture, type: "image/jpeg", tag: "a")
                response.ending = .close(after: 3_000_000)
                return response
            }
            let bench = try Bench(server) { $0.attempts = 1 }
            _ = await reason { try await bench.file(server.origin) }
            let before = try bench.names
            #expect(!before.isEmpty)
            server.stop()
            try Self.set(RLIMIT_NOFILE, 256)
            var taken: [Int32] = []
            while let descriptor = Optional(dup(2)), descriptor >= 0 { taken.append(descriptor) }
            // So that it ends at each in turn: the file, what is noted of it, the connection.
            for _ in 0..<4 {
                let reason = await reason { try await bench.file(server.origin) }
                guard case .disk(let error)? = reason else { break }
                #expect(error.code == EMFILE)
                close(taken.removeLast())
            }
            for descriptor in taken { close(descriptor) }
            #expect(try bench.names == before)
        }
    }
}
