package import Apod
package import Archive
internal import Configuration
internal import Fetching
package import Upstream

/// Why a refresh ended before its work was done.
package enum RefreshError: Error, CustomStringConvertible {
    case archive(ArchiveError)
    /// The disk is full, or has less free than the mirror leaves to others (`floor`).
    case noRoom(root: String, free: Int, floor: Int)
    /// The upstream does not answer, or asks for a pause.
    case upstreamSilent(UpstreamError)
    /// Many days in a row could not be fetched.
    case filesSilent(Failure)
    case cancelled

    package var isFull: Bool {
        switch self {
        case .archive(let error): error.isFull
        case .noRoom: true
        case .upstreamSilent, .filesSilent, .cancelled: false
        }
    }

    /// Another upstream might succeed.
    var isOfUpstream: Bool {
        switch self {
        case .upstreamSilent, .filesSilent: true
        case .archive, .noRoom, .cancelled: false
        }
    }

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
        case .archive(let error) where error.isFull:
            Failure(.folder, "\(error); make room", path: error.failure.path, number: error.failure.number)
        case .noRoom(let root, _, let floor): Failure(.full, Self.words(forFull: root, floor: floor))
        case .archive(let error): error.failure
        case .upstreamSilent(let error): Failure(error.failure.code, Self.words(for: error), at: error.address)
        case .filesSilent(let why): Failure(.files, "pictures cannot be had at the moment: \(why)")
        case .cancelled: Failure(.stopped, "stopped; the same command goes on from here")
        }
    }
}

extension RefreshError {
    /// `floor`: the free bytes that the mirror leaves to others.
    private static func words(forFull folder: String, floor: Int) -> String {
        """
        no space left on the disk of \(Text.shown(folder)), of which the mirror keeps \(Size.text(floor)) free; make \
        room there
        """
    }

    private static func words(for error: UpstreamError) -> String {
        let host = error.address.host
        let isUsual = host == Settings(root: "/").upstream.host
        guard case .fetch(let failure) = error else {
            return "\(host) answers with something else than records: \(error)"
        }
        return switch failure.reason {
        case .unreachable where isUsual: "\(host) \(failure.reason); check this machine's network and clock"
        case .unreachable:
            "\(host) \(failure.reason); check that server, this machine's network and clock, and the setting `upstream`"
        case .status(404, _):
            "\(host) has no records at this address: \(error)" + (isUsual ? "" : "; check the setting `upstream`")
        case .status: "\(host) refuses to answer: \(error)"
        case .stalled: "\(host) does not answer: \(error); check this machine's network, or try again later"
        default: "\(host) gives no answer of use: \(error)"
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
