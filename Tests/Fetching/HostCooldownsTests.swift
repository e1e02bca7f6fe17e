import Apod
import TestSupport
import Testing

@testable import Fetching

struct HostCooldownsTests {
    private static let start = ContinuousClock.now
    private static let silent = FetchError.unreachable("no such host")

    /// What happens to the host `a`, or to another, at a second; and what a file would then be told.
    private enum Step {
        case fails(Int, String = "a", since: Int? = nil)
        case answers(
            Int, String = "a", requestedPause: Int? = nil, since: Int? = nil, with: Int = 200, isFile: Bool = false)
        /// A file, without a word about when to ask again.
        case refuses(Int, isFile: Bool = true)
        case forgiven
        case isOpen(Int, String = "a")
        case isRefused(Int, String = "a", FetchError = silent)
    }

    private static func play(_ steps: [Step], refusing refusal: Int = 429) {
        let cooldowns = HostCooldowns(shortest: .seconds(1))
        func at(_ second: Int) -> ContinuousClock.Instant { start + .seconds(second) }
        for step in steps {
            switch step {
            case .fails(let second, let host, let since):
                cooldowns.failed(host, silent, since: at(since ?? second), at: at(second))
            case .answers(let second, let host, let requestedPause, let since, let status, let isFile):
                cooldowns.answered(
                    host, requestedPause == nil ? status : refusal, requestedPause: requestedPause, isFile: isFile,
                    since: at(since ?? second), at: at(second))
            case .refuses(let second, let isFile):
                cooldowns.answered(
                    "a", refusal, requestedPause: nil, isFile: isFile, since: at(second), at: at(second))
            case .forgiven: cooldowns.forgive()
            case .isOpen(let second, let host):
                let refusal = cooldowns.refusal(by: host, at: at(second))
                #expect(refusal == nil, "\(step)")
            case .isRefused(let second, let host, let reason):
                #expect(cooldowns.refusal(by: host, at: at(second)) == reason, "\(step)")
            }
        }
    }

