import Apod
import Glibc
import TestSupport
import Testing

@testable import Fetching

struct HostCooldownsTests {
    /// Plays what happens to a host at a second, with what a file would be told then. A request began at the step's
    /// last number, where it has one more.
    private func play(_ story: String, status: Int = 429) {
        let cooldowns = HostCooldowns(shortest: .seconds(1))
        let silent = FetchError.unreachable("no such host")
        let start = ContinuousClock.now
        for step in story.split(separator: ",") {
            let words = step.split(separator: " ")
            let numbers = words.dropFirst().map { Int($0)! }
            let (now, second) = (start + .seconds(numbers.first ?? 0), numbers.dropFirst().first)
            func began(_ index: Int) -> ContinuousClock.Instant {
                numbers.count > index ? start + .seconds(numbers[index]) : now
            }
            func answer(_ status: Int, pause: Int? = nil, isFile: Bool = true, _ index: Int = 1) {
                cooldowns.answered("a", status, requestedPause: pause, isFile: isFile, since: began(index), at: now)
            }
            func expect(_ error: FetchError?) {
                #expect(cooldowns.refusal(by: "a", at: now) == error, "\(step) in \(story)")
                #expect(cooldowns.refusal(by: "b", at: now) == nil)
            }
            switch words[0] {
            case "fails": cooldowns.failed("a", silent, since: began(1), at: now)
            case "asks": answer(status, pause: second, isFile: false, 2)
            case "answers": answer(200, isFile: false)
            case "serves": answer(200)
            case "says": answer(second!, 2)
            case "refuses": answer(status)
            case "declines": answer(status, isFile: false)
            case "forgiven": cooldowns.forgive()
            case "open": expect(nil)
            case "silent": expect(silent)
            case "told": expect(.status(status, retryAfter: second))
            default: expect(.leftAlone(after: status, for: second.map { .seconds($0) }))
            }
        }
    }

