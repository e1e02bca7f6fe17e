package import Apod
package import Archive
internal import Fetching
package import Upstream

/// Why a refresh ended before its work was done.
package enum RefreshError: Error, CustomStringConvertible {
    case archive(ArchiveError)
    /// The disk is full, or has less free than the mirror leaves to others (`floor`).
    case noRoom(root: String, floor: Int)
    /// The upstream does not answer, or asks for a pause.
    case upstreamSilent(UpstreamError)
    /// Many days in a row could not be fetched.
    case filesSilent(Failure)
    case cancelled

    package var isFull: Bool { kind == .full }

    /// Errors of one kind in a row are told once (`ToldOnce`).
    package enum Kind: Equatable { case archive, full, upstream, files, cancelled }

    package var kind: Kind {
        switch self {
        case .archive(let error): error.isFull ? .full : .archive
        case .noRoom: .full
        case .upstreamSilent: .upstream
        case .filesSilent: .files
        case .cancelled: .cancelled
        }
    }

    package var description: String { failure.words }

    package var failure: Failure {
        switch self {
        case .noRoom(let root, let floor): Failure(.full, Self.words(forFull: root, floor: floor))
        case .archive(let error): error.failure
        case .upstreamSilent(let error): Self.failure(of: error)
        case .filesSilent(let why): Failure(.files, "pictures cannot be had at the moment: \(why)")
        case .cancelled: Failure(.stopped, "stopped; the same command goes on from here")
        }
    }
}

extension RefreshError {
    /// `floor`: the free bytes that the mirror leaves to others.
    private static func words(forFull folder: String, floor: Int) -> String {
        "no space left on the disk of \(Text.shown(folder)), of which the mirror keeps \(Size.text(floor)) free"
    }

    private static func failure(of error: UpstreamError) -> Failure {
        let (host, address) = (error.address.host, error.address)
        guard case .fetch(let failure) = error else {
            return Failure(.records, "\(host) answers with something else than records: \(error)", at: address)
        }
        let code = error.failure.code
        return switch failure.reason {
        case .unreachable: Failure(code, "\(host) \(failure.reason)", at: address)
        case .status(404, _): Failure(.records, "\(host) has no records at this address: \(error)", at: address)
        case .status: Failure(code, "\(host) refuses to answer: \(error)", at: address)
        case .stalled: Failure(code, "\(host) does not answer: \(error)", at: address)
        default: Failure(code, "\(host) gives no answer of use: \(error)", at: address)
        }
    }

    /// nil if the failure is the upstream's: then the refresh goes on.
    init?(_ failure: FetchFailure) {
        switch failure.reason {
        case .cancelled: self = .cancelled
        case .disk(let error): self = .archive(.storage(error))
        default: return nil
        }
    }

    init?(_ failure: UpstreamError) {
        guard case .fetch(let failure) = failure else { return nil }
        self.init(failure)
    }
}
