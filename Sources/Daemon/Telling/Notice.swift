package import Apod
internal import Configuration
internal import Syncing

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
        case trouble
    }

    /// The journal's `PRIORITY`.
    package enum Grade: Int, Sendable {
        case error = 3
        case warning, notice, information
    }

    package let event: Event
    package let grade: Grade
    /// The journal's `APOD_DAY`.
    package let day: Day?
    package let words: String
    /// The failure that is told, if any: what to do is made from it.
    package private(set) var failure: Failure?
    /// Whether this tells of a full disk, in words that all parts share.
    private(set) var isOfFullDisk = false

    package init(
        _ event: Event, _ words: String, day: Day? = nil, grade: Grade? = nil, of failure: Failure? = nil
    ) {
        self.event = event
        self.words = words
        self.failure = failure
        self.day = day
        self.grade = grade ?? event.grade
    }

    /// The notice of an error: `other`, unless the disk is full.
    init(_ error: any Error, in settings: Settings, or other: Notice) {
        self = other
        let failure = Failure(error, in: settings)
        self.failure = failure
        guard failure.code == .full else { return }
        self.init(.refreshFailed, "\(failure.words); the service then goes on by itself")
        isOfFullDisk = true
    }

    package func with(advice: String) -> Notice {
        Notice(event, words + advice, day: day, grade: grade, of: failure)
    }

    package var isWarning: Bool { grade.rawValue <= Grade.warning.rawValue }
}

package typealias NoticeHandler = @Sendable (Notice) -> Void

extension Notice.Event {
    fileprivate var grade: Notice.Grade {
        switch self {
        case .ready, .stopping, .reloaded, .watching, .pruned, .backfilled, .kept, .replaced: .notice
        case .mirrored, .refreshed, .backfilling: .information
        case .waiting, .failed, .absent, .noted, .refreshFailed, .held, .lost, .ended: .warning
        case .settingsRefused, .trouble: .error
        }
    }

    /// The journal's `MESSAGE_ID`, which must never change.
    package var id: String {
        switch self {
        case .ready: "d19dea0ffe754271aa36a4d7e11b2c19"
        case .waiting: "5a058e38e9fc493a85f0d4215e22d016"
        case .stopping: "f43f996b7c124786b7e811aa783b33c8"
        case .reloaded: "805989e3b56d47e18166c84c274dace3"
        case .settingsRefused: "5dc00e647e274ae69265c8cfa28e0bc1"
        case .mirrored: "c6718394b9fc4f509498683e7884c864"
        case .replaced: "6b0f6f0e7d2c4c1f9a4be83b6f1f1a52"
        case .failed: "a1473bbe2db5473194233cff41b28657"
        case .absent: "d784a5a95ae6407680f76f6f1dced293"
        case .kept: "3c0acf2e8b014ece88863f30e86d92b0"
        case .noted: "e7c27caec8d24dab85edb710c1471d46"
        case .refreshed: "d08fbb2899ef4b50a159e1d41fabe5ad"
        case .refreshFailed: "17fc5e4f0992415e80436643b3bcd7b9"
        case .backfilling: "ce2207c0bb9c449892e877f25805d36f"
        case .backfilled: "1f942e81dcb8423dbd1fc7bb7c06cbe8"
        case .pruned: "c35ae0cd6edc4667a125bf91281457f1"
        case .held: "7e0d3b0c64d94f2f8f6a3a1f52c9d7b4"
        case .watching: "04238bfadd9647a688ede9171a717a97"
        case .lost: "bb91be2f14e440deaa095878e361f65d"
        case .ended: "cea22c20a36243d2a3095e83c5f52ec8"
        case .trouble: "3579d9a5e48a42c6b7f4aa194fec3cc8"
        }
    }
}
