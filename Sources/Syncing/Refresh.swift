import Apod
package import Configuration
package import Fetching
import Files
package import Store
import Thumbnails
package import Upstream

/// Brings days from the upstream into the archive: asks for records by the window, fetches many days at once, and
/// reports each as soon as it is done.
///
/// `DueDays` picks the days for a `RefreshRequest`, and `QuestionPlan` divides them into questions. `Refresh+Running`
/// asks the questions; `Refresh+Days` turns each answer into a step for each day. For a day with a record, `Plan`
/// decides which files to fetch, and `Outcome` what becomes of the day; `Refresh+Plan` carries that out. Without a record,
/// `DayAbsence` decides.
package struct Refresh: Sendable {
    let archive: Archive
    let upstream: APODBasic
    let fetcher: Fetcher
    let settings: Settings
    let now: @Sendable () -> Int
    let pictureCheck = PictureCheck()
    /// Whether a person waits for the answer: the list of articles stands in at once.
    package var isAsked = false
    var report: EventHandler = { _ in }

    package init(
        archive: Archive, upstream: APODBasic, fetcher: Fetcher, settings: Settings,
        now: @escaping @Sendable () -> Int
    ) {
        self.archive = archive
        self.upstream = upstream
        self.fetcher = fetcher
        self.settings = settings
        self.now = now
    }
}
