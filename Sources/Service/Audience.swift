internal import Files
internal import Glibc

/// All who are connected to the service, and the door through which they come.
struct Audience {
    /// What is to be done outside of here.
    enum Due {
        case hear(Int, [UInt8], isStranger: Bool)
        case hungUp(@Sendable () -> Void)
    }

    /// More wait where the kernel lets them wait.
    static let most = 64
    /// Of those who are neither the owner nor root: they keep nobody else out.
    static let mostGuests = 48
    /// Of those who may only read, and of one person among them.
    static let mostStrangers = 16
    static let mostOfStranger = 4
    /// Where there is no descriptor left, there may be one soon.
    private static let rest = Duration.seconds(1)

    var door: LocalSocket?
    /// Whose the door is, beside the owner.
    var group: UInt32?
    var callers: [Int: Caller] = [:]
    /// Those who have asked for something that is not done yet. They keep their place, whether they are still there or
    /// not: who hangs up again and again has no more done than who waits.
    private var served: [Int: Caller.Standing] = [:]
    private var nextID = 0
    private var doorRestsUntil: ContinuousClock.Instant?
    private let patience: Duration

    /// `patience`: how long a caller may take to say what it wants.
    init(patience: Duration) { self.patience = patience }

    /// What to wait for: at the door, and from the callers of these numbers.
    func sources() -> (door: pollfd, ids: [Int], callers: [pollfd]) {
        let isReady = callers.count < Self.most && doorRestsUntil == nil
        // poll(2) passes over negative descriptors.
        let descriptor = isReady ? door?.descriptor ?? -1 : -1
        return (
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), Array(callers.keys),
            callers.values.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        )
    }

    /// In milliseconds, until something is to be done though nothing happens; -1: for ever.
    var timeout: Int32 {
        let deadlines = callers.values.compactMap(\.deadline) + [doorRestsUntil].compactMap(\.self)
        return deadlines.min().map { Int32(clamping: Int64(max(0, ($0 - .now) / .milliseconds(1)) + 1)) } ?? -1
    }

    mutating func take(door: pollfd, _ ids: [Int], _ events: some Sequence<pollfd>) -> [Due] {
        if let rest = doorRestsUntil, rest <= .now { doorRestsUntil = nil }
        if door.revents != 0 { admit() }
        let now = ContinuousClock.now
        return zip(ids, events).compactMap { id, source in
            guard var caller = callers[id] else { return nil }
            let (stays, due) = serve(&caller, id, source.revents, now)
            callers[id] = stays ? caller : nil
            if case .hear = due { served[id] = caller.standing }
            return due ?? (stays ? nil : caller.onHangUp.map(Due.hungUp))
        }
    }

    /// Nothing is done for this one any more.
    mutating func release(_ id: Int) { served[id] = nil }

    /// Returns whether the caller stays, and what is to be done for it.
    private func serve(
        _ caller: inout Caller, _ id: Int, _ events: Int16, _ now: ContinuousClock.Instant
    ) -> (stays: Bool, Due?) {
        var due: Due?
        if events & Int16(POLLIN) != 0 {
            switch caller.hear() {
            case .nothing: break
            case .request(let bytes): due = .hear(id, bytes, isStranger: caller.standing.isStranger)
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

    private mutating func admit() {
        // However fast somebody knocks, those who are inside have their turn.
        for _ in 0..<Self.most where callers.count < Self.most {
            do throws(DiskError) {
                guard let socket = try door?.accept() else { return }
                var caller = Caller(socket, .init(socket.peer, group: group), patience: patience)
                guard hasRoom(for: caller.standing) else {
                    dismiss(&caller, "too many others ask at the moment; try again later")
                    continue
                }
                callers[nextID] = caller
                nextID += 1
            } catch {
                doorRestsUntil = .now + Self.rest
                return
            }
        }
    }

    private func hasRoom(for standing: Caller.Standing) -> Bool {
        if standing == .owner { return true }
        let guests = served.merging(callers.mapValues(\.standing)) { $1 }.values.filter { $0 != .owner }
        guard guests.count < Self.mostGuests else { return false }
        return !standing.isStranger
            || guests.count(where: \.isStranger) < Self.mostStrangers
                && guests.count { $0 == standing } < Self.mostOfStranger
    }
}
