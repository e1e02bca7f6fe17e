import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Concurrency

@Suite("What may never answer", .timeLimit(.minutes(1)))
struct TimedCallsTests {
    /// Answers when it is signalled.
    private final class Silence: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        let asked = Atomic(0)

        func wait() -> Int {
            let number = asked.add(1, ordering: .relaxed).newValue
            semaphore.wait()
            semaphore.signal()
            return number
        }

        func end() { semaphore.signal() }
    }

    /// How many of so many that ask at once are answered.
    private func answered(_ count: Int, _ calls: TimedCalls<Int>, _ silence: Silence) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await blocking { calls.answer(of: 1, where: { $0 == 1 }, to: { silence.wait() }) != nil }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test("is asked once, by however many at the same time, and others are asked meanwhile", arguments: [1, 2, 20])
    func once(count: Int) async throws {
        let isBack = Awaited(0)
        let calls = TimedCalls<Int>(limit: .milliseconds(200)) { isBack.update { $0 += 1 } }
        let silence = Silence()
        #expect(await answered(count, calls, silence) == 0)
        #expect(silence.asked.load(ordering: .relaxed) == 1)
        #expect(calls.answer(of: 2, where: { $0 == 2 }, to: { "here" }) == "here")
        #expect(isBack.value == 0)
        silence.end()
        _ = try await isBack.first { $0 == 1 }
        #expect(await answered(count, calls, silence) == count)
        #expect(isBack.value == 1)
    }

    @Test("is back when it answers, and not when it fails, after which it is asked again")
    func failing() async throws {
        let isBack = Awaited(0)
        let calls = TimedCalls<Int>(limit: .milliseconds(500)) { isBack.update { $0 += 1 } }
        let silence = Silence()
        let count = Awaited(0)
        func answer() -> Bool? {
            calls.answer(
                of: 1, where: { $0 == 1 }, isAnswer: { $0 },
                to: {
                    count.update { $0 += 1 }
                    return silence.wait() == 3
                })
        }
        #expect(answer() == nil)
        silence.end()
        _ = try await count.first { $0 >= 3 }
        _ = try await isBack.first { $0 == 1 }
        #expect(count.value == 3)
        // Who fails in time has been heard.
        #expect(answer() == false)
        #expect(isBack.value == 1)
    }

    @Test("is waited for together with others, who are asked as soon as it is slow", arguments: [1, 5, 20])
    func ahead(count: Int) async throws {
        let isBack = Awaited(0)
        let limit = Duration.milliseconds(500)
        let calls = TimedCalls<Int>(limit: limit) { isBack.update { $0 += 1 } }
        let silence = Silence()
        let start = ContinuousClock.now
        for whom in 0..<count {
            let answer = calls.answer(of: whom, where: { $0 == whom }, whenSlow: { askAhead() }, to: { silence.wait() })
            #expect(answer == nil)
        }
        func askAhead() {
            calls.askAhead((0..<count).map { whom in (whom, { silence.wait() > 0 }) })
        }
        #expect(.now - start < limit * 1.8)
        #expect(silence.asked.load(ordering: .relaxed) == min(count, 8))
        silence.end()
        _ = try await isBack.first { $0 == min(count, 8) }
    }

    @Test("takes no more than eight threads")
    func most() {
        let calls = TimedCalls<Int>(limit: .milliseconds(10))
        let silence = Silence()
        for whom in 1...10 { #expect(calls.answer(of: whom, where: { $0 == whom }, to: { silence.wait() }) == nil) }
        #expect(silence.asked.load(ordering: .relaxed) == 8)
        silence.end()
    }
    @Test("can be asked while too many files are open, and counts as silent while no thread can be had")
    func noRoom() async {
        await #expect(processExitsWith: .success) {
            let calls = TimedCalls<Int>(limit: .seconds(20))
            func answers() -> Bool { calls.answer(of: 1, where: { $0 == 1 }, to: { true }) ?? false }
            let workers = await blocking { true }
            precondition(answers() && workers)
            let files = Scarcity.useUpDescriptors()
            precondition(answers())
            Scarcity.set(RLIMIT_NOFILE, files)
            let memory = Scarcity.useUpThreads()
            precondition(!answers())
            // The one that there is does it all.
            let isDone = await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { await blocking { usleep(1000) == 0 } } }
                return await group.reduce(true) { $0 && $1 }
            }
            precondition(isDone)
            Scarcity.set(RLIMIT_AS, memory)
            precondition(answers())
        }
    }
}

/// For a process that ends soon.
private enum Scarcity {
    @discardableResult
    static func set(_ resource: __rlimit_resource, _ limit: rlim_t) -> rlim_t {
        let number = __rlimit_resource_t(resource.rawValue)
        var value = rlimit()
        guard getrlimit(number, &value) == 0 else { preconditionFailure() }
        let before = value.rlim_cur
        value.rlim_cur = limit
        guard setrlimit(number, &value) == 0 else { preconditionFailure() }
        return before
    }

    /// Returns what the limit was.
    static func useUpDescriptors() -> rlim_t {
        let before = set(RLIMIT_NOFILE, 256)
        while dup(2) >= 0 {}
        precondition(errno == EMFILE)
        return before
    }

    /// There is room for little, and not for the stack of a thread.
    static func useUpThreads() -> rlim_t {
        let table = open("/proc/self/statm", O_RDONLY)
        precondition(table >= 0)
        var text = [CChar](repeating: 0, count: 100)
        precondition(read(table, &text, 99) > 0)
        close(table)
        let before = set(RLIMIT_AS, rlim_t(Int(atoi(text)) * sysconf(Int32(_SC_PAGESIZE)) + 4 << 20))
        // Stacks of threads that have ended are kept for others.
        while tryToStartThread({ while true { pause() } }) == 0 {}
        return before
    }
}
