/// Does work in a task that is cancelled already.
package func cancelled<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await work()
    }.value
}
