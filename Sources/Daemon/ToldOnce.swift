import Synchronization

/// What is told when it begins or becomes another, and not again as long as it stays.
final class ToldOnce<Value: Equatable & Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    var isThere: Bool { value.withLock { $0 != nil } }

    /// Returns whether it was another before. nil: it has ended.
    @discardableResult
    func change(to new: Value?) -> Bool {
        value.withLock { value in
            defer { value = new }
            return value != new
        }
    }
}
