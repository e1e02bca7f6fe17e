internal import Apod
internal import Archive
internal import Fetching
internal import Files

/// What belongs to another day: the upstream tells of one for many, or sends one file for every picture. A new day may
/// have what an old one has, as the upstream shows its best again; what is here is not given up for it.
extension Visit {
    /// Why the record is that of another day that is here; nil if it is not, or says what was said before.
    func borrowedWords() async throws(RefreshError) -> String? {
        guard let prose = try await newProse() else { return nil }
        let other = try await reading { catalog throws(CatalogError) in
            try catalog.day(telling: prose, otherThan: day)
        }
        return other.map { "the upstream's record has the title and the text of \($0)" }
    }

    /// What the record says where that is something else than before.
    private func newProse() async throws(RefreshError) -> Catalog.Change.Prose? {
        guard let entry = standing?.entry, entry.content != picture.content, !picture.explanation.isEmpty else {
            return nil
        }
        let former = try await reading { catalog throws(CatalogError) in try catalog.prose(of: day) }
        return former?.explanation == picture.explanation ? nil : prose
    }

    private var prose: Catalog.Change.Prose { .init(title: picture.title, explanation: picture.explanation) }

    /// Why what came is another day's; nil if it is not. A poster that is another day's leaves the one that is here.
    func borrowed(_ results: inout [PartResult], _ good: [StoredFile]) async throws(RefreshError) -> String? {
        guard standing?.entry != nil else {
            comparison.bring(results.compactMap(\.arrived?.sha256) + [prose.digest], day)
            return nil
        }
        let words = try await newProse()
        let replacing = results.compactMap { $0.replacing(good) }
        comparison.bring(replacing.map(\.sha256) + [words?.digest].compactMap(\.self), day)
        if let words, let other = try await other(bringing: words.digest) {
            return "the upstream has one title and text for several days, also for \(other)"
        }
        for file in replacing {
            guard let other = try await owner(of: file) else { continue }
            if file.role != .poster { return "the upstream sends the \(file.role.rawValue) of \(other) for it" }
            for index in results.indices where results[index].part.role == .poster { results[index].keep(good) }
        }
        return nil
    }

    /// Another day that has the file, or is to have it now.
    private func owner(of file: StoredFile) async throws(RefreshError) -> Day? {
        if let other = try await other(bringing: file.sha256) { return other }
        return try await reading { catalog throws(CatalogError) in try catalog.day(having: file, otherThan: day) }
    }

    private func other(bringing content: Digest) async throws(RefreshError) -> Day? {
        do throws(CancellationError) { return try await comparison.other(bringing: content, than: day) } catch {
            throw .cancelled
        }
    }

    private func reading<Value: Sendable>(
        _ work: @escaping @Sendable (Catalog) throws(CatalogError) -> Value
    ) async throws(RefreshError) -> Value {
        do throws(CatalogError) {
            return try await blocking { [catalog = archive.catalog] () throws(CatalogError) in try work(catalog) }
        } catch {
            throw .archive(.catalog(error))
        }
    }
}

extension Catalog.Change.Prose {
    fileprivate var digest: Digest { Digest(of: JSON.array([.string(title), .string(explanation)]).compact) }
}
