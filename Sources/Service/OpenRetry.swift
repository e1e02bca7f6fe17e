import Apod
import Configuration
import Files
import Glibc
import Store
import Syncing

/// Opens the mirror as soon as possible: waits for its disk to be mounted, room on it, a clock that is set, and a command
/// that writes to end.
struct OpenRetry: Sendable {
    let settings: Settings
    let environment: ServiceEnvironment
    /// Whether the service is starting: then an error that waiting cannot mend ends it.
    let isFirst: Bool
    /// Whether this root was open before: if it is empty, its disk is not mounted.
    let isKnown: Bool
    /// Called with what is waited for.
    let wait: @Sendable (Problem) -> Void

    /// 2026-11-01: a clock that shows an earlier time is not set.
    private static let oldestNow = 1_793_491_200

    /// Throws when the task is cancelled and, at the start, an error that waiting cannot mend.
    func mirror() async throws -> OpenMirror {
        var backoff = Backoff(Duration.milliseconds(50), atMost: .seconds(10))
        while true {
            let why: Problem
            do {
                if let mirror = try await open() { return mirror }
                why = Problem(.clock)
            } catch {
                if isFirst, !error.problem.mayEnd { throw error }
                why = error.problem
            }
            // After a reload, the mirror may take a moment to close, which is not told.
            if isFirst || backoff.pause > .milliseconds(200) { wait(why) }
            try await sleep(for: backoff.next())
        }
    }

    /// nil while the clock is not set: the first day is chosen by it, for good.
    private func open() async throws -> OpenMirror? {
        if environment.time.now < Self.oldestNow { return nil }
        return try await blocking { [self] in
            try Archive.checkVisible(root: settings.root, state: settings.state)
            if isKnown, KnownRoots.isEmpty(settings.root) { throw Problem(.away, path: settings.root) }
            return try OpenMirror(
                settings, version: environment.version, environment: environment.variables, time: environment.time,
                fetching: environment.fetching)
        }
    }
}

extension Problem {
    /// Whether waiting may help, without a change of the settings.
    fileprivate var mayEnd: Bool {
        switch code {
        case .away, .hidden, .used: true
        case .folder: !isNoFolder && errorNumber != ENAMETOOLONG
        case .foreign, .closed, .network, .shared: false
        default: isFull || code == .moved
        }
    }
}
