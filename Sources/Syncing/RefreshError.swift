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
        case .noRoom(let root, let floor): Failure(.full, path: root, number: floor)
        case .archive(let error): error.failure
        // The records have another address.
        case .upstreamSilent(.fetch(let failure)) where failure.failure.number == 404:
            Failure(.records, at: failure.address, number: 404)
        case .upstreamSilent(let error): error.failure
        case .filesSilent(let why): Failure(.files, why.code.rawValue, at: why.address, number: why.number)
        case .cancelled: Failure(.stopped)
        }
    }
}

extension RefreshError {
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
