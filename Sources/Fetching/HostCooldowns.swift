import Files
import Synchronization

/// Hosts that are asked for no file for a while: they asked for a pause, refuse requests, or cannot be reached.
///
/// A host has one pause at a time. Each failure makes the next one longer, an answer ends it.
package final class HostCooldowns: Sendable {
    package typealias Instant = ContinuousClock.Instant

    private struct Host {
        var until: Instant
        /// The error of requests during the pause.
        var reason: FetchError
        /// The length of the next pause.
        var backoff: Backoff<Duration>
        /// When this pause began. Requests that were under way then tell nothing new.
        var since: Instant

        /// Whether the host asked for this pause.
        var hasAsked: Bool { if case .status = reason { true } else { false } }
    }

    private let hosts = Mutex<[String: Host]>([:])
    private let shortest: Duration
    /// In shortest pauses: when more is left of a host's pause, its files do not wait for it.
    private static let mostWaited = 16

    package init(shortest: Duration = .seconds(1)) { self.shortest = shortest }

    private var newBackoff: Backoff<Duration> { Backoff(shortest, atMost: .seconds(300)) }

    /// Returns why no file may be requested from a host; nil if it may.
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

    /// Notes the answer to a request that began at `start`. `requestedPause`: in seconds.
    func answered(
        _ host: String, _ status: Int, requestedPause: Int?, isFile: Bool, since start: Instant, at now: Instant = .now
    ) {
        if let requestedPause {
            leave(host, for: .seconds(requestedPause), .status(status, retryAfter: requestedPause), at: now)
        } else if status < 500, status != 429 {
            hosts.withLock { hosts in
                // A host that refuses files may still answer requests for documents.
                guard let known = hosts[host], isFile || !known.reason.isLeftAlone else { return }
                if start >= known.since {
                    hosts[host] = nil
                } else if isFile {
                    // The pause goes on, but the next one is short, since not every request fails.
                    hosts[host]?.backoff = newBackoff
                }
            }
        } else if isFile {
            failed(host, .leftAlone(after: status, for: nil), since: start, at: now)
        }
    }

    /// Notes that a request that began at `start` was refused, or did not reach the host.
    func failed(_ host: String, _ reason: FetchError, since start: Instant, at now: Instant = .now) {
        hosts.withLock { hosts in
            var backoff = newBackoff
            if let known = hosts[host] {
                guard start >= known.since, known.until <= now else { return }
                backoff = known.backoff
            }
            let pause = backoff.next()
            hosts[host] = Host(until: now + pause, reason: reason, backoff: backoff, since: now)
        }
    }

    private func leave(_ host: String, for pause: Duration, _ reason: FetchError, at now: Instant) {
        hosts.withLock { hosts in
            let known = hosts[host]
            guard known.map({ now + pause > $0.until }) ?? true else { return }
            let backoff = known?.backoff ?? newBackoff
            hosts[host] = Host(until: now + pause, reason: reason, backoff: backoff, since: now)
        }
    }

    /// Ends all pauses that no host asked for, so that a person's command tries at once.
    package func forgive() { hosts.withLock { hosts in hosts = hosts.filter { $0.value.hasAsked } } }
}

extension FetchError {
    fileprivate var isLeftAlone: Bool { if case .leftAlone = self { true } else { false } }
}
