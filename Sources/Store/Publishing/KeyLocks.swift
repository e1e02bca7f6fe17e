package import Apod
import Synchronization

/// A lock for each key. Two tasks that work on one item would use the same file names.
package final class KeyLocks: Sendable {
    private struct State {
        var busy: Set<Key> = []
        var queue: [(id: Int, key: Key, continuation: CheckedContinuation<Bool, Never>)] = []
        var nextID = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// How many callers wait, for all keys together.
    var waitingCount: Int { state.withLock(\.queue.count) }

    /// Locks the key if it is free, and returns whether it was.
    package func lockIfFree(_ key: Key) -> Bool { state.withLock { $0.busy.insert(key).inserted } }

    /// Locks the key as soon as it is free; throws when the task is cancelled while it waits.
    package func lock(_ key: Key) async throws(CancellationError) {
        let id = state.withLock { state -> Int? in
            if state.busy.insert(key).inserted { return nil }
            state.nextID += 1
            return state.nextID
        }
        guard let id else { return }
        let hasIt = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.busy.insert(key).inserted { return true }
                    state.queue.append((id, key, continuation))
                    return false
                }
                if isFree { continuation.resume(returning: true) } else if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
        if !hasIt { throw CancellationError() }
    }

    /// Hands the key to the caller that has waited longest.
    package func unlock(_ key: Key) {
        let next = state.withLock { state in
            let index = state.queue.firstIndex { $0.key == key }
            if index == nil { state.busy.remove(key) }
            return index.map { state.queue.remove(at: $0).continuation }
        }
        next?.resume(returning: true)
    }

    private func leave(_ id: Int) {
        let left = state.withLock { state in
            state.queue.firstIndex { $0.id == id }.map { state.queue.remove(at: $0).continuation }
        }
        left?.resume(returning: false)
    }
}
