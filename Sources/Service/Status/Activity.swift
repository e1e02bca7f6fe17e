package import Apod
package import Configuration
package import Store
import Synchronization

/// What the service is doing, and what fails. Each part notes its own, and `StatusReport` says it to others.
package final class Activity: Sendable {
    package struct Trouble: Sendable, Equatable {
        package let failure: Problem
        /// The next attempt, in seconds since 1970.
        package let retry: Int

        package init(_ failure: Problem, retry: Int) {
            self.failure = failure
            self.retry = retry
        }
    }

    package struct Filling: Sendable, Equatable, Codable {
        package let missing: Int
        package let at: Day
        /// nil until it can be estimated.
        let secondsLeft: Int?

        package init(missing: Int, at day: Day, secondsLeft: Int?) {
            self.missing = missing
            self.at = day
            self.secondsLeft = secondsLeft
        }
    }

    package struct Snapshot: Sendable {
        /// Why the mirror cannot be opened.
        package var waiting: Problem?
        /// Why the last reload was refused.
        var refusedSettings: String?
        /// The settings in force; nil before they are read.
        package var settings: Settings?
        /// The file they were read from, if any.
        package var settingsFile: String?
        /// The deletion that waits for `prune`.
        package var held: String?
        var isRefreshing = false
        var isMakingThumbnails = false
        /// How many commands the service is fetching for.
        var syncs = 0
        package var nextRefresh: Int?
        /// nil while the favorites folder is not watched.
        package var watching: WatchState?
        package var newest: Day?
        package var backfill: Filling?
        var troubles: [ServicePart: Trouble] = [:]

        package init() {}
    }

    private let state = Mutex(Snapshot())
    private let show: @Sendable (String) -> Void
    private let bell = Mutex<(@Sendable () -> Void)?>(nil)

    /// `show` receives each new status line.
    package init(show: @escaping @Sendable (String) -> Void = { _ in }) { self.show = show }

    package var now: Snapshot { state.withLock(\.self) }

    package func change(_ change: (inout Snapshot) -> Void) {
        state.withLock { state in
            let before = state.line
            change(&state)
            // Under the lock, so that lines come in order.
            if state.line != before { show(state.line) }
        }
        bell.withLock(\.self)?()
    }

    /// Sets what is called after each change.
    func onChange(_ ring: (@Sendable () -> Void)?) { bell.withLock { $0 = ring } }
}

extension Activity.Snapshot {
    /// What is wrong, as far as the service knows.
    var conditions: [Condition] {
        var conditions: [Condition] = waiting.map { [.waiting(failure: $0)] } ?? []
        conditions += refusedSettings.map { [.settings(reason: $0)] } ?? []
        conditions += groupedTroubles.map {
            .trouble(parts: $0.parts, failure: $0.trouble.failure, retry: Moment($0.trouble.retry))
        }
        switch watching {
        case .polling(let why): conditions.append(.polling(failure: why))
        case .lost(let lack): conditions.append(.folderLost(failure: lack))
        case .inotify, nil: break
        }
        return conditions
    }

    /// Joins troubles with the same cause: all their parts, and the earliest retry.
    var groupedTroubles: [(parts: [ServicePart], trouble: Activity.Trouble)] {
        var groups: [(parts: [ServicePart], trouble: Activity.Trouble)] = []
        for part in ServicePart.allCases {
            guard let trouble = troubles[part] else { continue }
            if let same = groups.firstIndex(where: { $0.trouble.failure.cause == trouble.failure.cause }) {
                groups[same].parts.append(part)
                let (failure, retry) = (groups[same].trouble.failure, groups[same].trouble.retry)
                groups[same].trouble = .init(failure, retry: min(retry, trouble.retry))
            } else {
                groups.append(([part], trouble))
            }
        }
        return groups
    }

    /// The line that `systemctl status` shows, most important first.
    package var line: String {
        if let waiting { return "waiting: \(waiting.words)" }
        var parts = refusedSettings.map { ["settings refused: \($0)"] } ?? []
        parts += groupedTroubles.map { "\($0.parts.names): \($0.trouble.failure.words)" }
        if watching?.way == .lost { parts.append("no favorites folder") }
        if let held { parts.append(held) }
        if isRefreshing { parts.append("asking for new days") }
        if syncs > 0 { parts.append("fetching what `sync` asked for") }
        if let backfill { parts.append(backfill.words) }
        if let newest { parts.append("newest day \(newest)") }
        if let nextRefresh { parts.append("next refresh \(Time.local(nextRefresh))") }
        return parts.isEmpty ? "starting" : parts.joined(separator: "; ")
    }
}

extension Activity.Filling {
    package var words: String {
        let days = "\(Day.count(missing)) to fetch, now at \(at)"
        return secondsLeft.map { "\(days), \(TimeLeft.words($0))" } ?? days
    }
}
