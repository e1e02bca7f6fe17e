import Apod
import Archive
import Files
import Service
import TestSupport

/// The mirror as a program has it.
extension Observatory {
    func session<Value>(_ work: (Session) async throws -> Value) async throws -> Value {
        let value = try await opened(work)
        try await unlocked(root)
        return value
    }

    private func opened<Value>(_ work: (Session) async throws -> Value) async throws -> Value {
        try await work(Session(settings, version: "1", environment: [:], time: clock))
    }

    /// Fetches what is missing, and returns the days that came.
    @discardableResult
    func fetch() async throws -> [Day] {
        try await session { session in
            guard let wanted = try session.wanted(until: session.today) else { return [] }
            var came: [Day] = []
            for try await event in session.refresh().start(.missing(wanted)).events {
                if case .mirrored(let day, _, _, _) = event { came.append(day) }
            }
            return came.sorted()
        }
    }

    /// Of so many days back.
    func ago(_ days: Int) -> Day { Self.today.advanced(by: -days) }

    /// As when somebody makes links to some days, all at once.
    func favor(_ days: [Day]) async throws {
        try await session { session in
            var change = FolderChange()
            change.seen = days.map { (Place(Name("\($0)")!, in: .top), .day($0)) }
            try session.archive.catalog.record(change, at: clock.now)
        }
    }

    /// As when somebody takes them away again.
    func unfavor(_ days: [Day]) async throws {
        try await session { session in
            var change = FolderChange()
            change.gone = days.map { Place(Name("\($0)")!, in: .top) }
            try session.archive.catalog.record(change, at: clock.now)
            try session.archive.catalog.settle(Removals(of: nil), last: clock.now, at: clock.now)
        }
    }
}
