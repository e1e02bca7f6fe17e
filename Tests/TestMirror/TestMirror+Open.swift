package import Apod
import Files
import Store
package import Syncing
import TestSupport

/// The mirror as a program has it.
extension TestMirror {
    package func mirror<Value>(_ work: (OpenMirror) async throws -> Value) async throws -> Value {
        let value = try await opened(work)
        try await unlocked(root)
        return value
    }

    private func opened<Value>(_ work: (OpenMirror) async throws -> Value) async throws -> Value {
        try await work(OpenMirror(settings, version: "1", environment: [:], time: clock, fetching: fetching))
    }

    /// Fetches what is missing, and returns the days that came.
    @discardableResult
    package func fetch() async throws -> [Day] {
        try await mirror { mirror in
            guard let wanted = try mirror.range.wanted(until: mirror.today) else { return [] }
            var came: Set<Key> = []
            for try await event in mirror.refresh().running(.missing(wanted)) {
                if case .mirrored(let key, _, _, _) = event { came.insert(key) }
            }
            return came.days.sorted()
        }
    }

    /// As when somebody makes links to some days, all at once.
    package func favor(_ days: [Day]) async throws {
        try await mirror { mirror in try mirror.archive.favorites.favor(days, at: clock.now) }
    }

    /// As when somebody takes them away again.
    package func unfavor(_ days: [Day]) async throws {
        try await mirror { mirror in try mirror.archive.favorites.unfavor(days, at: clock.now) }
    }
}
