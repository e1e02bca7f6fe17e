internal import Concurrency
import Synchronization

/// Which hosts no file is asked of for a while: they ask for that, refuse without a word about it, or cannot be reached.
///
/// A host has one pause. Each failure makes it longer, an answer ends it.
package final class HostCooldowns: Sendable {
    package typealias Instant = ContinuousClock.Instant

    private struct Host {
        var until: Instant
        /// What a request is told meanwhile.
        var reason: FetchError
        /// How long the next pause is.
        var backoff: Backoff<Duration>
        /// When this pause began. Requests that were under way then tell nothing new.
        var since: Instant

        /// It has said itself for how long.
        var hasAsked: Bool { if case .status = reason { true } else { false } }
    }

    private let hosts = Mutex<[String: Host]>([:])
    private let shortest: Duration
    private let longest: Duration
    /// Records can name any number of hosts.
    private static let mostHosts = 1000
    /// Times the shortest pause: a host that is left alone for longer is not waited for.
    private static let mostWaited = 16

    package init(shortest: Duration = .seconds(1), longest: Duration = .seconds(300)) {
        (self.shortest, self.longest) = (shortest, longest)
    }

    /// Why a file may not be asked of a host now; nil: it may.
    func refusal(by host: String, at now: Instant = .now) -> FetchError? {
        hosts.withLock { hosts in
            guard let host = hosts[host], host.until > now else { return nil }
            let left = host.until - now
            return switch host.reason {
            case .status(let status, _): .status(status, retryAfter: Int((left / .seconds(1)).rounded(.up)))
            case .leftAlone(let status, _):
                .leftAlone(after: status, for: left > shortest * Self.mostWaited ? nil : left)
            default: host.reason
            }
        }
    }

    /// How long it still asks to be left alone; zero if it does not.
    func requestedPauseLeft(_ host: String, at now: Instant = .now) -> Duration {
        hosts.withLock { hosts in
            guard let host = hosts[host], host.hasAsked else { return .zero }
            return max(host.until - now, .zero)
        }
    }

    /// It has answered a request that began at a moment. `requestedPause`: so many seconds it asks to be left alone.
    func answered(
        _ host: String, _ status: Int, requestedPause: Int?, isFile: Bool, since start: Instant, at now: Instant = .now
    ) {
        if let requestedPause {
            leave(host, for: .seconds(requestedPause), .status(status, retryAfter: requestedPause), at: now)
        } else if status < 500, status != 429 {
            hosts.withLock { hosts in
                // A host that refuses files may answer questions all the same.
                guard let known = hosts[host], isFile || !known.reason.isLeftAlone else { return }
                if start >= known.since {
                    hosts[host] = nil
                } else if isFile {
                    // That pause is not over, but the next one is short: not all that it is asked for fails.
                    hosts[host]?.backoff = Backoff(shortest, atMost: longest)
                }
            }
        } else if isFile {
            failed(host, .leftAlone(after: status, for: nil), since: start, at: now)
        }
    }

    /// A request that began at a moment was refused, or could not reach it.
    func failed(_ host: String, _ reason: FetchError, since start: Instant, at now: Instant = .now) {
        hosts.withLock { hosts in
            var backoff = Backoff(shortest, atMost: longest)
            if let known = hosts[host] {
                guard start >= known.since, known.until <= now else { return }
                backoff = known.backoff
            }
            makeRoom(&hosts, at: now)
            let pause = backoff.next()
            hosts[host] = Host(until: now + pause, reason: reason, backoff: backoff, since: now)
        }
    }

    private func leave(_ host: String, for pause: Duration, _ reason: FetchError, at now: Instant) {
        hosts.withLock { hosts in
            let known = hosts[host]
            guard known.map({ now + pause > $0.until }) ?? true else { return }
            makeRoom(&hosts, at: now)
            let backoff = known?.backoff ?? Backoff(shortest, atMost: longest)
            hosts[host] = Host(until: now + pause, reason: reason, backoff: backoff, since: now)
        }
    }

    private func makeRoom(_ hosts: inout [String: Host], at now: Instant) {
        if hosts.count >= Self.mostHosts { hosts = hosts.filter { $0.value.until > now } }
    }

    /// Somebody asks in person: hosts are tried at once that have not said themselves when to come again.
    package func forgive() { hosts.withLock { hosts in hosts = hosts.filter { $0.value.hasAsked } } }
}

extension FetchError {
    fileprivate var isLeftAlone: Bool { if case .leftAlone = self { true } else { false } }
}
