/// Takes an answer into memory, up to a limit.
///
/// `@unchecked Sendable`: libcurl's thread writes, and the task that waited reads when that has finished.
final class Body: Receiver, @unchecked Sendable {
    private(set) var bytes: [UInt8] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func head(_ head: Head) throws(FetchError) -> Bool {
        guard head.status == 200 else { return false }
        bytes = []
        if let length = head.length, length > limit { throw .tooLarge(limit: limit) }
        return true
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws(FetchError) {
        guard self.bytes.count + bytes.count <= limit else { throw .tooLarge(limit: limit) }
        self.bytes += bytes
    }
}
