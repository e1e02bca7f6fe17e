internal import Apod
package import Archive
internal import Catalog
internal import Concurrency
package import Configuration
package import Fetching
internal import Files
internal import Thumbnails
package import Upstream

/// Brings days from the upstream into the archive: asks for records by the window, fetches many days side by side, and
/// tells of each as soon as it is done.
///
/// Of what is asked for (`RefreshRequest`), some days are due (`DueDays`), and a few questions are about them
/// (`QuestionPlan`). `Refresh+Running` asks them; what is answered comes as steps (`Refresh+Days`). For each day,
/// `DayPlan` decides which files are to come and `DayUpdate`, from what came of those, what becomes of the day;
/// `Refresh+DayUpdate` carries that out, and `Publication` puts it in its place.
package struct Refresh: Sendable {
    let archive: Archive
    let upstream: APODBasic
    let fetcher: Fetcher
    let settings: Settings
    let now: @Sendable () -> Int
    let pictureCheck = PictureCheck()
    var report: @Sendable (RefreshEvent) -> Void = { _ in }

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

    func reading<Value>(
        _ work: (Catalog) throws(StorageError) -> Value
    ) throws(RefreshError) -> Value {
        do throws(StorageError) { return try work(archive.catalog) } catch { throw .archive(.storage(error)) }
    }
}
