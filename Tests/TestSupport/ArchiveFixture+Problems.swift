package import Apod
package import Store
import Synchronization

extension ArchiveFixture {
    /// `change` comes after the catalog was read, `pause` after the files.
    package func problems(
        workers: Int = 2, afterwards change: () async throws -> Void = {}, pause: @Sendable () async -> Void = {}
    ) async throws -> [String] {
        let verification = try Verification(root: root, catalog: archive().catalog)
        try await change()
        return try await verification.problems(workers: workers, pause: pause).map { problem in
            let kind = problem.isMissing ? "missing" : problem.why == nil ? "damaged" : "unreadable"
            return "\(kind) \(problem.isFormer ? "former " : "")\(problem.path)"
        }.sorted()
    }
}

extension Verification {
    package func problems(
        workers: Int = 2, pause: @Sendable () async -> Void = {}
    ) async throws -> [Verification.Damage] {
        let problems = Mutex<[Verification.Damage]>([])
        try await run(workers: workers, pause: pause) { event in
            if case .found(let problem) = event { problems.withLock { $0.append(problem) } }
        }
        return problems.withLock(\.self)
    }
}

package func day(_ text: String) -> Day { Day(text)! }

/// A day of that month of 2026.
package func november(_ number: Int) -> Day { Day(year: 2026, month: 11, day: number)! }
