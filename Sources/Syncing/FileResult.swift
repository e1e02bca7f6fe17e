internal import Apod
internal import Fetching
internal import Files

/// What became of one of a day's files.
struct FileResult: Sendable {
    struct Had: Sendable {
        let file: StoredFile
        /// nil for a file that stays as it is in the tree.
        let staged: Staged?
        let isWorse: Bool
    }

    let wanted: WantedFile
    let outcome: Result<Had, FetchFailure>
    /// Stands in for what could not be had.
    private var substitute: Had?

    init(wanted: WantedFile, outcome: Result<Had, FetchFailure>) {
        self.wanted = wanted
        self.outcome = outcome
    }

    var had: Had? { (try? outcome.get()) ?? substitute }

    /// What cannot be had now stays what is there: any poster, and a picture or video that is still the one meant.
    mutating func substitute(from good: [StoredFile]) {
        let same = good.first { $0.role == wanted.role }
        // The picture of a day that has become a video's.
        let former = wanted.isEssential ? nil : good.first { $0.role == .picture }?.with(role: .poster)
        guard failure != nil, let file = same ?? former, !wanted.isEssential || wanted.addresses.contains(file.address)
        else { return }
        substitute = Had(file: file, staged: nil, isWorse: wanted.isEssential && wanted.isWorse(file.address))
    }

    /// A file that has just come from the upstream.
    var arrived: StoredFile? { had?.staged == nil || had?.file.role == .page ? nil : had?.file }

    /// A file that has come in the place of a good one, and is another.
    func replacing(_ good: [StoredFile]) -> StoredFile? {
        guard let arrived, !good.contains(where: { $0.sha256 == arrived.sha256 }) else { return nil }
        return good.contains { ($0.role == .poster) == (wanted.role == .poster) } ? arrived : nil
    }

    /// What is here stays instead of what came.
    mutating func keep(_ good: [StoredFile]) {
        guard let file = good.first(where: { $0.role == wanted.role }) else { return }
        had?.staged?.discard()
        self = FileResult(wanted: wanted, outcome: .success(Had(file: file, staged: nil, isWorse: false)))
    }

    var failure: FetchFailure? {
        if case .failure(let failure) = outcome { failure } else { nil }
    }
}
