import Synchronization

/// A state that is told when it begins or changes, and not again while it stays.
package final class ToldOnce<Value: Equatable & Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    var isThere: Bool { value.withLock { $0 != nil } }

    /// Returns whether that is a change. nil: the state has ended.
    @discardableResult
    package func change(to new: Value?) -> Bool {
        value.withLock { value in
            defer { value = new }
            return value != new
        }
    }
}
