internal import Apod
internal import Catalog
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

    /// Another day that brings the same file, as soon as that is known of all; throws when the task is cancelled before.
    func other(bringing content: Digest, than day: Day) async throws(CancellationError) -> Day? {
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
        if Task.isCancelled { throw CancellationError() }
        return state.withLock { state in state.brought[content]?.filter { $0 != day }.max() }
    }

    /// Why the record is no correction of a day that is here; nil if it is one, or says what was said before. What has
    /// lost its files needs them.
    func borrowedWords(
        _ picture: Picture, _ stored: StoredDay, _ good: [StoredFile],
        explanation: () async throws(RefreshError) -> String?
    ) async throws(RefreshError) -> String? {
        guard stored.files.isEmpty || !good.isEmpty, stored.content != picture.content,
            let other = other(telling: picture), try await explanation() != picture.explanation
        else { return nil }
        return "the upstream has one title and text for several days, also for \(other)"
    }

    /// Why what came for a day that is here is no correction; nil if it is one. Such a poster leaves the one that is here.
    func borrowed(
        _ results: inout [FileResult], for day: Day, _ good: [StoredFile]
    ) async throws(CancellationError) -> String? {
        let replacing = results.compactMap { $0.replacing(good) }
        bring(replacing.map(\.sha256), day)
        for file in replacing {
            guard let other = try await other(bringing: file.sha256, than: day) else { continue }
            if file.role != .poster {
                return "the upstream sends one \(file.role.rawValue) for several days, also for \(other)"
            }
            for index in results.indices where results[index].wanted.role == .poster { results[index].keep(good) }
        }
        return nil
    }

    private func wake(_ day: Day) {
        state.withLock { $0.waiting.removeValue(forKey: day) }?.resume()
    }
}

extension Picture {
    fileprivate var words: Digest { Digest(of: JSON.array([.string(title), .string(explanation)]).compact) }
}
