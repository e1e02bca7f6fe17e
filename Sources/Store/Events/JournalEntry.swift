package import Apod

/// What the journal has of an event, where programs find it by its fields; and the terminal.
package struct JournalEntry: Sendable, Equatable {
    /// The journal's `APOD_EVENT`.
    package enum EventName: String, Sendable, CaseIterable {
        case ready, waiting, stopping, reloaded
        case settingsRefused = "settings-refused"
        case mirrored, replaced, failed, absent, kept, noted
        case refreshed
        case refreshFailed = "refresh-failed"
        case backfilling, backfilled
        case pruned
        case held = "pruning-held"
        case watching
        case lost = "favorites-lost"
        case ended = "links-ended"
        case asked, refused
        case trouble
    }

    /// The journal's `PRIORITY`.
    package enum Grade: Int, Sendable {
        case error = 3
        case warning, notice, information
    }

    package let event: EventName
    package let grade: Grade
    package let words: String
    /// The journal's `APOD_DAY`.
    package let day: Day?
    /// The journal's `APOD_UID`.
    package let user: Int?
    /// The failure that is told, if any: what to do is made from it.
    package let failure: Problem?

    package var isWarning: Bool { grade.rawValue <= Grade.warning.rawValue }
}

extension JournalEntry {
    /// nil for events that are told to nobody but the command that asked.
    package init?(_ event: Event) {
        func row(
            _ name: EventName, _ grade: Grade? = nil, day: Day? = nil, of failure: Problem? = nil, by user: Int? = nil
        ) -> Self {
            Self(
                event: name, grade: grade ?? name.grade, words: event.description, day: day, user: user,
                failure: failure
            )
        }
        switch event {
        case .mirrored(let key, _, _, _): self = row(.mirrored, day: key.day)
        case .kept(let day, _): self = row(.kept, day: day)
        case .replaced(let key, let isMuchSmaller):
            self = row(.replaced, isMuchSmaller ? .warning : nil, day: key.day)
        case .failed(let key, let why, _):
            self = row(.failed, day: key.day, of: key.list == nil ? why : nil)
        case .absent(let day): self = row(.absent, day: day)
        case .unanswered, .noted: self = row(.noted)
        case .listFailed: self = row(.refreshFailed)
        case .rediscovered: self = row(.noted, .notice)
        case .ready: self = row(.ready)
        case .reloaded: self = row(.reloaded)
        case .settingsRefused: self = row(.settingsRefused)
        case .stopping: self = row(.stopping)
        case .waiting(let why): self = row(.waiting, of: why)
        case .workFailed(_, let why, let asks, _):
            self = row(asks || why.code == .full ? .refreshFailed : .trouble, of: why)
        case .trouble(_, let why): self = row(.trouble, of: why)
        case .refreshed(let newest): self = row(.refreshed, day: newest)
        case .backfilling: self = row(.backfilling)
        case .backfilled: self = row(.backfilled)
        case .deleted(_, let day, let why): self = row(why == nil ? .pruned : .noted, day: day, of: why)
        case .held: self = row(.held)
        case .withoutCopy(let day, _): self = row(.noted, day: day)
        case .asked(_, let user, let isAllowed): self = row(isAllowed ? .asked : .refused, by: user)
        case .watching(.polling(let why), _): self = row(.watching, .warning, of: why)
        case .watching(.lost(let why), _): self = row(.lost, of: why)
        case .watching, .recovered: self = row(.watching)
        case .linksWent: self = row(.ended)
        case .planned, .unchanged, .notYet, .refreshBegan, .received, .delayed, .refreshEnded, .thumbnailsBegan,
            .thumbnail, .changed, .said, .complained, .favoritesKnown, .favoritesSettled:
            return nil
        }
    }
}

extension JournalEntry.EventName {
    fileprivate var grade: JournalEntry.Grade {
        switch self {
        case .ready, .stopping, .reloaded, .watching, .pruned, .backfilled, .kept, .replaced, .refused: .notice
        // Some days have no picture, which nobody can mend.
        case .mirrored, .absent, .refreshed, .backfilling, .asked: .information
        case .waiting, .failed, .noted, .refreshFailed, .held, .lost, .ended: .warning
        case .settingsRefused, .trouble: .error
        }
    }
}
