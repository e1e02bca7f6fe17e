internal import Apod
internal import Catalog
import Synchronization
internal import Upstream

/// Records that have brought something worse than what is here. As long as they stay as they are, their files are not
/// fetched at every look.
package final class RefusedRecords: Sendable {
    private let records = Mutex<[Day: (content: Digest, moment: Int)]>([:])

    package init() {}

    func refuse(_ picture: Picture, at now: Int) {
        records.withLock { $0[picture.day] = (picture.content, now) }
    }

    func isRefused(_ picture: Picture, at now: Int) -> Bool {
        guard let record = records.withLock({ $0[picture.day] }), record.content == picture.content else {
            return false
        }
        return RetryPolicy.isRefused(since: record.moment, at: now)
    }
}
