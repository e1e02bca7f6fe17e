internal import Apod
internal import Fetching
internal import Files

/// What became of one of a day's files.
struct PartResult: Sendable {
    struct Had: Sendable {
        let file: StoredFile
        /// nil for a file that stays as it is in the tree.
        let staged: Staged?
        let isWorse: Bool
    }

    let part: Part
    let outcome: Result<Had, FetchFailure>
    /// Stands in for what could not be had.
    private var substitute: Had?

    init(part: Part, outcome: Result<Had, FetchFailure>) {
        self.part = part
        self.outcome = outcome
    }

    var had: Had? { (try? outcome.get()) ?? substitute }

    /// What cannot be had now stays what is there: any poster, and a picture or video that is still the one meant.
    mutating func substitute(from good: [StoredFile]) {
        let same = good.first { $0.role == part.role }
        // The picture of a day that has become a video's.
        let former = part.isEssential ? nil : good.first { $0.role == .picture }?.with(role: .poster)
        guard failure != nil, let file = same ?? former, !part.isEssential || part.addresses.contains(file.address)
        else { return }
        substitute = Had(file: file, staged: nil, isWorse: part.isEssential && part.isWorse(file.address))
    }

    var failure: FetchFailure? {
        if case .failure(let failure) = outcome { failure } else { nil }
    }
}
