import Glibc

/// What a test waited for when its time was up.
package struct Missed: Error, CustomStringConvertible {
    package let description: String

    /// `instead`: what there was.
    package init(_ what: String, instead: some Any) {
        description = "\(what) did not come; instead: \("\(instead)".suffix(2000))"
    }
}

/// Returns when something is so, which is looked at again and again; throws what was waited for after a minute.
package func block(for what: String, _ isSo: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !isSo() {
        if .now > deadline { throw Missed(what, instead: "a minute passed") }
        usleep(1000)
    }
}

/// The same, for what is asynchronous.
nonisolated(nonsending) package func lookOut(for what: String, _ isSo: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !isSo() {
        if .now > deadline { throw Missed(what, instead: "a minute passed") }
        try await Task.sleep(for: .milliseconds(1))
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
