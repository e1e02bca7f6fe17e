package import Apod
import Configuration
import Syncing

/// A message of the service: on the terminal, or in the journal, where programs find it by its fields.
package struct Notice: Sendable, Equatable {
    /// The journal's `APOD_EVENT`.
    package enum Event: String, Sendable, CaseIterable {
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

    package let event: Event
    let grade: Grade
    /// The journal's `APOD_DAY`.
    package let day: Day?
    /// The journal's `APOD_UID`.
    package let user: UInt32?
    package let words: String
    /// The failure that is told, if any: what to do is made from it.
    package private(set) var failure: Problem?
    /// The folder whose disk is full, if this tells of one.
    private(set) var fullFolder: String?

    package init(
        _ event: Event, _ words: String, day: Day? = nil, by user: UInt32? = nil, grade: Grade? = nil,
        of failure: Problem? = nil
    ) {
        self.event = event
        self.user = user
        self.words = words
        self.failure = failure
        self.day = day
        self.grade = grade ?? event.grade
    }

    /// The notice of an error: `other`, unless the disk is full.
    init(_ error: any Error, in settings: Settings, or other: Notice) {
        self = other
        let failure = Problem(error, in: settings)
        self.failure = failure
        guard failure.code == .full else { return }
        self.init(.refreshFailed, "\(failure.words); the service goes on when there is room")
        fullFolder = failure.path
    }

    package func with(words: String) -> Notice {
        Notice(event, words, day: day, by: user, grade: grade, of: failure)
    }

    package var isWarning: Bool { grade.rawValue <= Grade.warning.rawValue }
}

package typealias NoticeHandler = @Sendable (Notice) -> Void

extension Notice.Event {
    fileprivate var grade: Notice.Grade {
        switch self {
        case .ready, .stopping, .reloaded, .watching, .pruned, .backfilled, .kept, .replaced, .refused: .notice
        case .mirrored, .refreshed, .backfilling, .asked: .information
        case .waiting, .failed, .absent, .noted, .refreshFailed, .held, .lost, .ended: .warning
        case .settingsRefused, .trouble: .error
        }
    }
}
