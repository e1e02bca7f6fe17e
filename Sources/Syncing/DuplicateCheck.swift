internal import Apod
internal import Files
import Synchronization

/// The days of one answer, compared with each other before any of them replaces something good: what comes for several
/// of them belongs to one at most, as the upstream tells of one for many, or sends one file for every picture. New days
/// may have it; what is here is not given up for it.
final class DuplicateCheck: Sendable {
    private struct State {
        /// Those of which it is not known yet what they bring.
        var open: Set<Day>
        var brought: [Digest: Set<Day>] = [:]
        var waiting: [Day: CheckedContinuation<Void, Never>] = [:]
    }

    private let state: Mutex<State>
    /// Which days have the same title and text.
    private let told: [Digest: Set<Day>]

    /// `pictures`: the records of the days, as far as they are known before anything is fetched.
    init(_ days: some Sequence<Day>, telling pictures: [Picture] = []) {
        state = Mutex(State(open: Set(days)))
        told = Dictionary(grouping: pictures, by: \.words).mapValues { Set($0.map(\.day)) }
    }

    /// Another day with the same title and text.
    func other(telling picture: Picture) -> Day? {
        picture.explanation.isEmpty ? nil : told[picture.words]?.filter { $0 != picture.day }.max()
    }

    /// A day brings this.
    func bring(_ contents: [Digest], _ day: Day) {
        state.withLock { state in
            for content in contents { state.brought[content, default: []].insert(day) }
        }
        leave(day)
    }

    /// A day brings nothing (more), or is not to be waited for.
    func leave(_ day: Day) {
        let waiting = state.withLock { state in
            state.open.remove(day)
            guard state.open.isEmpty else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Of each of these files that another day brings too, or has and keeps, that day, as soon as it is known of all what
    /// they bring; throws when the task is cancelled before. `having`: the days that have them now.
    func others(
        bringing contents: [Digest], having: [Digest: [Day]] = [:], than day: Day
    ) async throws(RefreshError) -> [Digest: Day] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isKnown = state.withLock { state in
                    if state.open.isEmpty { return true }
                    state.waiting[day] = continuation
                    return false
                }
                if isKnown { continuation.resume() } else if Task.isCancelled { wake(day) }
            }
        } onCancel: {
            wake(day)
        }
        if Task.isCancelled { throw .cancelled }
        return state.withLock { state in
            // Two days may have each other's.
            let changing = Set(state.brought.values.joined())
            return contents.reduce(into: [:]) { others, content in
                let keeping = having[content, default: []].filter { !changing.contains($0) }
                others[content] = state.brought[content, default: []].union(keeping).filter { $0 != day }.max()
            }
        }
    }

    private func wake(_ day: Day) {
        state.withLock { $0.waiting.removeValue(forKey: day) }?.resume()
    }
}

extension Picture {
    fileprivate var words: Digest { Digest(of: JSON.array([.string(title), .string(explanation)]).compact) }
}
