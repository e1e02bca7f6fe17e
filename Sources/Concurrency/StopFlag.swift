import Synchronization

/// Set once, by whoever does not want to wait any more.
package final class StopFlag: Sendable {
    private let value = Atomic(false)

    package init() {}

    package var isSet: Bool { value.load(ordering: .relaxed) }

    package func set() { value.store(true, ordering: .relaxed) }
}
