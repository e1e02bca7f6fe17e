internal import Concurrency
import Synchronization

/// Which hosts no file is asked of for a while: they ask for that, refuse without a word about it, or cannot be reached.
package final class HostCooldowns: Sendable {
    package typealias Instant = ContinuousClock.Instant

    private struct Host {
        var until: Instant
        /// What a request is told meanwhile.
        var reason: FetchError
        /// How long it was left alone when it could not be reached the last time; nil once it answers.
        var backoff: Backoff<Duration>?
        var lastFailure: Instant?
        var lastRequestedPause: Instant?
        var lastAnswer: Instant?
        /// Files that it has refused in a row without a word about when to ask again.
        var refusals = 0
        /// When it was last left alone for them.
        var leftAloneSince: Instant?
        /// One request tries whether it can be reached again; the others do not wait for that.
        var isProbed = false
    }

    private struct State {
        var hosts: [String: Host] = [:]
        /// Of any host.
        var lastAnswer: Instant?
    }

    private let state = Mutex(State())
    private let backoff: Backoff<Duration>
    private let refused: Duration
    private let longest: Duration
    /// Records can name any number of hosts.
    private static let mostHosts = 1000
    /// About as many as are asked for at once: what one host says to them together is said once.
    private static let refusalsPerPause = 4
    /// Times the pause after a single refusal: a host that is left alone for longer is not waited for.
    private static let mostWaited = 16

    /// `refused`: the pause after a single refusal, which may be about that file alone.
    package init(
        shortest: Duration = .seconds(5), longest: Duration = .seconds(300), refused: Duration = .milliseconds(250)
    ) {
        backoff = Backoff(shortest, atMost: longest)
        (self.refused, self.longest) = (refused, longest)
    }

    /// Why a file may not be asked of a host now. nil: it may, and `answered`, `failed` or `left` follows.
    func refusal(by host: String, at now: Instant = .now) -> FetchError? {
        change(host, at: now) { host, _ in
            if host.until > now { return reason(host, left: host.until - now) }
            if host.isProbed { return host.reason }
            host.isProbed = host.backoff != nil
            return nil
        }
    }

    private func reason(_ host: Host, left: Duration) -> FetchError {
        switch host.reason {
        case .status(let status, _): .status(status, retryAfter: Int((left / .seconds(1)).rounded(.up)))
        case .leftAlone(let status, _): .leftAlone(after: status, for: left > refused * Self.mostWaited ? nil : left)
        default: host.reason
        }
    }

    /// How long it still asks to be left alone; zero if it does not.
    func requestedPauseLeft(_ host: String, at now: Instant = .now) -> Duration {
        state.withLock { state in
            guard let host = state.hosts[host], case .status = host.reason else { return .zero }
            return max(host.until - now, .zero)
        }
    }

    /// It has answered a request that began at a moment. `requestedPause`: so many seconds it asks to be left alone.
    func answered(
        _ host: String, _ status: Int, requestedPause: Int?, isFile: Bool, since start: Instant, at now: Instant = .now
    ) {
        change(host, at: now) { host, anyAnswer in
            // Documents are asked for all the same: when one comes, the host has changed its mind.
            let isRefusal = status >= 500 || status == 429 || requestedPause != nil
            let isWelcome = !isRefusal && host.lastRequestedPause.map { $0 < start } ?? true
            if host.backoff != nil || isWelcome && !host.reason.isLeftAlone { host.until = now }
            (host.backoff, host.isProbed) = (nil, false)
            (host.lastAnswer, anyAnswer) = (now, now)
            if let requestedPause {
                guard now + .seconds(requestedPause) > host.until else { return }
                (host.until, host.reason, host.lastRequestedPause) = (
                    now + .seconds(requestedPause), .status(status, retryAfter: requestedPause), now
                )
            } else if isFile {
                host.refusals = isRefusal ? Self.refusals(of: host, and: start) : 0
                if isRefusal { leaveAlone(&host, after: status, at: now) }
            }
        }
    }

    /// With one more, of a request that began at a moment. Of those that were under way when it began to be left alone,
    /// which can be very many, a few count.
    private static func refusals(of host: Host, and start: Instant) -> Int {
        guard let since = host.leftAloneSince, start < since else { return host.refusals + 1 }
        return min(host.refusals + 1, pauses(after: host.refusals) * refusalsPerPause)
    }

    private static func pauses(after refusals: Int) -> Int { (refusals - 1) / refusalsPerPause + 1 }

    /// For longer with every few files that are refused in a row; others that were under way meet the same.
    private func leaveAlone(_ host: inout Host, after status: Int, at now: Instant) {
        guard host.until <= now else { return }
        let pauses = Self.pauses(after: host.refusals)
        host.leftAloneSince = now
        host.until = now + Backoff(refused, atMost: longest, after: pauses).pause
        host.reason = .leftAlone(after: status, for: nil)
    }

    /// It could not be reached by a request that began at a moment.
    func failed(_ host: String, _ reason: FetchError, since start: Instant, at now: Instant = .now) {
        change(host, at: now) { host, anyAnswer in
            host.isProbed = false
            // Others have reached it meanwhile, or have met the same.
            if host.lastAnswer.map({ $0 >= start }) ?? false || host.until > now { return }
            // While nobody answers, it may be this machine that has no network: then nobody is punished.
            let isItsOwnFault = host.lastFailure.map { last in anyAnswer.map { $0 > last } ?? false } ?? false
            if isItsOwnFault { host.backoff?.grow() }
            let backoff = host.backoff ?? backoff
            (host.until, host.backoff, host.reason, host.lastFailure) = (now + backoff.pause, backoff, reason, now)
        }
    }

    /// A request ended without telling anything of the host.
    func left(_ host: String, at now: Instant = .now) { change(host, at: now) { host, _ in host.isProbed = false } }

    /// Somebody asks in person: hosts are tried at once that could not be reached, or have not said when to come again.
    package func forgive(at now: Instant = .now) {
        state.withLock { state in
            for (name, host) in state.hosts where host.backoff != nil || host.reason.isLeftAlone {
                state.hosts[name]?.until = now
                state.hosts[name]?.isProbed = false
            }
        }
    }

    private func change<Result>(
        _ name: String, at now: Instant, _ change: (inout Host, inout Instant?) -> Result
    ) -> Result {
        state.withLock { state in
            if state.hosts.count >= Self.mostHosts { state.hosts = state.hosts.filter { $0.value.until > now } }
            var host = state.hosts[name] ?? Host(until: now, reason: .cancelled)
            defer { state.hosts[name] = host }
            return change(&host, &state.lastAnswer)
        }
    }
}

extension FetchError {
    fileprivate var isLeftAlone: Bool { if case .leftAlone = self { true } else { false } }
}
