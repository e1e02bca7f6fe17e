internal import Apod
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
