internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
internal import Files
internal import Glibc
internal import Syncing

/// Opens the mirror, as soon as that can be done: waits for a disk that is mounted, room on it, a clock that is set.
struct OpenRetry: Sendable {
    let settings: Settings
    let environment: ServiceEnvironment
    /// What will not pass ends the service before it has begun.
    let isFirst: Bool
    /// There was a mirror in this root since the service began: if there is none, its disk is not mounted.
    let isKnown: Bool
    /// Told what is waited for.
    let wait: @Sendable (Failure) -> Void

    /// 2026-11-01: this program did not exist before.
    private static let oldestNow = 1_793_491_200
    private static let unset = "the clock is not set: it shows a day before this program was made"

    /// Throws what will not pass, and when the task is cancelled.
    func mirror() async throws -> OpenMirror {
        var backoff = Backoff(Duration.milliseconds(50), atMost: .seconds(10))
        while true {
            let why: Failure
            do throws(ArchiveError) {
                if let mirror = try await open() { return mirror }
                why = Failure(.other, Self.unset)
            } catch {
                if isFirst, !error.mayPass { throw error }
                why = error.failure
            }
            // Whoever is just closing the mirror is not told of.
            if isFirst || backoff.pause > .milliseconds(200) { wait(why) }
            try await sleep(for: backoff.next())
        }
    }

    /// nil if the clock is not set yet: what is chosen by it now would be wrong for ever.
    private func open() async throws(ArchiveError) -> OpenMirror? {
        if environment.time.now < Self.oldestNow { return nil }
        return try await blocking { [self] () throws(ArchiveError) in
            if isKnown, KnownRoots.isEmpty(settings.root) { throw .away(root: settings.root) }
            return try OpenMirror(
                settings, version: environment.version, environment: environment.variables, time: environment.time,
                cooldowns: environment.cooldowns, tune: environment.tune)
        }
    }
}

extension ArchiveError {
    /// It is worth waiting for, without anybody doing anything to the settings.
    fileprivate var mayPass: Bool {
        switch self {
        case .away, .hidden, .readOnly: true
        case .storage(let error) where error.isOfSystem: !error.isNoFolder && error.code != ENAMETOOLONG
        case .storage(let error): error.isFull || error.isReplacement
        case .inUse, .foreign, .closed, .refused, .occupied, .networkDisk, .shared: false
        }
    }
}
