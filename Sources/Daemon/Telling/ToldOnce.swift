import Synchronization

/// What is told when it begins or becomes another, and not again as long as it stays.
package final class ToldOnce<Value: Equatable & Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    var isThere: Bool { value.withLock { $0 != nil } }

    /// Returns whether it was another before. nil: it has ended.
    @discardableResult
    package func change(to new: Value?) -> Bool {
        value.withLock { value in
            defer { value = new }
            return value != new
        }
    }
}
