package import Apod
internal import Concurrency

/// What is made while somebody asks for the next one.
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

        /// nil also when the task is cancelled. What was being decoded then is given up.
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
    /// Each is delivered as soon as it is made, newest day first; one that fails keeps no other. Cancelling is prompt. The
    /// next is begun only while somebody waits for it.
    ///
    /// `named`: these days were asked for: what is there already is told, too.
    package func thumbnails(for days: [Day], named: Bool = false) -> some AsyncSequence<Thumbnail, Never> & Sendable {
        ThumbnailSequence(thumbnails: self, days: days.sorted(by: >), isNamed: named)
    }
}
