internal import Apod
internal import Files
internal import Glibc
import Synchronization

/// The thread that waits for those who connect to the service, reads what they ask and writes what they are told.
/// While nobody connects, it sleeps.
final class Reception: Sendable {
    /// Called on its thread: it must not take long.
    typealias Hearing = @Sendable (Visitor, [UInt8]) -> Void

    /// More wait where the kernel lets them wait.
    static let mostCallers = 64
    /// Where there is no descriptor left, there may be one soon.
    private static let rest = Duration.seconds(1)

    private struct State {
        var door: LocalSocket?
        var callers: [Int: Caller] = [:]
        var nextID = 0
        var isOpen = true
        var isStarted = false
        var doorRestsUntil: ContinuousClock.Instant?
    }

    private enum Due {
        case hear(Int, [UInt8])
        case hungUp(@Sendable () -> Void)
    }

    private let state = Mutex(State())
    private let alarm = Alarm()
    private let patience: Duration
    private let hear: Hearing

    /// `patience`: how long a caller may take to say what it wants.
    init(patience: Duration = .seconds(5), hear: @escaping Hearing) {
        self.patience = patience
        self.hear = hear
    }

    /// Whoever connects there from now on is heard. nil: nobody new.
    func open(_ door: LocalSocket?) {
        let isFirst = state.withLock { state in
            guard state.isOpen else { return false }
            state.door = door
            defer { state.isStarted = state.isStarted || door != nil }
            return door != nil && !state.isStarted
        }
        if isFirst { startThread { [self] in run() } } else { alarm.wake() }
    }

    /// Everybody is sent away, for good.
    func close() {
        let callers = state.withLock { state in
            defer { state.callers = [:] }
            state.isOpen = false
            state.door = nil
            return state.callers.values.compactMap(\.onHangUp)
        }
        alarm.wake()
        for hangUp in callers { hangUp() }
    }

    private func run() {
        while let (ids, waiting, timeout) = state.withLock({ $0.isOpen ? sources(&$0) : nil }) {
            var sources = waiting
            poll(&sources, nfds_t(sources.count), timeout)
            alarm.reset()
            let due = state.withLock { $0.isOpen ? take(sources, ids, &$0) : [] }
            for due in due {
                switch due {
                case .hear(let id, let request): hear(Visitor(id, at: self), request)
                case .hungUp(let hangUp): hangUp()
                }
            }
        }
    }

    /// What to wait for: the alarm, the door, and the callers of these numbers.
    private func sources(_ state: inout State) -> (ids: [Int], [pollfd], timeout: Int32) {
        if let rest = state.doorRestsUntil, rest <= .now { state.doorRestsUntil = nil }
        let isReady = state.callers.count < Self.mostCallers && state.doorRestsUntil == nil
        // poll(2) passes over negative descriptors.
        var sources = [
            pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isReady ? state.door?.descriptor ?? -1 : -1, events: Int16(POLLIN), revents: 0),
        ]
        for caller in state.callers.values {
            sources.append(pollfd(fd: caller.descriptor, events: caller.events, revents: 0))
        }
        let deadlines = state.callers.values.compactMap(\.deadline) + [state.doorRestsUntil].compactMap(\.self)
        let timeout = deadlines.min().map { Int32(clamping: Int64(max(0, ($0 - .now) / .milliseconds(1)) + 1)) }
        return (Array(state.callers.keys), sources, timeout ?? -1)
    }

    private func take(_ sources: [pollfd], _ ids: [Int], _ state: inout State) -> [Due] {
        if sources[1].revents != 0 { admit(&state) }
        let now = ContinuousClock.now
        return zip(ids, sources.dropFirst(2)).compactMap { id, source in
            guard var caller = state.callers[id] else { return nil }
            let (stays, due) = serve(&caller, id, source.revents, now)
            state.callers[id] = stays ? caller : nil
            return due ?? (stays ? nil : caller.onHangUp.map(Due.hungUp))
        }
    }

    /// Returns whether the caller stays, and what is to be done for it.
    private func serve(
        _ caller: inout Caller, _ id: Int, _ events: Int16, _ now: ContinuousClock.Instant
    ) -> (stays: Bool, Due?) {
        var due: Due?
        if events & Int16(POLLIN) != 0 {
            switch caller.hear() {
            case .nothing: break
            case .request(let bytes): due = .hear(id, bytes)
            case .nonsense: dismiss(&caller, "that is longer than any request")
            case .gone: return (false, nil)
            }
        }
        if events & Int16(POLLOUT) != 0, !caller.speak() { return (false, nil) }
        if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { return (false, nil) }
        if let deadline = caller.deadline, deadline <= now {
            if !caller.isListening { return (false, nil) }
            dismiss(&caller, "nothing was asked for")
        }
        return (!caller.isFinished, due)
    }

    private func dismiss(_ caller: inout Caller, _ why: String) {
        _ = caller.say(ControlAnswer.end(why: why).line)
        caller.leave()
    }

    private func admit(_ state: inout State) {
        while state.callers.count < Self.mostCallers {
            do throws(DiskError) {
                guard let socket = try state.door?.accept() else { return }
                state.callers[state.nextID] = Caller(socket, patience: patience)
                state.nextID += 1
            } catch {
                state.doorRestsUntil = .now + Self.rest
                return
            }
        }
    }
}

extension Reception {
    func say(_ line: [UInt8], to id: Int) { change(id) { $0.say(line) } }

    /// Sends away whoever has been told all.
    func leave(_ id: Int) {
        change(id) { caller in
            caller.leave()
            return true
        }
    }

    /// Whether the caller is there, and has heard all that was said.
    func isListening(_ id: Int) -> Bool { state.withLock { $0.callers[id]?.isListening ?? false } }

    /// Calls at once if the caller has gone already.
    func onHangUp(of id: Int, _ action: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            state.callers[id]?.onHangUp = action
            return state.callers[id] != nil
        }
        if !isThere { action() }
    }

    /// `change` returns false if the caller is to be dropped.
    private func change(_ id: Int, _ change: (inout Caller) -> Bool) {
        let (hangUp, needsThread) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
            guard var caller = state.callers[id] else { return (nil, false) }
            let stays = change(&caller)
            state.callers[id] = stays && !caller.isFinished ? caller : nil
            return (stays ? nil : caller.onHangUp, !caller.isListening)
        }
        if needsThread { alarm.wake() }
        hangUp?()
    }
}

extension ControlAnswer {
    var line: [UInt8] { json.compact + [UInt8(ascii: "\n")] }
}
