internal import Apod
internal import Syncing

extension Reread.Outcome {
    /// What there is to be told of it.
    package var notices: [Notice] {
        var notices: [Notice] = []
        if let last = mended.last {
            let words = "completed \(Day.count(mended.count)) from the records that are kept"
            notices.append(Notice(.noted, words, day: last, grade: .notice))
        }
        if let first = left.first, let reason {
            let words = "cannot complete \(Day.count(left.count)) from the records that are kept: \(reason)"
            notices.append(Notice(.noted, "\(words); correct that, and the next start or sync tries again", day: first))
        }
        return notices
    }
}
