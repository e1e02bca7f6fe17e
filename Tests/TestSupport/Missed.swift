/// What a test waited for when its time was up.
package struct Missed: Error, CustomStringConvertible {
    package let description: String

    /// `instead`: what there was.
    package init(_ what: String, instead: some Any) {
        description = "\(what) did not come; instead: \("\(instead)".suffix(2000))"
    }
}

extension Awaited {
    /// The same as `first`, for the test itself: says what was missed when the time limit ends the wait.
    @discardableResult
    package func first(
        _ what: @autoclosure () -> String, where holds: @escaping @Sendable (Value) -> Bool
    ) async throws -> Value {
        do {
            return try await first(where: holds)
        } catch {
            throw Missed(what(), instead: value)
        }
    }
}