    @Test(
        "A host that is left alone cannot be reached, is left alone for longer each time, for five minutes at most, until it answers"
    )
    func growth() {
        var steps: [Step] = []
        var now = 0
        for pause in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            steps += [
                .fails(now), .isRefused(now), .isRefused(now + pause - 1), .isOpen(now, "b"), .isOpen(now + pause),
            ]
            now += pause
        }
        steps += [.answers(now), .isOpen(now), .fails(now + 1), .isRefused(now + 1), .isOpen(now + 2)]
        Self.play(steps)
    }

    @Test("A host that is left alone is not left alone for longer because of what was under way when it began to be")
    func together() {
        Self.play([.fails(1), .fails(1), .fails(1, since: 0), .isOpen(2), .fails(3, since: 0), .isOpen(3), .fails(3)])
        Self.play([.fails(1), .fails(2, since: 0), .fails(2), .isRefused(3), .isOpen(4)])
        // Nor is it over.
        Self.play([.fails(1), .answers(1, since: 0), .isRefused(1), .isOpen(2)])
        // But a file that came all the same makes the next pause short.
        Self.play([
            .fails(1), .fails(2), .answers(3, since: 1, isFile: true), .isRefused(3), .isOpen(4), .fails(4), .isOpen(5),
        ])
    }

    @Test("A host that is left alone has asked for it, and is asked by nobody before", arguments: [403, 429, 503])
    func requestedPause(status: Int) {
        func told(_ left: Int) -> FetchError { .status(status, retryAfter: left) }
        func play(_ steps: [Step]) { Self.play(steps, refusing: status) }
        play([
            .answers(0, requestedPause: 30), .isRefused(0, "a", told(30)), .isRefused(29, "a", told(1)),
            .isOpen(29, "b"), .isOpen(30),
        ])
        // What had begun before and now answers or fails changes nothing; nor does a shorter pause asked for.
        play([
            .answers(0, requestedPause: 30), .answers(1, since: -1), .fails(2),
            .answers(3, requestedPause: 5, since: 0), .isRefused(29, "a", told(1)), .isOpen(30),
        ])
        // To ask for a shorter pause is not to ask to be asked sooner.
        play([
            .answers(0, requestedPause: 30), .answers(3, requestedPause: 5, since: 1), .isRefused(29, "a", told(1)),
            .isOpen(30),
        ])
        // A document that was asked for since then has come.
        play([.answers(0, requestedPause: 30), .answers(2, since: 1), .isOpen(2)])
        play([
            .answers(0, requestedPause: 30), .answers(10, requestedPause: 30), .isRefused(39, "a", told(1)),
            .isOpen(40),
        ])
        play([.fails(0), .answers(1, requestedPause: 2), .isRefused(2, "a", told(1)), .isOpen(3)])
    }

    /// What a file is told of a host that has refused others, and is left alone for so many more seconds.
    private static func told(_ left: Int?, _ status: Int = 429) -> FetchError {
        .leftAlone(after: status, for: left.map { .seconds($0) })
    }

    @Test(
        "A host that is left alone refuses without a word about when to ask again, is left alone for longer the more it refuses",
        arguments: [429, 500, 503])
    func refusals(status: Int) {
        var steps: [Step] = []
        var now = 0
        for pause in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            steps += [
                .refuses(now), .isRefused(now, "a", Self.told(pause <= 16 ? pause : nil, status)), .isOpen(now, "b"),
                .isRefused(now + pause - 1, "a", Self.told(1, status)), .isOpen(now + pause),
            ]
            now += pause
        }
        // What it serves ends that, and what is not there, too.
        for answer in [200, 302, 403, 404] {
            steps += [.answers(now, with: answer, isFile: true), .isOpen(now), .refuses(now), .isOpen(now + 1)]
            now += 1
        }
        Self.play(steps, refusing: status)
    }

    @Test("A host that is left alone refuses very many that were asked for together, is left alone once")
    func refusedTogether() {
        let together = (0..<64).map { _ in Step.answers(0, since: -1, with: 429, isFile: true) }
        Self.play(together + [.isRefused(0, "a", Self.told(1)), .isOpen(1), .refuses(1), .isOpen(3)])
    }

    @Test("A host that is left alone refuses files, is left alone whatever it says to questions")
    func refusedFiles() {
        Self.play([.refuses(0), .answers(0), .isRefused(0, "a", Self.told(1)), .isOpen(1)])
        Self.play([.refuses(0), .answers(1), .refuses(1), .isRefused(2, "a", Self.told(1)), .isOpen(3)])
        Self.play([.refuses(0, isFile: false), .isOpen(0)])
    }

    @Test("A host that is left alone refuses, and then asks to be left alone, is left alone for that")
    func refusedAnd() {
        Self.play([
            .refuses(0), .answers(0, requestedPause: 30), .isRefused(1, "a", .status(429, retryAfter: 29)), .refuses(1),
            .isRefused(29, "a", .status(429, retryAfter: 1)), .isOpen(30), .refuses(30),
            .isRefused(30, "a", Self.told(2)), .isOpen(32),
        ])
    }

    @Test("A host that is left alone is tried at once when a person asks, but not against its wish")
    func person() {
        Self.play([.fails(0), .fails(1), .forgiven, .isOpen(1), .fails(2), .isRefused(2), .isOpen(3)])
        Self.play([.refuses(0), .refuses(1), .forgiven, .isOpen(1)])
        Self.play([.answers(0, requestedPause: 30), .forgiven, .isRefused(1, "a", .status(429, retryAfter: 29))])
    }

    @Test("A host that is left alone is remembered among any number of others")
    func many() {
        let cooldowns = HostCooldowns()
        for name in ["a"] + (0..<3000).map(String.init) {
            cooldowns.failed(name, Self.silent, since: Self.start, at: Self.start)
        }
        #expect(cooldowns.refusal(by: "a", at: Self.start + .milliseconds(500)) == Self.silent)
    }

    @Test(
        "A host that is left alone since a request was redirected there is that one, and not the one that led there",
        arguments: [403, 429, 503])
    func redirected(status: Int) async throws {
        let there = try HTTPServer { _ in .html(status, retryAfter: "3600") }
        let here = try HTTPServer { $0.path == "/away" ? .redirect(to: "\(there.origin)/x") : .jpeg() }
        let fixture = try FetchFixture(here)
        #expect(await fixture.failure("/away") == .status(status, retryAfter: 3600))
        _ = try await fixture.file("/b")
        for path in ["/away", "\(there.origin)/y"] {
            guard case .status(status, let left?) = await reason({ try await fixture.file(path) }) else {
                Issue.record("asked again")
                continue
            }
            #expect(3500...3600 ~= left)
        }
        #expect(there.requests.count == 1)
    }

    @Test(
        "A host that is left alone since it asked for that is asked by nobody before, and then by all",
        arguments: [1, 4])
    func allWait(connections: Int) async throws {
        let server = try HTTPServer {
            $0.path == "/0" && $0.attempt == 1 ? .html(429, retryAfter: "2") : .jpeg()
        }
        let fixture = try FetchFixture(server) { $0.connections = connections }
        // One has been asked when the others come.
        let first = Task { try await fixture.file("/0") }
        try await server.request { _ in true }
        let asked = ContinuousClock.now
        #expect(await eventually { fixture.fetcher.signs == 1 })
        let results = await fixture.reasons(1..<41) { "/\($0)" }
        _ = try await first.value
        #expect(results.allSatisfy { $0 == nil })
        #expect(server.requests.dropFirst().allSatisfy { $0.time - asked >= .seconds(1) })
        #expect(server.requests.count == 42)
    }

    @Test("A host that is left alone does not begin what only waited for its place when it asked for that")
    func waiting() async throws {
        let server = try HTTPServer { _ in
            var response = Response.html(429, retryAfter: "3600")
            response.delay = .milliseconds(50)
            return response
        }
        let fixture = try FetchFixture(server) { $0.connections = 2 }
        _ = await fixture.reasons(0..<40) { "/\($0)" }
        #expect(server.requests.count <= 2)
    }

    @Test(
        "A host that is left alone refuses every file is soon left alone by all",
        arguments: zip([429, 502, 503, 504], [nil, "0", "-5", "99999999999999999999"]))
    func refusesAll(status: Int, requestedPause: String?) async throws {
        let server = try HTTPServer { _ in .html(status, retryAfter: requestedPause) }
        let fixture = try FetchFixture(server) { $0.attempts = 4 }
        let reasons = await fixture.reasons(0..<60) { "/\($0)" }
        #expect(reasons.allSatisfy { $0.map { !$0.isPermanent && !$0.isAbsence } ?? false })
        #expect(Set(reasons.map { "\($0!)" }) == ["the server answered \(status)"])
        // Were each asked for again on its own, that would be 240. How many are on their way when it is noticed goes by the
        // machine.
        #expect(4...60 ~= server.requests.count)
        // And some more for those that come later.
        let before = server.requests.count
        for number in 0..<60 { _ = await fixture.failure("/later\(number)") }
        #expect(server.requests.count - before <= 30)
    }

    @Test("A host that is left alone refuses some files for good serves the others", arguments: [1, 4])
    func refusesSome(connections: Int) async throws {
        let server = try HTTPServer { $0.path.hasPrefix("/bad") ? .html(503) : .jpeg() }
        let fixture = try FetchFixture(server) { ($0.connections, $0.attempts) = (connections, 2) }
        let reasons = await fixture.reasons(0..<40) { "/\($0 % 10 == 0 ? "bad" : "")\($0)" }
        #expect(reasons.count { $0 != nil } == 4)
    }

    @Test("A host that is left alone refuses every file at first is waited for")
    func refusesAtFirst() async throws {
        let server = try HTTPServer { $0.attempt == 1 ? .html(503) : .jpeg() }
        let fixture = try FetchFixture(server)
        let reasons = await fixture.reasons(0..<12) { "/\($0)" }
        #expect(reasons.allSatisfy { $0 == nil } && server.requests.count == 24)
    }

    @Test(
        "A host that is left alone since it cannot be reached costs the next file no time, and no other host anything")
    func unreachable() async throws {
        let gone = try HTTPServer { _ in .text("") }
        let here = try HTTPServer { _ in .jpeg() }
        // Who waited that long to try again would be late, and still be let try.
        let fixture = try FetchFixture(here) {
            $0.pause = .seconds(40)
            $0.cooldowns = HostCooldowns(shortest: .seconds(60))
        }
        let start = ContinuousClock.now
        gone.stop()
        // Until the upstream is found on this machine, nobody else here is asked.
        _ = try await fixture.document()
        let first = await fixture.failure("\(gone.origin)/0")
        #expect(first?.isUnreachable == true && first?.isPermanent == false && first?.isAbsence == false)
        let back = try HTTPServer(port: gone.port) { _ in .jpeg() }
        #expect(await fixture.failure("\(back.origin)/1") == first)
        #expect(back.requests.isEmpty)
        _ = try await fixture.file("/2")
        fixture.fetcher.settings.cooldowns.forgive()
        _ = try await fixture.file("\(back.origin)/3")
        _ = try await fixture.file("\(back.origin)/4")
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("A host that is left alone has its wish heard before the rest of its answer has come")
    func longAnswer() async throws {
        let server = try HTTPServer { _ in
            var response = Response.html(429, retryAfter: "3600")
            response.ending = .stall(after: 1)
            return response
        }
        let fixture = try FetchFixture(server) { $0.stallSeconds = 120 }
        let first = Task { await fixture.failure("/0") }
        #expect(
            await eventually {
                fixture.fetcher.settings.cooldowns.refusal(by: server.origin) != nil
            })
        guard case .status(429, .some) = await reason({ try await fixture.file("/1") }) else {
            Issue.record("asked again")
            return first.cancel()
        }
        #expect(server.requests.count == 1)
        first.cancel()
        #expect(await first.value == .cancelled)
    }

    @Test(
        "A host that is left alone without a name or an answer is one that cannot be reached", arguments: [true, false])
    func kinds(hasName: Bool) async throws {
        let server = try HTTPServer { _ in .hanging }
        let fixture = try FetchFixture(server) {
            $0.stallSeconds = 1
            $0.cooldowns = HostCooldowns(shortest: .seconds(60))
        }
        let origin = hasName ? "" : "http://nowhere.invalid"
        let start = ContinuousClock.now
        #expect(await fixture.failure("\(origin)/a")?.isUnreachable == true)
        #expect(await fixture.failure("\(origin)/b")?.isUnreachable == true)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(server.requests.count == (hasName ? 1 : 0))
    }

    @Test("A host that is left alone is none that the guard forbids, nor one that breaks off or sends something else")
    func others() async throws {
        let server = try HTTPServer { request in
            request.path == "/a" ? .text("no picture") : Response(Body("x"), ending: .reset(after: 0))
        }
        let fixture = try FetchFixture(server)
        let elsewhere = try FetchFixture(upstream: "https://upstream.example")
        for _ in 0..<2 {
            #expect(await fixture.failure("/a")?.isWrongType == true)
            #expect(await elsewhere.failure("\(server.origin)/a")?.isForbidden == true)
        }
        #expect(await fixture.failure("/b")?.isConnection == true)
        #expect(server.requests.count { $0.path == "/b" } == 3)
    }

    @Test("A host that is left alone is asked for documents all the same: how often, others decide")
    func documents() async throws {
        let gone = try HTTPServer { _ in .text("") }
        gone.stop()
        let fixture = try FetchFixture(upstream: gone.origin)
        #expect(await reason { try await fixture.document() }?.isUnreachable == true)
        let back = try HTTPServer(port: gone.port) { _ in .text("back") }
        #expect(try await fixture.document(back.origin).bytes == Array("back".utf8))
    }
}
