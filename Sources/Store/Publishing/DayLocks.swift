package import Apod
import Synchronization

/// A lock for each day. Two tasks that work on one day would use the same file names.
package final class DayLocks: Sendable {
    private struct State {
        var busy: Set<Day> = []
        var queue: [(id: Int, day: Day, continuation: CheckedContinuation<Bool, Never>)] = []
        var nextID = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// How many callers wait, for all days together.
    var waitingCount: Int { state.withLock(\.queue.count) }

    /// Locks the day if it is free, and returns whether it was.
    package func lockIfFree(_ day: Day) -> Bool { state.withLock { $0.busy.insert(day).inserted } }

    /// Locks the day as soon as it is free; throws when the task is cancelled while it waits.
    package func lock(_ day: Day) async throws(CancellationError) {
        let id = state.withLock { state -> Int? in
            if state.busy.insert(day).inserted { return nil }
            state.nextID += 1
            return state.nextID
        }
        guard let id else { return }
        let hasIt = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.busy.insert(day).inserted { return true }
                    state.queue.append((id, day, continuation))
                    return false
                }
                if isFree { continuation.resume(returning: true) } else if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
        if !hasIt { throw CancellationError() }
    }

    /// Hands the day to the caller that has waited longest.
    package func unlock(_ day: Day) {
        let next = state.withLock { state in
            let index = state.queue.firstIndex { $0.day == day }
            if index == nil { state.busy.remove(day) }
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
