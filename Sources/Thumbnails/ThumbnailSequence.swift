package import Apod
internal import Concurrency

/// A stream of thumbnails that are made while somebody waits for the next one.
struct ThumbnailSequence: AsyncSequence, Sendable {
    typealias Element = Thumbnail
    typealias Failure = Never

    let thumbnails: Thumbnails
    let days: [Day]
    let isNamed: Bool

    func makeAsyncIterator() -> Iterator {
        Iterator(batch: ThumbnailBatch(thumbnails, days, isNamed: isNamed))
    }

    struct Iterator: AsyncIteratorProtocol {
        let batch: ThumbnailBatch

        /// Returns nil also when the task is cancelled. Pictures that are being decoded are given up.
        mutating func next() async -> Thumbnail? { await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Thumbnail? {
            let batch = batch
            return await withTaskCancellationHandler {
                await blocking { batch.next() }
            } onCancel: {
                batch.cancel()
            }
        }
    }
}

extension Thumbnails {
    /// Makes the thumbnails of some days, newest first, and delivers each outcome at once. The next picture is begun
    /// only while somebody waits for it. Cancelling is prompt.
    ///
    /// `named`: a person named these days, so existing thumbnails are told, too, and refused pictures tried again.
    package func thumbnails(for days: [Day], named: Bool = false) -> some AsyncSequence<Thumbnail, Never> & Sendable {
        ThumbnailSequence(thumbnails: self, days: days.sorted(by: >), isNamed: named)
    }
}
