internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Fetching
internal import Files

/// What comes for several days of one answer belongs to one of them at most: the upstream tells of one for many, or sends
/// one file for every picture. New days may have it; what is here is not given up for it.
extension DayUpdate {
    /// Why the record is no correction; nil if it is one, or says what was said before. What has lost its files needs them.
    func borrowedWords(_ good: [StoredFile]) async throws(RefreshError) -> String? {
        guard let stored = status?.stored, stored.files.isEmpty || !good.isEmpty, stored.content != picture.content,
            let other = comparison.other(telling: picture)
        else { return nil }
        let former: String?
        do throws(CatalogError) {
            former = try await blocking { [archive, day] () throws(CatalogError) in
                try archive.catalog.explanation(of: day)
            }
        } catch {
            throw .archive(.catalog(error))
        }
        if former == picture.explanation { return nil }
        return "the upstream has one title and text for several days, also for \(other)"
    }

    /// Why what came is no correction; nil if it is one. Such a poster leaves the one that is here.
    func borrowed(_ results: inout [FileResult], _ good: [StoredFile]) async throws(RefreshError) -> String? {
        if status?.stored == nil {
            comparison.bring(results.compactMap(\.arrived?.sha256), day)
            return nil
        }
        let replacing = results.compactMap { $0.replacing(good) }
        comparison.bring(replacing.map(\.sha256), day)
        for file in replacing {
            let other: Day?
            do throws(CancellationError) {
                other = try await comparison.other(bringing: file.sha256, than: day)
            } catch {
                throw .cancelled
            }
            guard let other else { continue }
            if file.role != .poster {
                return "the upstream sends one \(file.role.rawValue) for several days, also for \(other)"
            }
            for index in results.indices where results[index].wanted.role == .poster { results[index].keep(good) }
        }
        return nil
    }
}
