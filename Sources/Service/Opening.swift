internal import Apod
internal import Archive
internal import Files
internal import Glibc

/// Opens the mirror, as soon as that can be done: waits for a disk that is mounted, room on it, a clock that is set.
struct Opening: Sendable {
    let settings: Settings
    let around: Surroundings
    /// What will not pass ends the service before it has begun.
    let isFirst: Bool
    /// There was a mirror in this root since the service began: if there is none, its disk is not mounted.
    let isKnown: Bool
    /// Told what is waited for.
    let wait: @Sendable (String) -> Void

    /// 2026-11-01: this program did not exist before.
    private static let oldestNow = 1_793_491_200
    private static let unset = "the clock is not set: it shows a day before this program was made"
    private static let longestPause = Duration.seconds(10)

    /// Throws what will not pass, and when the task is cancelled.
    func session() async throws -> Session {
        var pause = Duration.milliseconds(50)
        var wasAway = false
        while true {
            let why: String
            do throws(ArchiveError) {
                if let session = try await open(wasAway) { return session }
                why = Self.unset
            } catch {
                if isFirst, !error.mayPass { throw error }
                if case .away = error { wasAway = true }
                why = error.description + around.advice(on: error)
            }
            // Whoever is just closing the mirror is not told of.
            if isFirst || pause > .milliseconds(200) { wait(why) }
            try await nap(for: pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// nil if the clock is not set yet: what is chosen by it now would be wrong for ever.
    private func open(_ wasAway: Bool) async throws(ArchiveError) -> Session? {
        if around.time.now < Self.oldestNow { return nil }
        return try await blocking { [self] () throws(ArchiveError) in
            if isKnown, KnownRoots.isEmpty(settings.root) { throw .away(root: settings.root) }
            return try Session(
                settings, version: around.version, environment: around.environment, time: around.time,
                reached: wasAway ? around.time.uptime.seconds : 0, cooldowns: around.cooldowns, tune: around.tune)
        }
    }
}

extension ArchiveError {
    /// It is worth waiting for, without anybody doing anything to the settings.
    fileprivate var mayPass: Bool {
        switch self {
        case .away, .replaced, .readOnly: true
        case .disk(let error): !error.isNoFolder && error.code != ENAMETOOLONG
        case .catalog(let error): error.isFull
        case .inUse, .foreign, .refused, .occupied, .networkDisk, .shared: false
        }
    }
}
