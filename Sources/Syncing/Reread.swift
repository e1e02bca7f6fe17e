package import Apod
package import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
package import Files
internal import Synchronization

/// Reads the kept records again, once after an upgrade to a reader that understands more: the upstream is not asked.
package struct Reread: Sendable {
    let archive: Archive

    /// To be raised when the reader finds more in a record than before, or pages are made otherwise.
    static let version = 2
    /// So few at once that memory stays small, and so many that the disk is waited for seldom.
    private static let batch = 25

    package struct Outcome: Sendable {
        package fileprivate(set) var mended: [Day] = []
        /// What is the matter with one day keeps no other from it.
        package fileprivate(set) var left: [Day] = []
        package fileprivate(set) var reason: ArchiveError?
    }

    /// Of a mirror without days there is nothing to read again.
    func skip() throws(StorageError) { try archive.catalog.setFact(.reader, Self.version) }

    package func run() async throws(StorageError) -> Outcome {
        try await archive.hideJSON()
        let days = try await due()
        if days.isEmpty { return Outcome() }
        var outcome = Outcome()
        for start in stride(from: 0, to: days.count, by: Self.batch) {
            try await mend(Array(days[start..<min(start + Self.batch, days.count)]), &outcome)
            if Task.isCancelled { return Outcome() }
        }
        try await remember(outcome.left)
        return outcome
    }

    /// All days or, behind a run that came to its end, those that it had to leave.
    private func due() async throws(StorageError) -> [Day] {
        try await catalog { catalog throws(StorageError) in
            guard try catalog.fact(.reader) == Self.version else { return try catalog.storedDays().map(\.day) }
            return (try catalog.remark(.unmended) ?? "").split(separator: " ").compactMap { Day(String($0)) }
        }
    }

    private func remember(_ left: [Day]) async throws(StorageError) {
        let words = left.isEmpty ? nil : left.map(\.description).joined(separator: " ")
        try await catalog { catalog throws(StorageError) in
            try catalog.setRemark(.unmended, words)
            try catalog.setFact(.reader, Self.version)
        }
    }

    private func catalog<Value: Sendable>(
        _ work: @escaping @Sendable (Catalog) throws(StorageError) -> Value
    ) async throws(StorageError) -> Value {
        try await blocking { [catalog = archive.catalog] () throws(StorageError) in try work(catalog) }
    }

    /// Side by side, so that they are written together.
    private func mend(_ days: [Day], _ outcome: inout Outcome) async throws(StorageError) {
        let results = await withTaskGroup { group in
            for day in days { group.addTask { (day, await result(of: day)) } }
            var results: [(Day, Result<Bool, ArchiveError>)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }
        }
        for (day, result) in results {
            do throws(ArchiveError) {
                if try result.get() { outcome.mended.append(day) }
            } catch {
                if case .storage(let error) = error, error.isOfAllDays { throw error }
                outcome.left.append(day)
                outcome.reason = outcome.reason ?? error
            }
        }
    }

    private func result(of day: Day) async -> Result<Bool, ArchiveError> {
        do throws(ArchiveError) { return .success(try await mend(day)) } catch { return .failure(error) }
    }

    private func mend(_ day: Day) async throws(ArchiveError) -> Bool {
        do { try await archive.dayLocks.lock(day) } catch { return false }
        defer { archive.dayLocks.unlock(day) }
        let renewed = try await blocking { [archive] () throws(ArchiveError) in
            try ArchiveError.wrapping { () throws(StorageError) -> StagedDay? in
                guard let status = try archive.catalog.status(of: day) else { return nil }
                return try archive.renewed(status) { PlayerPage(title: $0, address: $1).document }
            }
        }
        guard let renewed else { return false }
        try await archive.add(renewed)
        return true
    }
}

extension StorageError {
    /// Of a disk, a folder can be bad and the others good.
    fileprivate var isOfAllDays: Bool { isOfSystem ? isFull : true }
}
