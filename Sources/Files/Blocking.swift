internal import Dispatch

private let queue = DispatchQueue(label: "blocking", attributes: .concurrent)

/// Runs work that waits for the disk, away from the threads that tasks share.
package func blocking<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        queue.async {
            do throws(Failure) {
                continuation.resume(returning: .success(try work()))
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
    return try result.get()
}