    @Test("A silent or refusing host has longer pauses each time, of five minutes at most, until it answers")
    func growth() {
        for status in [429, 500, 503] {
            var (silence, refusals, now) = ("", "", 0)
            for pause in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
                let (last, end) = (now + pause - 1, now + pause)
                silence += "fails \(now),silent \(now),silent \(last),open \(end),"
                refusals += "refuses \(now),left \(now)\(pause <= 16 ? " \(pause)" : ""),left \(last) 1,open \(end),"
                now = end
            }
            play(silence + "answers \(now),open \(now),fails \(now),silent \(now),open \(now + 1)")
            // What it serves ends that, and what is not there, too.
            for answer in [200, 302, 403, 404] {
                play(refusals + "says \(now) \(answer),open \(now),refuses \(now),open \(now + 1)", status: status)
            }
        }
    }

    @Test(
        "A host has one pause at a time, whatever was under way when it began",
        arguments: [
            "fails 1,fails 1,fails 1 0,open 2,fails 3 0,open 3,fails 3", "fails 1,fails 2 0,fails 2,silent 3,open 4",
            // Nor is it over.
            "fails 1,answers 1 0,silent 1,open 2",
            // But a file that came all the same makes the next pause short.
            "fails 1,fails 2,serves 3 1,silent 3,open 4,fails 4,open 5",
            "refuses 0 -1,refuses 0 -1,refuses 0 -1,left 0 1,open 1,refuses 1,open 3",
            // Only files count against a host, and only a file ends a pause of files.
            "refuses 0,answers 0,left 0 1,open 1", "refuses 0,answers 1,refuses 1,left 2 1,open 3", "declines 0,open 0",
            "refuses 0,asks 0 30,told 1 29,refuses 1,told 29 1,open 30,refuses 30,left 30 2,open 32",
            // A person tries at once, but not against the host's wish.
            "fails 0,fails 1,forgiven,open 1,fails 2,silent 2,open 3", "refuses 0,refuses 1,forgiven,open 1",
            "asks 0 30,forgiven,told 1 29",
        ])
    func together(story: String) { play(story) }

    @Test(
        "A host that asks for a pause is asked by nobody before",
        arguments: [
            "asks 0 30,told 0 30,told 29 1,open 30",
            // What had begun before and now answers or fails changes nothing; nor does a shorter pause asked for.
            "asks 0 30,answers 1 -1,fails 2,asks 3 5 0,told 29 1,open 30", "asks 0 30,asks 3 5 1,told 29 1,open 30",
            "asks 0 30,answers 2 1,open 2", "asks 0 30,asks 10 30,told 39 1,open 40",
            "fails 0,asks 1 2,told 2 1,open 3",
        ], [403, 429, 503])
    func requestedPause(story: String, status: Int) { play(story, status: status) }

    @Test("A pause belongs to the host that was redirected to, and not to the one that led there")
    func redirected() async throws {
        let there = try HTTPServer { _ in .html(503, retryAfter: "3600") }
        let fixture = try FetchFixture { $0.path == "/away" ? .redirect(to: "\(there.origin)/x") : .jpeg() }
        #expect(await fixture.failure("/away") == .status(503, retryAfter: 3600))
        #expect(await fixture.failure("/b") == nil)
        for path in ["/away", "\(there.origin)/y"] {
            guard case .status(503, let left?) = await fixture.failure(path) else {
                Issue.record("asked again")
                continue
            }
            #expect(3500...3600 ~= left)
        }
        #expect(there.requests.count == 1)
    }

    @Test("A host's pause is kept by all who want files there, and then all are served")
    func allWait() async throws {
        let fixture = try FetchFixture {
            $0.path == "/0" && $0.attempt == 1 ? .html(429, retryAfter: "2") : .jpeg()
        }
        // One has been asked when the others come.
        let first = Task { await fixture.failure("/0") }
        try await fixture.asked()
        try await lookOut(for: "a sign") { fixture.fetcher.signs >= 1 }
        #expect(await fixture.reasons(1..<41) { "/\($0)" }.allSatisfy { $0 == nil })
        #expect(await first.value == nil)
        let asked = fixture.requests[0].time
        #expect(fixture.requests.dropFirst().allSatisfy { $0.time - asked >= .seconds(2) })
        #expect(fixture.requests.count == 42)
    }

    @Test("A pause that a host asks for begins before the rest of its answer has come")
    func longAnswer() async throws {
        let fixture = try FetchFixture(
            HTTPServer { _ in
                var response = Response.html(429, retryAfter: "3600")
                response.ending = .stall(after: 1)
                return response
            }
        ) { $0.stallSeconds = 120 }
        let first = Task { await fixture.failure("/0") }
        try await lookOut(for: "its pause") {
            fixture.fetcher.settings.cooldowns.refusal(by: fixture.origin) != nil
        }
        #expect(await fixture.failure("/1")?.code == .refused)
        #expect(fixture.requests.count == 1)
        first.cancel()
        #expect(await first.value == .cancelled)
    }

    @Test("A host that cannot be reached costs the next file no time, no other host anything, and no document")
    func unreachable() async throws {
        // Nobody else gets its port.
        let held = try HTTPServer.bound()
        defer { close(held) }
        let gone = "http://127.0.0.1:\(HTTPServer.port(of: held))"
        // Who waited that long to try again would be late, and still be let try.
        let fixture = try FetchFixture(HTTPServer { _ in .jpeg() }) {
            $0.pause = .seconds(400)
            $0.cooldowns = HostCooldowns(shortest: .seconds(600))
        }
        let start = ContinuousClock.now
        // Until the upstream is found on this machine, nobody else here is asked.
        _ = try await fixture.document()
        let first = await fixture.failure("\(gone)/0")
        #expect(first?.code == .unreachable && first?.isPermanent == false && first?.isAbsence == false)
        let back = try HTTPServer(port: HTTPServer.port(of: held)) { _ in .jpeg() }
        #expect(await fixture.failure("\(back.origin)/1") == first && back.requests.isEmpty)
        #expect(await fixture.failure("/2") == nil)
        #expect(ContinuousClock.now - start < .seconds(200))
        #expect(await fixture.refusal("\(back.origin)/document") == nil)
        #expect(await fixture.failure("\(back.origin)/3") == nil)
    }

    @Test("A host without a name or an answer cannot be reached; one that breaks off can")
    func kinds() async throws {
        let server = try HTTPServer { request in
            switch request.path {
            case "/hangs": .hanging
            case "/text": .text("no picture")
            default: Response(Body("x"), ending: .reset(after: 0))
            }
        }
        for (path, code, count) in [
            ("/hangs", .unreachable, 1), ("http://nowhere.invalid/", .unreachable, 0), ("/text", .unfit, 2),
            ("/reset", .transfer, 6),
        ] as [(String, Problem.Code, Int)] {
            let fixture = try FetchFixture(server) {
                $0.stallSeconds = path == "/hangs" ? 1 : 20
                $0.cooldowns = HostCooldowns(shortest: .seconds(600))
            }
            server.forgetRequests()
            for _ in 0..<2 { #expect(await fixture.failure(path)?.code == code, "\(path)") }
            #expect(server.requests.count == count, "\(path)")
        }
    }
}
