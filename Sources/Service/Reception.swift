internal import Files
internal import Glibc
import Synchronization

/// The thread that waits for those who connect to the service, reads what they ask and writes what they are told.
/// While nobody connects, it sleeps.
final class Reception: Sendable {
    /// Called on its thread: it must not take long.
    typealias Hearing = @Sendable (Visitor, [UInt8]) -> Void

    /// nil when everybody was sent away, for good.
    private let audience: Mutex<Audience?>
    private let isStarted = Atomic(false)
    private let alarm = Alarm()
    private let askers = Askers()
    private let hear: Hearing

    init(patience: Duration = .seconds(5), hear: @escaping Hearing) {
        audience = Mutex(Audience(patience: patience))
        self.hear = hear
    }

    /// Whoever connects there from now on is heard, those of a group as people of the house. nil: nobody new.
    func open(_ door: LocalSocket?, group: UInt32? = nil) {
        audience.withLock { audience in
            audience?.door = door
            audience?.group = group
        }
        if !isStarted.exchange(true, ordering: .relaxed) { startThread { [self] in run() } }
        alarm.wake()
    }

    /// Everybody is sent away, for good.
    func close() {
        let callers = audience.withLock { audience in
            defer { audience = nil }
            let callers = audience.map { Array($0.callers.values) } ?? []
            for caller in callers { caller.hangUp() }
            return callers.compactMap(\.onHangUp)
        }
        alarm.wake()
        for hangUp in callers { hangUp() }
    }

    /// Returns when the thread has noticed that it is asked, if there is one.
    func answer() async {
        if isStarted.load(ordering: .relaxed) { await askers.ask(by: alarm) }
    }

    private func run() {
        defer { askers.end() }
        while let (door, ids, callers, timeout) = sources() {
            var sources = [pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0), door] + callers
            poll(&sources, nfds_t(sources.count), timeout)
            alarm.reset()
            askers.answer()
            let due = audience.withLock { $0?.take(door: sources[1], ids, sources.dropFirst(2)) ?? [] }
            for due in due {
                switch due {
                case .hear(let id, let request, let isStranger):
                    hear(Visitor(id, at: self, isStranger: isStranger), request)
                case .hungUp(let hangUp): hangUp()
                }
            }
        }
    }

    private func sources() -> (door: pollfd, ids: [Int], callers: [pollfd], timeout: Int32)? {
        audience.withLock { audience in
            guard let audience else { return nil }
            let sources = audience.sources()
            return (sources.door, sources.ids, sources.callers, audience.timeout)
        }
    }

    func say(_ line: [UInt8], to id: Int) { change(id) { $0.say(line) } }

    /// Sends away whoever has been told all. Nothing more is done for them.
    func leave(_ id: Int) {
        audience.withLock { $0?.release(id) }
        change(id) { caller in
            caller.leave()
            return true
        }
    }

    func isThere(_ id: Int) -> Bool { audience.withLock { $0?.callers[id] != nil } }

    /// Whether the caller is there, and has heard all that was said.
    func isListening(_ id: Int) -> Bool { audience.withLock { $0?.callers[id]?.isListening ?? false } }

    /// Calls at once if the caller has gone already.
    func onHangUp(of id: Int, _ action: @escaping @Sendable () -> Void) {
        let isThere = audience.withLock { audience in
            audience?.callers[id]?.onHangUp = action
            return audience?.callers[id] != nil
        }
        if !isThere { action() }
    }

    /// `change` returns false if the caller is to be dropped.
    private func change(_ id: Int, _ change: (inout Caller) -> Bool) {
        let (hangUp, needsThread) = audience.withLock { audience -> ((@Sendable () -> Void)?, Bool) in
            guard audience?.callers[id] != nil else { return (nil, false) }
            // In its place: what is still to be said to it may be long, and is not copied.
            let stays = change(&audience!.callers[id]!)
            let caller = audience!.callers[id]!
            if stays, !caller.isFinished { return (nil, !caller.isListening) }
            audience?.callers[id] = nil
            caller.hangUp()
            return (stays ? nil : caller.onHangUp, true)
        }
        if needsThread { alarm.wake() }
        hangUp?()
    }
}
