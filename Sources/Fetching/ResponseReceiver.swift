/// Takes one answer in. Called on libcurl's thread, one call at a time.
protocol ResponseReceiver: AnyObject, Sendable {
    /// Returns whether the body is wanted; only a little is read of one that is not.
    func head(_ head: AnswerHead) throws(FetchError) -> Bool
    func body(_ bytes: UnsafeRawBufferPointer) throws(FetchError)
}

/// Takes an answer into memory, up to a limit.
///
/// `@unchecked Sendable`: libcurl's thread writes; the waiting task reads when the transfer has ended.
final class DocumentBody: ResponseReceiver, @unchecked Sendable {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    let statuses: Set<Int>
    private let progress: @Sendable (Int) -> Void
    private var status = 200
    /// For an answer with another status than 200: a longer one is the page of some gateway.
    private static let longestError = 64 << 10

    init(limit: Int, statuses: Set<Int>, progress: @escaping @Sendable (Int) -> Void) {
        self.limit = limit
        self.statuses = statuses
        self.progress = progress
    }

    func head(_ head: AnswerHead) throws(FetchError) -> Bool {
        guard statuses.contains(head.status) else { return false }
        (bytes, status) = ([], head.status)
        if let length = head.length {
            try check(length)
            // Growing would need twice as much for a moment.
            bytes.reserveCapacity(length)
        }
        return true
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws(FetchError) {
        try check(self.bytes.count + bytes.count)
        self.bytes += bytes
        progress(bytes.count)
    }

    private func check(_ length: Int) throws(FetchError) {
        if status == 200, length > limit { throw .tooLarge(limit: limit) }
        if status != 200, length > Self.longestError { throw .status(status, retryAfter: nil) }
    }
}
