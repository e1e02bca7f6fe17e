internal import Apod
internal import Fetching

/// What became of one of a day's files.
struct FileResult: Sendable {
    struct Had: Sendable, Equatable {
        let file: StoredFile
        /// It has just come; otherwise it stays as it is in the tree.
        let isNew: Bool
        let isWorse: Bool
    }

    let wanted: WantedFile
    let outcome: Result<Had, FetchFailure>
    /// Stands in for what could not be had.
    fileprivate(set) var substitute: Had?

    var had: Had? { (try? outcome.get()) ?? substitute }

    var failure: FetchFailure? { if case .failure(let failure) = outcome { failure } else { nil } }

    /// Whether the day is not complete without it: a file that nothing stands in for, unless it is a poster that is
    /// nowhere to be had; and a file that may be had soon.
    var isMissed: Bool {
        guard let failure else { return false }
        return !failure.reason.isAbsence || had == nil && wanted.isEssential
    }

    /// A file that has just come from the upstream.
    var arrived: StoredFile? { had.flatMap { $0.isNew && $0.file.role != .page ? $0.file : nil } }

    /// A file that has come in the place of a good one, and is another.
    func replacing(_ good: [StoredFile]) -> StoredFile? {
        guard let arrived, !good.contains(where: { $0.sha256 == arrived.sha256 }) else { return nil }
        let isInPlace = wanted.isEssential ? good.contains { $0.role != .poster } : here(among: good) != nil
        return isInPlace ? arrived : nil
    }

    /// What cannot be had now stays what is there: any poster, and a picture or video that is still the one meant.
    func substituted(from good: [StoredFile]) -> FileResult {
        guard failure != nil, let file = here(among: good),
            !wanted.isEssential || wanted.addresses.contains(file.address)
        else { return self }
        var result = self
        result.substitute = Had(
            file: file, isNew: false, isWorse: wanted.isEssential && wanted.isWorse(file.address))
        return result
    }

    /// What is here stays instead of what came.
    func keeping(_ good: [StoredFile]) -> FileResult {
        guard let file = here(among: good) else { return self }
        return FileResult(wanted: wanted, outcome: .success(Had(file: file, isNew: false, isWorse: false)))
    }

    /// What stands for it in the tree.
    private func here(among good: [StoredFile]) -> StoredFile? {
        if let same = good.first(where: { $0.role == wanted.role }) { return same }
        // The picture of a day that has become a video's.
        return wanted.isEssential ? nil : good.first { $0.role == .picture }?.with(role: .poster)
    }
}
